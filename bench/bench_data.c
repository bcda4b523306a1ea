/* SPDX-License-Identifier: MIT */
/* Finds files in the folder of data, and says which are missed. */
#include "bench_data.h"
#include "disk.h"

#include <stdio.h>
#include <stdlib.h>

char *bench_data(const bench_options *o, const char *name)
{
    if (!o->data)
        return NULL;
    char *path = disk_join(o->data, name);
    if (disk_exists(path))
        return path;
    free(path);
    return NULL;
}

bool bench_has_data(const bench_options *o, const char *name)
{
    char *path = bench_data(o, name);
    free(path);
    return path != NULL;
}

void bench_left_out(const bench_options *o, const char *what, const char *name)
{
    if (what)
        printf("%s: ", what);
    if (o->data)
        printf("left out, there is no %s/%s\n", o->data, name);
    else
        printf("left out, there is no folder of data with %s (--data DIR, or WEFT_DATA)\n", name);
}
