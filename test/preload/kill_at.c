/* SPDX-License-Identifier: MIT */
/* A blow at an exact moment. Loaded before a program (LD_PRELOAD), this counts the calls that change a disk, and at the
 * one that is named by the environment kills the program, or sends it a signal:
 *
 *     KILL_AT=12   the twelfth call
 *     KILL_HOW=    KILL   kill -9 just before it
 *                  TORN   only writes are counted; half of the bytes are written, then kill -9
 *                  FULL   only writes are counted; this one and all later ones find no room on the disk
 *                  TERM   SIGTERM just before it
 *                  TWICE  SIGTERM twice
 *
 * What lies between two of these calls leaves the same files behind, so to try each of them is to try every moment. The
 * C library's streams do not call write() in a way that can be seen here: fwrite stands for it, and is taken to be
 * written through before the next call, which holds for a program that flushes or closes at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))
/* The function that this file stands before. */
#define NEXT(name)                                                                                                     \
    static __typeof__(&name) next;                                                                                     \
    if (!next)                                                                                                         \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

typedef enum how { HOW_NOT, HOW_KILL, HOW_TORN, HOW_FULL, HOW_TERM, HOW_TWICE } how;

static int n_calls;

static how wanted_how(void)
{
    static const char *const names[] = {"", "KILL", "TORN", "FULL", "TERM", "TWICE"};
    const char *name = getenv("KILL_HOW");
    for (int i = 1; name && i <= HOW_TWICE; i++)
        if (strcmp(name, names[i]) == 0)
            return (how)i;
    return HOW_NOT;
}

static bool is_now(void)
{
    const char *at = getenv("KILL_AT");
    return ++n_calls == (at ? atoi(at) : -1);
}

static void die(const char *call, const char *name)
{
    dprintf(STDERR_FILENO, "kill_at: call %d, %s %s\n", n_calls, call, name);
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

/* Before a call. Signals go to this very thread: they have been taken when this returns. */
static void before(const char *call, const char *name)
{
    how h = wanted_how();
    if (h == HOW_NOT || h == HOW_TORN || h == HOW_FULL || !is_now())
        return;
    if (h == HOW_KILL)
        die(call, name);
    raise(SIGTERM);
    if (h == HOW_TWICE)
        raise(SIGTERM);
}

/* Before a write: true if it is to be the last one, and incomplete. */
static bool is_torn(void)
{
    return wanted_how() == HOW_TORN && is_now();
}

/* The same of a write that finds no room, as all after it. */
static bool is_full(void)
{
    static bool full;
    if (wanted_how() == HOW_FULL && is_now())
        full = true;
    errno = full ? ENOSPC : errno;
    return full;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int mode_of(int flags, va_list args)
{
    return flags & O_CREAT ? va_arg(args, int) : 0;
}

VISIBLE int open(const char *path, int flags, ...)
{
    NEXT(open);
    va_list args;
    va_start(args, flags);
    int mode = mode_of(flags, args);
    va_end(args);
    if (flags & (O_CREAT | O_TRUNC))
        before("open", path);
    return next(path, flags, mode);
}

VISIBLE int open64(const char *path, int flags, ...)
{
    NEXT(open64);
    va_list args;
    va_start(args, flags);
    int mode = mode_of(flags, args);
    va_end(args);
    if (flags & (O_CREAT | O_TRUNC))
        before("open", path);
    return next(path, flags, mode);
}

VISIBLE ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
    NEXT(pwrite);
    before("pwrite", "");
    if (is_full())
        return -1;
    if (!is_torn())
        return next(fd, bytes, n, offset);
    ssize_t put = next(fd, bytes, n / 2, offset);
    die("half of pwrite", "");
    return put;
}

VISIBLE ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t offset)
{
    return pwrite(fd, bytes, n, (off_t)offset);
}

VISIBLE int ftruncate(int fd, off_t size)
{
    NEXT(ftruncate);
    before("ftruncate", "");
    return next(fd, size);
}

VISIBLE int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, (off_t)size);
}

/* ---- streams ----------------------------------------------------------------------------------------------------- */

VISIBLE FILE *fopen(const char *path, const char *mode)
{
    NEXT(fopen);
    if (mode[0] != 'r')
        before("fopen", path);
    return next(path, mode);
}

VISIBLE FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

VISIBLE size_t fwrite(const void *bytes, size_t size, size_t n, FILE *stream)
{
    NEXT(fwrite);
    if (stream == stdout || stream == stderr)
        return next(bytes, size, n, stream);
    before("fwrite", "");
    if (is_full())
        return 0;
    if (!is_torn())
        return next(bytes, size, n, stream);
    size_t put = next(bytes, 1, size * n / 2, stream);
    fflush(stream);
    die("half of fwrite", "");
    return put;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

VISIBLE int rename(const char *from, const char *to)
{
    NEXT(rename);
    before("rename", to);
    return next(from, to);
}

VISIBLE int remove(const char *path)
{
    NEXT(remove);
    before("remove", path);
    return next(path);
}

VISIBLE int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir);
    before("mkdir", path);
    return next(path, mode);
}
