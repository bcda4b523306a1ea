/* SPDX-License-Identifier: MIT */
/* Feeds every file of the folders given to a fuzz target: what once broke a reader must not break it again, in any
 * build, also where there is no libFuzzer. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int feed(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    /* As long as the file and no longer, so that a reader that looks beyond its input is caught. */
    long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    uint8_t *bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
    rewind(f);
    int fed = bytes && fread(bytes + 1, 1, (size_t)size, f) == (size_t)size;
    fclose(f);
    if (fed)
        LLVMFuzzerTestOneInput(bytes + 1, (size_t)size);
    free(bytes);
    return fed;
}

int main(int argc, char **argv)
{
    int n = 0;
    for (int i = 1; i < argc; i++) {
        DIR *d = opendir(argv[i]);
        for (struct dirent *entry = d ? readdir(d) : NULL; entry; entry = readdir(d))
            if (entry->d_name[0] != '.')
                n += feed(argv[i], entry->d_name);
        if (d)
            closedir(d);
    }
    printf("%d inputs\n", n);
    return n > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
