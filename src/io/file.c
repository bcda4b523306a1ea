/* SPDX-License-Identifier: MIT */
/* Files are read in growing pieces, as pipes do not tell their size. What is written goes to a file beside and is
 * renamed at the end. */
#define _POSIX_C_SOURCE 200809L
#include "io/file.h"

#include "base/array.h"
#include "io/heap.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_whole_file(FILE *f, char **bytes, size_t *size)
{
    size_t n = 0;
    int64_t room = 0;
    *bytes = NULL;
    for (;;) {
        if (!ARRAY_RESERVE(NULL, *bytes, room, n + 65536)) {
            errno = ENOMEM;
            return false;
        }
        size_t got = fread(*bytes + n, 1, (size_t)room - n - 1, f);
        n += got;
        if (got == 0)
            break;
    }
    (*bytes)[n] = '\0';
    *size = n;
    return !ferror(f);
}

weft_result file_read(const char *path, char **bytes, size_t *size, weft_error *e)
{
    *bytes = NULL;
    *size = 0;
    errno = 0;
    FILE *f = fopen(path, "rb");
    if (!f)
        return fault_errno(e, path);
    bool done = read_whole_file(f, bytes, size);
    int why = errno;
    fclose(f);
    if (done)
        return WEFT_OK;
    free(*bytes);
    *bytes = NULL;
    errno = why;
    return why == ENOMEM ? fault_memory(e) : fault_errno(e, path);
}

weft_result file_begin(file_writer *w, const char *path, bool force, weft_error *e)
{
    *w = (file_writer){0};
    struct stat info;
    if (!force && stat(path, &info) == 0)
        return fault(e, WEFT_ERROR_EXISTS, "%s: exists already, and is overwritten only with --force", path);
    size_t n = strlen(path);
    w->path = heap_array(n + 1, 1);
    w->beside = heap_array(n + 16, 1);
    if (!w->path || !w->beside) {
        file_abandon(w);
        return fault_memory(e);
    }
    memcpy(w->path, path, n + 1);
    snprintf(w->beside, n + 16, "%s.part", path);
    errno = 0;
    w->file = fopen(w->beside, "wb");
    if (w->file)
        return WEFT_OK;
    weft_result r = fault_errno(e, path);
    free(w->beside);
    w->beside = NULL;
    file_abandon(w);
    return r;
}

void file_abandon(file_writer *w)
{
    if (w->file)
        fclose(w->file);
    if (w->beside)
        remove(w->beside);
    free(w->path);
    free(w->beside);
    *w = (file_writer){0};
}

weft_result file_commit(file_writer *w, weft_error *e)
{
    errno = 0;
    bool done = !ferror(w->file) && fflush(w->file) == 0;
    done = fclose(w->file) == 0 && done;
    w->file = NULL;
    if (!done && errno == 0)
        errno = ENOSPC; /* an earlier write failed, and its reason is gone: it is nearly always this one */
    done = done && rename(w->beside, w->path) == 0;
    weft_result r = done ? WEFT_OK : fault_errno(e, w->path);
    if (done) {
        free(w->beside);
        w->beside = NULL;
    }
    file_abandon(w);
    return r;
}

weft_result file_write(const char *path, const void *bytes, size_t size, bool force, weft_error *e)
{
    file_writer w;
    weft_result r = file_begin(&w, path, force, e);
    if (r < 0)
        return r;
    fwrite(bytes, 1, size, w.file);
    return file_commit(&w, e);
}

const char *file_ending(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

bool file_ending_is(const char *path, const char *ending)
{
    const char *a = file_ending(path);
    while (*a && *ending && tolower((unsigned char)*a) == tolower((unsigned char)*ending)) {
        a++;
        ending++;
    }
    return !*a && !*ending;
}

static char *join_path(const char *folder, size_t n_folder, const char *path)
{
    if (path[0] == '/')
        n_folder = 0;
    size_t n = strlen(path);
    char *out = heap_array(n_folder + n + 1, 1);
    if (!out)
        return NULL;
    memcpy(out, folder, n_folder);
    memcpy(out + n_folder, path, n + 1);
    return out;
}

char *file_beside(const char *other, const char *path)
{
    const char *slash = strrchr(other, '/');
    return join_path(other, slash ? (size_t)(slash - other) + 1 : 0, path);
}

char *file_inside(const char *folder, const char *path)
{
    size_t n = strlen(folder);
    bool needs_slash = n > 0 && folder[n - 1] != '/';
    char *with = heap_array(n + 2, 1);
    if (!with)
        return NULL;
    memcpy(with, folder, n);
    if (needs_slash)
        with[n++] = '/';
    char *out = join_path(with, n, path);
    free(with);
    return out;
}
