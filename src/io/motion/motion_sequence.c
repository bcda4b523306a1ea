/* SPDX-License-Identifier: MIT */
/* A mesh file a frame, as "name_####.obj": the '#' stand for a number of at least so many digits, anywhere in the
 * file's name. The first number may be any, from there on each must have its file; the time of a frame is its number
 * over fps. */
#define _POSIX_C_SOURCE 200809L
#include "base/array.h"
#include "io/file.h"
#include "io/heap.h"
#include "io/motion/motion.h"
#include "io/params.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "folder/head####tail" */
typedef struct pattern {
    const char *path;
    size_t n_folder; /* with its '/' */
    const char *head, *tail;
    size_t n_head, n_tail, n_marks;
} pattern;

typedef struct numbered {
    int32_t number;
    int digits;
} numbered;

typedef struct run {
    numbered *files;
    size_t n;
    int64_t room;
} run;

static weft_result read_pattern(const char *path, pattern *out, weft_error *e)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *last = strrchr(name, '#');
    if (!file_ending_is(path, "obj") && !file_ending_is(path, "ply"))
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: found the ending \"%s\", expected pc2, mdd, or name_####.obj", path,
                     file_ending(path));
    if (!last)
        return fault(e, WEFT_ERROR_ARGUMENT, "%s: found no #, expected a sequence as name_####.obj", path);
    const char *first = last;
    while (first > name && first[-1] == '#')
        first--;
    *out = (pattern){.path = path,
                     .n_folder = (size_t)(name - path),
                     .head = name,
                     .n_head = (size_t)(first - name),
                     .tail = last + 1,
                     .n_tail = strlen(last + 1),
                     .n_marks = (size_t)(last + 1 - first)};
    return WEFT_OK;
}

/* The number in a file's name, if it is of this pattern. */
static bool match_file_name(const pattern *p, const char *name, numbered *out)
{
    size_t n = strlen(name);
    if (n < p->n_head + p->n_tail || memcmp(name, p->head, p->n_head) != 0 ||
        memcmp(name + n - p->n_tail, p->tail, p->n_tail) != 0)
        return false;
    size_t n_digits = n - p->n_head - p->n_tail;
    if (n_digits < p->n_marks || n_digits > SEQUENCE_MOST_DIGITS)
        return false;
    *out = (numbered){0, (int)n_digits};
    for (size_t i = 0; i < n_digits; i++) {
        char c = name[p->n_head + i];
        if (c < '0' || c > '9')
            return false;
        out->number = out->number * 10 + (c - '0');
    }
    return true;
}

/* malloc'ed; NULL: out of memory. */
static char *numbered_path(const pattern *p, numbered file)
{
    size_t n = p->n_folder + p->n_head + SEQUENCE_MOST_DIGITS + p->n_tail + 3;
    char *path = heap_array(n, 1);
    if (path)
        snprintf(path, n, "%.*s%0*d%s", (int)(p->n_folder + p->n_head), p->path, file.digits, file.number, p->tail);
    return path;
}

static int by_number(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->digits > y->digits) - (x->digits < y->digits);
}

static bool list_folder_entries(const pattern *p, DIR *folder, run *out)
{
    errno = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        numbered file;
        if (match_file_name(p, entry->d_name, &file) && !ARRAY_PUSH(NULL, out->files, out->n, out->room, file))
            return false;
    }
    return true;
}

static weft_result list_folder(const pattern *p, run *out, weft_error *e)
{
    char *name = heap_array(p->n_folder + 2, 1);
    if (!name)
        return fault_memory(e);
    memcpy(name, p->n_folder ? p->path : ".", p->n_folder ? p->n_folder : 1);
    errno = 0;
    DIR *folder = opendir(name);
    weft_result r = folder ? WEFT_OK : fault_errno(e, name);
    if (folder) {
        r = list_folder_entries(p, folder, out) ? WEFT_OK : fault_memory(e);
        closedir(folder);
    }
    free(name);
    return r;
}

/* Number after number, each once. */
static weft_result check_run(const pattern *p, const run *found, weft_error *e)
{
    if (found->n == 0)
        return fault(e, WEFT_ERROR_FILE, "%s: found no file of this pattern, expected at least one", p->path);
    if (found->n > INT32_MAX)
        return fault(e, WEFT_ERROR_RANGE, "%s: found too many files", p->path);
    for (size_t i = 1; i < found->n; i++) {
        numbered last = found->files[i - 1], next = found->files[i];
        if (next.number == last.number + 1)
            continue;
        bool is_double = next.number == last.number;
        char *a = numbered_path(p, is_double ? last : (numbered){last.number + 1, last.digits}),
             *b = numbered_path(p, next);
        weft_result r;
        if (!a || !b)
            r = fault_memory(e);
        else if (is_double)
            r = fault(e, WEFT_ERROR_FILE, "%s: found number %d again in %s, expected one file a number", b, last.number,
                      a);
        else
            r = fault(e, WEFT_ERROR_FILE, "%s: missing; the sequence goes on with %s", a, b);
        free(a);
        free(b);
        return r;
    }
    return WEFT_OK;
}

static weft_result keep_run(weft_motion *m, const pattern *p, const run *found, double fps, weft_error *e)
{
    m->n_frames = (int32_t)found->n;
    m->files = heap_array(found->n, sizeof *m->files);
    m->times = heap_array(found->n, sizeof *m->times);
    bool done = m->files && m->times;
    for (size_t i = 0; i < found->n && done; i++) {
        m->files[i] = numbered_path(p, found->files[i]);
        m->times[i] = found->files[i].number / fps;
        done = m->files[i] != NULL;
    }
    return done ? WEFT_OK : fault_memory(e);
}

static weft_result load_frame_mesh(weft_motion *m, int32_t frame, weft_vec3 *out, weft_error *e)
{
    weft_mesh mesh;
    weft_result r = weft_mesh_read(m->files[frame], &mesh, e);
    if (r == WEFT_OK && mesh.n_nodes != m->n_points)
        r = fault(e, WEFT_ERROR_FORMAT, "%s: found %d vertices, expected %d as in %s", m->files[frame], mesh.n_nodes,
                  m->n_points, m->files[0]);
    if (r == WEFT_OK)
        memcpy(out, mesh.positions, (size_t)m->n_points * sizeof *out);
    weft_mesh_free(&mesh);
    return r;
}

static weft_result count_mesh_points(weft_motion *m, weft_error *e)
{
    weft_mesh mesh;
    weft_result r = weft_mesh_read(m->files[0], &mesh, e);
    if (r == WEFT_OK && mesh.n_nodes == 0)
        r = fault(e, WEFT_ERROR_FORMAT, "%s: found no vertices, expected at least 1", m->files[0]);
    m->n_points = mesh.n_nodes;
    weft_mesh_free(&mesh);
    return r;
}

weft_result motion_open_sequence(weft_motion *m, const char *path, double fps, weft_error *e)
{
    pattern p = {0};
    run found = {0};
    m->load = load_frame_mesh;
    weft_result r = read_pattern(path, &p, e);
    r = r < 0 ? r : list_folder(&p, &found, e);
    if (r == WEFT_OK && found.n > 0)
        qsort(found.files, found.n, sizeof *found.files, by_number);
    r = r < 0 ? r : check_run(&p, &found, e);
    r = r < 0 ? r : keep_run(m, &p, &found, fps, e);
    free(found.files);
    return r < 0 ? r : count_mesh_points(m, e);
}
