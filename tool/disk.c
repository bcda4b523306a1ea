/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "disk.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool disk_exists(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0;
}

bool disk_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool disk_is_same(const char *a, const char *b)
{
    struct stat s, t;
    return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

static char *keep(char *text)
{
    if (!text) {
        fputs("weft: out of memory\n", stderr);
        exit(2);
    }
    return text;
}

char *disk_copy(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(keep(malloc(n)), text, n);
}

char *disk_join(const char *folder, const char *name)
{
    size_t n = strlen(folder), m = strlen(name);
    bool slash = n > 0 && folder[n - 1] != '/';
    char *path = keep(malloc(n + m + 2));
    snprintf(path, n + m + 2, "%s%s%s", folder, slash ? "/" : "", name);
    return path;
}

char *disk_part(const char *path)
{
    size_t room = strlen(path) + 8;
    char *part = keep(malloc(room));
    snprintf(part, room, "%s.part", path);
    return part;
}

const char *disk_ending(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

bool disk_ending_is(const char *path, const char *ending)
{
    const char *a = disk_ending(path);
    while (*a && *ending && tolower((unsigned char)*a) == tolower((unsigned char)*ending))
        a++, ending++;
    return !*a && !*ending;
}

weft_result disk_fault(const char *path, weft_error *error)
{
    int reason = errno;
    *error = (weft_error){.code = WEFT_ERROR_FILE, .element = -1};
    snprintf(error->text, sizeof error->text, "%.400s: %s", path, strerror(reason));
    return WEFT_ERROR_FILE;
}

weft_result disk_make_folder(const char *path, weft_error *error)
{
    char *part = disk_copy(path);
    size_t n = strlen(part);
    bool made = true;
    for (size_t i = 1; i <= n && made; i++) {
        char end = part[i];
        if (end != '/' && end != '\0')
            continue;
        part[i] = '\0';
        made = disk_is_folder(part) || mkdir(part, 0777) == 0 || (errno == EEXIST && disk_is_folder(part));
        part[i] = end;
    }
    free(part);
    if (made && n > 0)
        return WEFT_OK;
    errno = n == 0 ? ENOENT : errno == EEXIST ? ENOTDIR : errno; /* a file is in the way */
    return disk_fault(path, error);
}

weft_result disk_make_parent(const char *path, weft_error *error)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return WEFT_OK;
    char *folder = disk_copy(path);
    folder[slash - path] = '\0';
    weft_result r = disk_make_folder(folder, error);
    free(folder);
    return r;
}

static bool write_all(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return false;
    bool written = fwrite(bytes, 1, n, f) == n && fflush(f) == 0;
    int reason = errno;
    bool closed = fclose(f) == 0;
    if (!written)
        errno = reason;
    return written && closed;
}

weft_result disk_write(const char *path, const void *bytes, size_t n, bool force, weft_error *error)
{
    if (!force && disk_exists(path)) {
        *error = (weft_error){.code = WEFT_ERROR_EXISTS, .element = -1};
        snprintf(error->text, sizeof error->text, "%.400s exists already", path);
        return WEFT_ERROR_EXISTS;
    }
    char *beside = disk_part(path);
    weft_result r = WEFT_OK;
    if (!write_all(beside, bytes, n) || rename(beside, path) != 0) {
        r = disk_fault(path, error);
        remove(beside);
    }
    free(beside);
    return r;
}

weft_result disk_read(const char *path, page *out, weft_error *error)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return disk_fault(path, error);
    char part[65536];
    size_t n;
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        page_add_bytes(out, part, n);
    weft_result r = ferror(f) ? disk_fault(path, error) : WEFT_OK;
    fclose(f);
    errno = ENOMEM;
    return out->failed ? disk_fault(path, error) : r;
}

/* Whoever gives a lock back removes its file: one that was opened before is held by nobody, and keeps nobody out. */
static bool is_file_at(const char *path, int file)
{
    struct stat s, t;
    return stat(path, &s) == 0 && fstat(file, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

int disk_lock(const char *path, long *holder)
{
    *holder = 0;
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (lock < 0)
        return lock;
    if (fcntl(lock, F_SETLK, &whole) == 0) {
        if (is_file_at(path, lock))
            return lock;
        close(lock);
        return disk_lock(path, holder);
    }
    if (fcntl(lock, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK)
        *holder = (long)whole.l_pid;
    close(lock);
    return -1;
}

void disk_unlock(const char *path, int lock)
{
    if (lock < 0)
        return;
    remove(path);
    close(lock);
}
