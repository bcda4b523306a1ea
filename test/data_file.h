/* SPDX-License-Identifier: MIT */
#ifndef WEFT_TEST_DATA_FILE_H
#define WEFT_TEST_DATA_FILE_H

/* Where files lie that tests read: below the project's root (WEFT_ROOT, which CTest sets; else the present folder), and
 * in the folder of data (WEFT_DATA), which may not be there: a test that misses a file says so and goes on without. */

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

/* A file of the folder of data; NULL, with a line printed, where there is none. */
static inline const char *data_file(const char *name, char path[PATH_ROOM])
{
    const char *folder = getenv("WEFT_DATA");
    if (!folder || !*folder) {
        printf("left out, WEFT_DATA is not set: %s\n", name);
        return NULL;
    }
    snprintf(path, PATH_ROOM, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (f)
        fclose(f);
    else
        printf("left out, there is no %s\n", path);
    return f ? path : NULL;
}

#endif
