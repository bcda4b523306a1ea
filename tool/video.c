/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "video.h"

#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct video {
    FILE *pipe;
    pid_t child;
    char *path, *beside;
};

static weft_result wrong(weft_error *error, weft_result code, const char *text, const char *path)
{
    *error = (weft_error){.code = code, .element = -1};
    snprintf(error->text, sizeof error->text, "%.400s: %s", path, text);
    return code;
}

bool video_is_possible(void)
{
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t n = strcspn(path, ":");
        char *folder = disk_copy(path);
        folder[n] = '\0';
        char *program = disk_join(folder, "ffmpeg");
        found = access(program, X_OK) == 0;
        free(program);
        free(folder);
        path += n + (path[n] == ':');
    }
    return found;
}

/* Starts ffmpeg with its stdin at the end of a pipe, our end of which is returned. Returns 0, or an errno. */
static int start(video *v, char *const *words, int *write_end)
{
    int ends[2];
    if (pipe(ends) != 0)
        return errno;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&v->child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (failed)
        close(ends[1]);
    *write_end = ends[1];
    return failed;
}

static void free_video(video *v)
{
    free(v->path);
    free(v->beside);
    free(v);
}

weft_result video_open(const char *path, int32_t width, int32_t height, double fps, video **out, weft_error *error)
{
    *out = NULL;
    video *v = calloc(1, sizeof *v);
    if (!v)
        return wrong(error, WEFT_ERROR_MEMORY, "out of memory", path);
    v->path = disk_copy(path);
    v->beside = disk_part(path);
    char size[40], rate[40];
    snprintf(size, sizeof size, "%dx%d", picture_even(width), picture_even(height));
    snprintf(rate, sizeof rate, "%.10g", fps);
    char *words[] = {"ffmpeg",   "-nostdin",  "-loglevel",  "error",   "-y",   "-f",      "rawvideo",
                     "-pix_fmt", "rgb24",     "-s",         size,      "-r",   rate,      "-i",
                     "pipe:0",   "-an",       "-c:v",       "libx264", "-crf", "18",      "-pix_fmt",
                     "yuv420p",  "-movflags", "+faststart", "-f",      "mp4",  v->beside, NULL};
    /* -nostdin is about keys only; the pictures come by pipe:0. */
    int end = -1, failed = start(v, words, &end);
    if (!failed && !(v->pipe = fdopen(end, "wb")))
        failed = errno;
    if (!failed) {
        signal(SIGPIPE, SIG_IGN);
        *out = v;
        return WEFT_OK;
    }
    free_video(v);
    if (failed == ENOENT)
        return wrong(error, WEFT_ERROR_NOT_FOUND, "a video needs ffmpeg, which is not installed", path);
    return wrong(error, WEFT_ERROR_FILE, strerror(failed), path);
}

weft_result video_add(video *v, const picture_bytes *bytes, weft_error *error)
{
    const char *text = picture_write_raw(bytes, v->pipe);
    return text ? wrong(error, WEFT_ERROR_FILE, "ffmpeg takes no more pictures", v->path) : WEFT_OK;
}

weft_result video_close(video *v, bool keep, weft_error *error)
{
    if (!v)
        return WEFT_OK;
    if (!keep)
        kill(v->child, SIGTERM);
    fclose(v->pipe);
    int status = 0;
    while (waitpid(v->child, &status, 0) < 0 && errno == EINTR)
        continue;
    weft_result r = WEFT_OK;
    if (!keep || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        remove(v->beside);
        r = keep ? wrong(error, WEFT_ERROR_FILE, "ffmpeg could not make the video", v->path) : WEFT_OK;
    } else if (rename(v->beside, v->path) != 0)
        r = disk_fault(v->path, error);
    free_video(v);
    return r;
}
