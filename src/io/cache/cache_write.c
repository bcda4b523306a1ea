/* SPDX-License-Identifier: MIT */
/* Writing a cache. A chunk is put together in memory and written with one call, and is complete once that returns: what
 * the system has taken stays, even if the program is killed. If a write fails the file is cut back to where it was. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "io/cache/cache_contacts.h"
#include "io/cache/cache_head.h"
#include "io/cache/cache_positions.h"
#include "io/cache/cache_topology.h"
#include "io/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is known of a cloth: the size and the sum of its topology. */
typedef struct cloth_state {
    bool has_topology;
    int32_t n_nodes;
    uint64_t sum;
} cloth_state;

struct weft_cache_writer {
    cache_file file;
    char *path;
    int32_t n_cloths, n_columns;
    cloth_state *cloths;
    cache_chunks chunks;
    cache_packer packer;
    text out; /* the chunk that is put together */
    bool failed;
};

static void writer_free(weft_cache_writer *w)
{
    if (!w)
        return;
    if (w->file.fd >= 0)
        close(w->file.fd);
    cache_chunks_free(&w->chunks);
    cache_packer_free(&w->packer);
    text_free(&w->out);
    free(w->cloths);
    free(w->path);
    free(w);
}

static weft_result writer_make(const char *path, const weft_cache_def *def, weft_cache_writer **out, weft_error *e)
{
    weft_cache_writer *w = heap_array(1, sizeof *w);
    if (!w)
        return fault_memory(e);
    w->file.fd = -1;
    w->n_cloths = def->n_cloths;
    w->n_columns = def->n_columns;
    w->packer.level = def->level;
    w->path = strdup(path);
    w->file.path = w->path;
    w->cloths = heap_array((size_t)def->n_cloths, sizeof *w->cloths);
    if (!w->path || !w->cloths) {
        writer_free(w);
        return fault_memory(e);
    }
    *out = w;
    return WEFT_OK;
}

/* ---- chunks ----------------------------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *bytes, size_t n, uint64_t offset)
{
    while (n > 0) {
        errno = 0;
        ssize_t put = pwrite(fd, bytes, n, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            errno = errno ? errno : ENOSPC;
            return false;
        }
        bytes += put;
        offset += (uint64_t)put;
        n -= (size_t)put;
    }
    return true;
}

/* Writes w->out behind the last chunk. */
static weft_result write_out(weft_cache_writer *w, weft_error *e)
{
    if (write_all(w->file.fd, w->out.bytes, w->out.n, w->chunks.end))
        return WEFT_OK;
    weft_result r = fault(e, WEFT_ERROR_FILE, "%s: %s; the %u frames before are safe", w->path, strerror(errno),
                          (unsigned)w->chunks.n_frames);
    w->failed = true;
    /* Should this fail, too, readers see by the sums where the file ends. */
    if (ftruncate(w->file.fd, (off_t)w->chunks.end) != 0)
        return r;
    return r;
}

static void begin_chunk(weft_cache_writer *w)
{
    w->out.n = 0;
    w->out.failed = false;
    cache_put_space(&w->out, CACHE_CHUNK_HEAD_SIZE);
}

static weft_result end_chunk(weft_cache_writer *w, cache_kind kind, uint32_t number, uint32_t cloth, weft_error *e)
{
    cache_chunk c = {.kind = kind, .number = number, .cloth = cloth};
    cache_seal_chunk(&w->out, &c);
    if (w->out.failed)
        return fault_memory(e);
    weft_result r = write_out(w, e);
    if (r >= 0 && !cache_chunks_add(&w->chunks, &c)) {
        w->failed = true; /* it is in the file, but the list here no longer says what is */
        r = fault_memory(e);
    }
    return r;
}

static weft_result check_writer(const weft_cache_writer *w, const void *thing, weft_error *e)
{
    if (!w || !thing)
        return fault(e, WEFT_ERROR_ARGUMENT, "a cache needs a writer and something to write");
    if (w->failed)
        return fault(e, WEFT_ERROR_FILE, "%s: writing failed before, nothing more is written", w->path);
    return WEFT_OK;
}

