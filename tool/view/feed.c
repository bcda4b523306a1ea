/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "view/feed.h"

#include "disk.h"
#include "player/run_clip.h"
#include "player/subject_clip.h"
#include "run_folder.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct feed_source {
    const feed_def *def;
    char *path; /* of the run: that of garments sewn is in motion.weft */
    char *name;
    char about[256];
    page mesh; /* all packets of a mesh; empty: it is a run */
};

struct feed {
    const feed_source *source;
    size_t sent; /* of a mesh: 1 */
    run_view view;
    clip *c;
    run_clip *walk;
    int32_t next, stride, last; /* frame to come; every so many are sent; the last one that was sent, -1: none */
    off_t size;                 /* of the cache when it was opened */
    bool is_headed, is_live, is_ended;
};

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for the frames to be shown"};
    return WEFT_ERROR_MEMORY;
}

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static weft_result read_subject(const feed_def *d, subject *s, weft_error *error)
{
    weft_result r = WEFT_OK;
    for (int32_t i = -1; i < d->n_against && r >= 0; i++) {
        const char *path = i < 0 ? d->path : d->against[i];
        weft_mesh mesh;
        r = weft_mesh_read(path, &mesh, error);
        if (r >= 0)
            r = subject_add_mesh(s, name_in(path), i >= 0, &mesh, NULL, error);
        weft_mesh_free(&mesh);
    }
    return r;
}

static bool pack_mesh(const subject *s, const weft_audit_found *found, const char *name, page *out)
{
    subject_clip to = {.c = clip_new_stream(name, 24)};
    page frame = {0};
    /* The head names the parts, which come with the frame: so it is made behind it and sent before. */
    bool fine = to.c && subject_clip_add(&to, s, found, NULL, 0, 0) && clip_stream_frame(to.c, &frame) &&
                clip_stream_head(to.c, out);
    page_add_bytes(out, frame.bytes, frame.n);
    fine = fine && clip_stream_end(to.c, 1, out);
    page_free(&frame);
    clip_free(to.c);
    subject_clip_free(&to);
    return fine && !out->failed;
}

