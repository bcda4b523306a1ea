/* SPDX-License-Identifier: MIT */
#ifndef WEFT_TEST_DATA_FILE_H
#define WEFT_TEST_DATA_FILE_H

/* Where files lie that tests read: below the project's root (WEFT_ROOT, which CTest sets; else the present folder), and
 * those of the test data beside it, which may not be there: a test that misses one says so and goes on without. */

#include <stdio.h>
#include <stdlib.h>

enum { PATH_ROOM = 1024 };

static inline const char *project_root(void)
{
    const char *root = getenv("WEFT_ROOT");
    return root ? root : ".";
}

static inline const char *project_path(const char *name, char path[PATH_ROOM])
{
    snprintf(path, PATH_ROOM, "%s/%s", project_root(), name);
    return path;
}

/* A file of the test data; NULL, with a line printed, where there is none. */
static inline const char *data_file(const char *name, char path[PATH_ROOM])
{
    snprintf(path, PATH_ROOM, "%s/../shared/data/%s", project_root(), name);
    FILE *f = fopen(path, "rb");
    if (f)
        fclose(f);
    else
        printf("left out: no file %s\n", path);
    return f ? path : NULL;
}

#endif