static weft_result add_scene(weft_cache_writer *w, const char *scene, weft_error *e)
{
    begin_chunk(w);
    cache_put_scene(&w->packer, &w->out, scene);
    return end_chunk(w, CACHE_SCENE, (uint32_t)w->chunks.n_frames, 0, e);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* One writer a file. File systems that know no locks do without. */
static weft_result lock_cache(const weft_cache_writer *w, weft_error *e)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(w->file.fd, F_SETLK, &all) != 0 && (errno == EACCES || errno == EAGAIN))
        return fault(e, WEFT_ERROR_FILE, "%s: another program is writing it", w->path);
    return WEFT_OK;
}

static weft_result write_start(weft_cache_writer *w, const weft_cache_def *def, weft_error *e)
{
    w->out.n = 0;
    cache_put_signature(&w->out);
    if (w->out.failed)
        return fault_memory(e);
    weft_result r = write_out(w, e);
    w->chunks.end = CACHE_SIGNATURE_SIZE;
    if (r < 0)
        return r;
    begin_chunk(w);
    cache_put_head(&w->out, def);
    r = end_chunk(w, CACHE_HEAD, 0, 0, e);
    return r < 0 ? r : add_scene(w, def->scene, e);
}

/* Under another name first: a file of the right name is never without its head. */
static weft_result create_beside(weft_cache_writer *w, const weft_cache_def *def, const char *beside, weft_error *e)
{
    errno = 0;
    w->file.fd = open(beside, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (w->file.fd < 0)
        return fault_errno(e, w->path);
    weft_result r = lock_cache(w, e);
    if (r < 0)
        return r;
    r = ftruncate(w->file.fd, 0) == 0 ? write_start(w, def, e) : fault_errno(e, w->path);
    if (r >= 0 && rename(beside, w->path) != 0)
        r = fault_errno(e, w->path);
    if (r < 0)
        remove(beside);
    return r;
}

weft_result weft_cache_create(const char *path, const weft_cache_def *def, weft_cache_writer **out, weft_error *e)
{
    if (!path || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_cache_create needs a path and a place for the writer");
    weft_result r = cache_def_check(def, e);
    if (r < 0)
        return r;
    struct stat info;
    if (stat(path, &info) == 0)
        return fault(e, WEFT_ERROR_EXISTS, "%s: exists already", path);
    weft_cache_writer *w = NULL;
    r = writer_make(path, def, &w, e);
    if (r < 0)
        return r;
    text beside = {0};
    text_add(&beside, "%s.part", path);
    r = beside.failed ? fault_memory(e) : create_beside(w, def, beside.bytes, e);
    text_free(&beside);
    if (r < 0)
        writer_free(w);
    else
        *out = w;
    return r;
}

/* What the topologies of all cloths are after the frames that stay. */
static weft_result recall_topologies(weft_cache_writer *w, weft_error *e)
{
    for (int32_t i = 0; i < w->n_cloths; i++) {
        size_t which;
        if (!cache_chunks_topology(&w->chunks, (int32_t)w->chunks.n_frames, i, &which))
            continue;
        const cache_chunk *c = &w->chunks.items[w->chunks.topologies[which]];
        weft_result r = cache_chunk_read(&w->file, c, "a topology", &w->out, e);
        if (r < 0)
            return r;
        cache_in in = {(const uint8_t *)w->out.bytes, w->out.n, false};
        weft_topology t;
        cache_unpacked u = cache_take_topology(&w->packer, &in, &t);
        cloth_state *s = &w->cloths[i];
        s->has_topology = u == CACHE_UNPACKED && cache_topology_sum(&t, &s->sum);
        s->n_nodes = t.n_nodes;
        cache_topology_free(&t);
        if (u == CACHE_UNPACK_WRONG)
            return fault(e, WEFT_ERROR_FORMAT, "%s: a topology of cloth %d makes no sense", w->path, (int)i);
        if (!s->has_topology)
            return fault_memory(e);
    }
    return WEFT_OK;
}

static weft_result match_head(weft_cache_writer *w, const weft_cache_def *def, weft_error *e)
{
    cache_head head;
    weft_result r = cache_head_read(&head, &w->file, &w->chunks.items[0], e);
    if (r < 0)
        return r;
    r = cache_head_match(&head, def, w->path, e);
    cache_head_free(&head);
    return r;
}

/* Reads all that going on needs, and changes nothing. *has_scene: the last scene that stays is that of def. */
static weft_result reopen_check(weft_cache_writer *w, const weft_cache_def *def, int32_t frame, bool *has_scene,
                                weft_error *e)
{
    weft_result r = cache_chunks_find(&w->chunks, &w->file, e);
    if (r >= 0)
        r = match_head(w, def, e);
    if (r < 0)
        return r;
    if (frame < -1 || frame >= (int64_t)w->chunks.n_frames)
        return fault(e, WEFT_ERROR_RANGE, "%s: cannot go on after frame %d: it has %u frames", w->path, (int)frame,
                     (unsigned)w->chunks.n_frames);
    cache_chunks_cut(&w->chunks, frame);
    if (frame >= 0)
        r = cache_chunk_read(&w->file, &w->chunks.items[w->chunks.frames[frame]], "the frame to go on from", &w->out,
                             e);
    if (r >= 0)
        r = recall_topologies(w, e);
    if (r < 0)
        return r;
    char *scene;
    r = cache_scene_read(&w->packer, &w->file, &w->chunks.items[w->chunks.scene], &scene, e);
    *has_scene = r >= 0 && strcmp(scene, def->scene ? def->scene : "") == 0;
    free(scene);
    return r;
}

static weft_result writer_reopen(weft_cache_writer *w, const weft_cache_def *def, int32_t frame, weft_error *e)
{
    weft_result r = cache_file_open(&w->file, w->path, true, e);
    if (r >= 0)
        r = lock_cache(w, e);
    bool has_scene = false;
    if (r >= 0)
        r = reopen_check(w, def, frame, &has_scene, e);
    if (r < 0)
        return r;
    errno = 0;
    if (ftruncate(w->file.fd, (off_t)w->chunks.end) != 0)
        return fault_errno(e, w->path);
    return has_scene ? WEFT_OK : add_scene(w, def->scene, e);
}

weft_result weft_cache_reopen(const char *path, const weft_cache_def *def, int32_t frame, weft_cache_writer **out,
                              weft_error *e)
{
    if (!path || !out)
        return fault(e, WEFT_ERROR_ARGUMENT, "weft_cache_reopen needs a path and a place for the writer");
    weft_result r = cache_def_check(def, e);
    if (r < 0)
        return r;
    weft_cache_writer *w = NULL;
    r = writer_make(path, def, &w, e);
    if (r < 0)
        return r;
    r = writer_reopen(w, def, frame, e);
    if (r < 0)
        writer_free(w);
    else
        *out = w;
    return r;
}

/* ---- adding ----------------------------------------------------------------------------------------------------- */

weft_result weft_cache_add_topology(weft_cache_writer *w, const weft_topology *t, weft_error *e)
{
    weft_result r = check_writer(w, t, e);
    if (r < 0)
        return r;
    if (t->cloth < 0 || t->cloth >= w->n_cloths)
        return fault(e, WEFT_ERROR_INDEX, "%s: a topology of cloth %d, there are %d", w->path, (int)t->cloth,
                     (int)w->n_cloths);
    const char *wrong = cache_topology_wrong(t);
    if (wrong)
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: the topology of cloth %d %s", w->path, (int)t->cloth, wrong);
    uint64_t sum;
    if (!cache_topology_sum(t, &sum))
        return fault_memory(e);
    cloth_state *s = &w->cloths[t->cloth];
    if (s->has_topology && s->sum == sum)
        return WEFT_OK;
    begin_chunk(w);
    cache_put_topology(&w->packer, &w->out, t);
    r = end_chunk(w, CACHE_TOPOLOGY, (uint32_t)w->chunks.n_frames, (uint32_t)t->cloth, e);
    if (r >= 0)
        *s = (cloth_state){true, t->n_nodes, sum};
    return r;
}

static weft_result check_frame(const weft_cache_writer *w, const weft_cache_frame *f, weft_error *e)
{
    if ((w->n_columns > 0 && !f->columns) || (w->n_cloths > 0 && !f->positions))
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: a frame without columns or positions", w->path);
    for (int32_t i = 0; i < w->n_cloths; i++) {
        if (!w->cloths[i].has_topology)
            return fault(e, WEFT_ERROR_ARGUMENT, "%s: a frame before cloth %d has a topology", w->path, (int)i);
        if (w->cloths[i].n_nodes > 0 && !f->positions[i])
            return fault(e, WEFT_ERROR_ARGUMENT, "%s: a frame without positions of cloth %d", w->path, (int)i);
    }
    if (w->chunks.n_frames >= INT32_MAX)
        return fault(e, WEFT_ERROR_RANGE, "%s: has as many frames as there can be", w->path);
    return WEFT_OK;
}

/* Room for the size of a part of a frame, so that readers can jump over it. */
static size_t begin_part(weft_cache_writer *w)
{
    size_t start = w->out.n;
    cache_put_u64(&w->out, 0);
    return start;
}

static void end_part(weft_cache_writer *w, size_t start)
{
    size_t end = w->out.n;
    w->out.n = start;
    cache_put_u64(&w->out, end - start - 8);
    w->out.n = end;
}

weft_result weft_cache_add_frame(weft_cache_writer *w, const weft_cache_frame *f, weft_error *e)
{
    weft_result r = check_writer(w, f, e);
    if (r >= 0)
        r = check_frame(w, f, e);
    if (r < 0)
        return r;
    begin_chunk(w);
    cache_put_f64(&w->out, f->time);
    cache_put_u64(&w->out, f->hash);
    for (int32_t i = 0; i < w->n_columns; i++)
        cache_put_f64(&w->out, f->columns[i]);
    for (int32_t i = 0; i < w->n_cloths; i++) {
        size_t start = begin_part(w);
        cache_put_positions(&w->packer, &w->out, f->positions[i], (size_t)w->cloths[i].n_nodes);
        end_part(w, start);
    }
    for (int32_t i = 0; f->contacts && i < w->n_cloths; i++) {
        size_t start = begin_part(w);
        cache_put_contacts(&w->packer, &w->out, &f->contacts[i], (size_t)w->cloths[i].n_nodes);
        end_part(w, start);
    }
    return end_chunk(w, CACHE_FRAME, (uint32_t)w->chunks.n_frames, 0, e);
}

weft_result weft_cache_add_restart(weft_cache_writer *w, const void *bytes, size_t size, weft_error *e)
{
    weft_result r = check_writer(w, bytes, e);
    if (r < 0)
        return r;
    if (w->chunks.n_frames == 0)
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: a restart point before the first frame", w->path);
    size_t n = size / 8;
    if (!cache_packer_words(&w->packer, n + 1))
        return fault_memory(e);
    for (size_t i = 0; i < n; i++)
        w->packer.words[i] = cache_load_u64((const uint8_t *)bytes + 8 * i);
    begin_chunk(w);
    cache_put_u64(&w->out, size);
    cache_pack_words(&w->packer, &w->out, n, 0);
    text_add_bytes(&w->out, (const uint8_t *)bytes + 8 * n, size - 8 * n);
    return end_chunk(w, CACHE_RESTART, (uint32_t)w->chunks.n_frames - 1, 0, e);
}

static weft_result write_index(weft_cache_writer *w, weft_error *e)
{
    cache_put_index(&w->out, &w->chunks);
    return w->out.failed ? fault_memory(e) : write_out(w, e);
}

weft_result weft_cache_close(weft_cache_writer *w, weft_error *e)
{
    if (!w)
        return WEFT_OK;
    weft_result r = w->failed ? WEFT_OK : write_index(w, e);
    errno = 0;
    if (close(w->file.fd) != 0 && r >= 0)
        r = fault_errno(e, w->path);
    w->file.fd = -1;
    writer_free(w);
    return r;
}