static weft_result open_mesh(feed_source *s, weft_error *error)
{
    subject what = {0};
    weft_audit_found found;
    weft_result r = read_subject(s->def, &what, error);
    r = r < 0 ? r : subject_judge(&what, 0, s->def->n_threads, &found, error);
    if (r >= 0 && !pack_mesh(&what, &found, s->name, &s->mesh))
        r = no_memory(error);
    if (r >= 0)
        snprintf(s->about, sizeof s->about, "%d triangles, %lld pairs intersect, in %d contour%s", what.n_triangles,
                 (long long)found.n_pairs, found.n_contours, found.n_contours == 1 ? "" : "s");
    subject_free(&what);
    return r;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Whether a weft writes there. Only looks: a lock of our own would make it wait. */
static bool is_going(const run_folder *f)
{
    int lock = open(f->lock_path, O_RDONLY | O_CLOEXEC);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool held = lock >= 0 && fcntl(lock, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    if (lock >= 0)
        close(lock);
    return held;
}

static off_t size_of(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? s.st_size : 0;
}

/* Bytes of a frame's points. */
static double frame_bytes(const run_view *v)
{
    double n = 0;
    weft_error ignored;
    const weft_topology *t;
    int32_t n_cloths = weft_cache_get_info(v->cache).n_cloths, last = weft_cache_get_info(v->cache).n_frames - 1;
    for (int32_t i = 0; i < n_cloths; i++)
        if (weft_cache_get_topology(v->cache, last, i, &t, &ignored) >= 0)
            n += t->n_nodes;
    for (int32_t i = 0; v->scene && i < v->scene->n_colliders; i++)
        n += v->scene->colliders[i].is_mesh ? v->scene->colliders[i].mesh.n_nodes : 0;
    return 24 * n;
}

/* Frames that there will be. */
static int32_t count_frames(const run_view *v)
{
    int32_t there = weft_cache_get_info(v->cache).n_frames;
    int32_t all = v->scene && is_going(&v->folder) ? v->scene->output.frames + 1 : 0;
    return all > there ? all : there;
}

static int32_t stride_of(const feed_def *d, const run_view *v)
{
    int32_t stride = 1;
    while (frame_bytes(v) * count_frames(v) / stride > d->budget && stride < 1 << 20)
        stride *= 2;
    return stride;
}

/* A folder of sewn garments has their motion, without the body. malloc'ed. */
static char *find_run(const char *path)
{
    char *run = disk_join(path, "cache.weft"), *motion = disk_join(path, "motion.weft");
    bool sewn = disk_is_folder(path) && !disk_exists(run) && disk_exists(motion);
    free(run);
    if (sewn)
        return motion;
    free(motion);
    return disk_copy(path);
}

static weft_result open_run(feed_source *s, weft_error *error)
{
    run_view v;
    weft_result r = run_view_open(s->path, &v, error);
    if (r < 0)
        return r;
    int32_t n = weft_cache_get_info(v.cache).n_frames, stride = stride_of(s->def, &v);
    if (v.scene && v.scene->name && v.scene->name[0]) {
        free(s->name);
        s->name = disk_copy(v.scene->name);
    }
    int end = snprintf(s->about, sizeof s->about, "%d frame%s%s", n, n == 1 ? "" : "s",
                       is_going(&v.folder) ? ", and more as the run goes on" : "");
    if (stride > 1)
        snprintf(s->about + end, sizeof s->about - (size_t)end,
                 "; one of %d is shown, to stay below %.0f MB "
                 "(--player-mb)",
                 stride, 1e-6 * s->def->budget);
    run_view_close(&v);
    return WEFT_OK;
}

static bool open_walk(feed *f, weft_error *error)
{
    const feed_source *s = f->source;
    if (run_view_open(s->path, &f->view, error) < 0)
        return false;
    f->size = size_of(f->view.folder.cache);
    f->stride = stride_of(s->def, &f->view);
    f->c = clip_new_stream(s->name, weft_cache_get_info(f->view.cache).fps);
    f->walk = f->c ? run_clip_open(f->c, f->view.cache, f->view.scene, s->def->n_threads) : NULL;
    return f->walk != NULL;
}

/* The cache as it is now. False: nothing new, or not this run's any more (then *lost). */
static bool look_again(feed *f, bool *lost)
{
    weft_error ignored;
    weft_cache *now;
    off_t size = size_of(f->view.folder.cache);
    if (size == f->size || weft_cache_open(f->view.folder.cache, &now, &ignored) < 0)
        return false;
    bool more = weft_cache_get_info(now).n_frames > weft_cache_get_info(f->view.cache).n_frames;
    *lost = !run_clip_move(f->walk, now, f->last);
    weft_cache_free(f->view.cache);
    f->view.cache = now;
    f->size = size;
    return more && !*lost;
}

static feed_state send_frame(feed *f, int32_t frame, page *out)
{
    int32_t before = clip_n_frames(f->c);
    if (!run_clip_frame(f->walk, frame))
        return FEED_LOST;
    f->last = frame;
    f->next = frame + f->stride;
    if (clip_n_frames(f->c) == before)
        return FEED_MORE; /* damaged */
    return clip_stream_frame(f->c, out) ? FEED_MORE : FEED_LOST;
}

static feed_state send_end(feed *f, int32_t n_frames, page *out)
{
    run_clip_end(f->walk);
    f->is_ended = true;
    return clip_stream_end(f->c, n_frames, out) ? FEED_MORE : FEED_LOST;
}

static feed_state next_of_run(feed *f, page *out)
{
    bool lost = false;
    if (!f->is_headed) {
        f->is_headed = true;
        return clip_stream_head(f->c, out) ? FEED_MORE : FEED_LOST;
    }
    int32_t n = weft_cache_get_info(f->view.cache).n_frames;
    if (f->next < n)
        return send_frame(f, f->next, out);
    if (f->is_ended)
        return FEED_END;
    bool going = is_going(&f->view.folder); /* before looking: what it writes last is seen */
    if (look_again(f, &lost))
        return FEED_MORE;
    if (lost)
        return FEED_LOST;
    if (going && f->is_live)
        return FEED_WAIT;
    if (going) {
        f->is_live = true;
        return clip_stream_wait(count_frames(&f->view), out) ? FEED_MORE : FEED_LOST;
    }
    if (f->last < n - 1)
        return send_frame(f, n - 1, out);
    return send_end(f, n, out);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

weft_result feed_source_open(const feed_def *def, feed_source **out, weft_error *error)
{
    feed_source *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return no_memory(error);
    s->def = def;
    s->name = disk_copy(name_in(def->path));
    s->path = find_run(def->path);
    bool run = disk_is_folder(def->path) || disk_ending_is(def->path, "weft") || !disk_exists(def->path);
    weft_result r = run ? open_run(s, error) : open_mesh(s, error);
    if (r < 0) {
        feed_source_close(s);
        *out = NULL;
    }
    return r;
}

void feed_source_close(feed_source *s)
{
    if (!s)
        return;
    page_free(&s->mesh);
    free(s->name);
    free(s->path);
    free(s);
}

const char *feed_source_name(const feed_source *s)
{
    return s->name;
}

const char *feed_source_about(const feed_source *s)
{
    return s->about;
}

feed *feed_open(const feed_source *s)
{
    weft_error ignored;
    feed *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    *f = (feed){.source = s, .last = -1, .stride = 1, .view.folder.lock = -1};
    if (s->mesh.n > 0 || open_walk(f, &ignored))
        return f;
    feed_close(f);
    return NULL;
}

void feed_close(feed *f)
{
    if (!f)
        return;
    run_clip_close(f->walk);
    clip_free(f->c);
    run_view_close(&f->view);
    free(f);
}

feed_state feed_next(feed *f, page *out)
{
    const page *mesh = &f->source->mesh;
    if (mesh->n == 0)
        return next_of_run(f, out);
    if (f->sent++ > 0)
        return FEED_END;
    page_add_bytes(out, mesh->bytes, mesh->n);
    return out->failed ? FEED_LOST : FEED_MORE;
}
