/* SPDX-License-Identifier: MIT */
/* Caches of runs: read, and written, without the GIL. A cache or a writer is for one thread at a time: others wait. */
#include "python_weft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_cache(void *cache)
{
    weft_cache_free(cache);
}

static shared *cache_from(PyObject *capsule)
{
    return shared_from(capsule, "cache");
}

static PyObject *cache_open(PyObject *module, PyObject *args)
{
    const char *path;
    weft_cache *cache = NULL;
    weft_error e;
    weft_result r;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &path))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    r = weft_cache_open(path, &cache, &e);
    Py_END_ALLOW_THREADS
    return r < 0 ? raise_weft(&e) : shared_new(cache, "cache", free_cache);
}

static PyObject *names_of(const weft_cache *c, int32_t n, const char *(*name)(const weft_cache *, int32_t))
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < n; i++) {
        PyObject *t = PyUnicode_FromString(name(c, i) ? name(c, i) : "");
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *cache_info(PyObject *module, PyObject *capsule)
{
    shared *s = cache_from(capsule);
    (void)module;
    if (!s)
        return NULL;
    const weft_cache *c = s->thing;
    weft_cache_info i = weft_cache_get_info(c);
    PyObject *cloths = names_of(c, i.n_cloths, weft_cache_cloth_name);
    PyObject *columns = names_of(c, i.n_columns, weft_cache_column_name), *out = NULL;
    if (cloths && columns)
        out = Py_BuildValue("{sd si si sO sO sO sO sK ss}", "fps", i.fps, "n_frames", i.n_frames, "n_restarts",
                            i.n_restarts, "was_closed", i.was_closed ? Py_True : Py_False, "torn",
                            i.torn ? Py_True : Py_False, "cloths", cloths, "columns", columns, "size",
                            (unsigned long long)i.size, "scene", i.scene);
    Py_XDECREF(cloths);
    Py_XDECREF(columns);
    return out;
}

static PyObject *topology_dict(const weft_topology *t)
{
    PyObject *d = PyDict_New();
    int32_t n_corners = t->face_start ? t->face_start[t->n_faces] : 0;
    if (dict_put(d, "n_nodes", PyLong_FromLong(t->n_nodes)) &&
        dict_put(d, "revision", PyLong_FromUnsignedLong(t->revision)) &&
        dict_put(d, "triangles", bytes_of(t->triangles, t->n_triangles, 3 * sizeof *t->triangles)) &&
        dict_put(d, "rest_lengths", bytes_or_none(t->rest_lengths, t->n_triangles, 3 * sizeof *t->rest_lengths)) &&
        dict_put(d, "levels", bytes_or_none(t->levels, t->n_triangles, 1)) &&
        dict_put(d, "shape", bytes_or_none(t->shape, (int64_t)t->shape_size, 1)) &&
        dict_put(d, "face_start", bytes_or_none(t->face_start, t->n_faces + 1, sizeof *t->face_start)) &&
        dict_put(d, "corners", bytes_or_none(t->corners, n_corners, sizeof *t->corners)) &&
        dict_put(d, "uv", bytes_or_none(t->uv, t->n_uv, sizeof *t->uv)) &&
        dict_put(d, "corner_uv", bytes_or_none(t->corner_uv, n_corners, sizeof *t->corner_uv)))
        return d;
    Py_XDECREF(d);
    return NULL;
}

/* It stays as long as the cache. */
static weft_result get_topology(shared *s, int frame, int cloth, const weft_topology **t, weft_error *e)
{
    PyThreadState *saved = shared_begin(s);
    weft_result r = weft_cache_get_topology(s->thing, frame, cloth, t, e);
    shared_end(s, saved);
    return r;
}

static PyObject *cache_topology(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int frame, cloth;
    const weft_topology *t;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oii", &capsule, &frame, &cloth))
        return NULL;
    shared *s = cache_from(capsule);
    if (!s)
        return NULL;
    return get_topology(s, frame, cloth, &t, &e) < 0 ? raise_weft(&e) : topology_dict(t);
}

/* Into rows of doubles or floats at any stride. */
static weft_result read_positions(weft_cache *c, int frame, int cloth, const array_out *a, weft_error *e)
{
    if (!a->is_float && a->stride == sizeof(weft_vec3))
        return weft_cache_read_positions(c, frame, cloth, a->items, a->n, e);
    weft_vec3 *x = malloc((size_t)a->n * sizeof *x + 1);
    weft_result r = x ? weft_cache_read_positions(c, frame, cloth, x, a->n, e) : WEFT_ERROR_MEMORY;
    if (!x)
        *e = (weft_error){.code = r, .element = -1, .text = "out of memory"};
    for (int32_t i = 0; r >= 0 && i < a->n; i++) {
        char *row = (char *)a->items + (size_t)i * a->stride;
        float f[3] = {(float)x[i].x, (float)x[i].y, (float)x[i].z};
        memcpy(row, a->is_float ? (const void *)f : (const void *)&x[i], a->is_float ? sizeof f : sizeof *x);
    }
    free(x);
    return r;
}

static PyObject *cache_positions(PyObject *module, PyObject *args)
{
    PyObject *capsule, *o;
    int frame, cloth;
    const weft_topology *t;
    array_out a;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiiO", &capsule, &frame, &cloth, &o))
        return NULL;
    shared *s = cache_from(capsule);
    if (!s)
        return NULL;
    if (get_topology(s, frame, cloth, &t, &e) < 0)
        return raise_weft(&e);
    if (!array_out_open(o, "out", 'd', 3, t->n_nodes, true, &a))
        return NULL;
    PyThreadState *saved = shared_begin(s);
    weft_result r = read_positions(s->thing, frame, cloth, &a, &e);
    shared_end(s, saved);
    array_out_close(&a);
    return done(r, &e);
}

/* (cache, frame, cloth, array for pressures, or None, array of bytes for squeezed, or None) */
static PyObject *cache_contacts(PyObject *module, PyObject *args)
{
    PyObject *capsule, *o, *marks;
    int frame, cloth;
    const weft_topology *t;
    array_out a = {0}, b = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiiOO", &capsule, &frame, &cloth, &o, &marks))
        return NULL;
    shared *s = cache_from(capsule);
    if (!s)
        return NULL;
    if (get_topology(s, frame, cloth, &t, &e) < 0)
        return raise_weft(&e);
    if (o != Py_None && !array_out_open(o, "out", 'd', 1, t->n_nodes, false, &a))
        return NULL;
    if (marks != Py_None && !array_out_open(marks, "out", 'B', 1, t->n_nodes, false, &b)) {
        array_out_close(&a);
        return NULL;
    }
    PyThreadState *saved = shared_begin(s);
    weft_result r = weft_cache_read_contacts(s->thing, frame, cloth, a.items, b.items, t->n_nodes, &e);
    shared_end(s, saved);
    array_out_close(&a);
    array_out_close(&b);
    return done(r, &e);
}

static PyObject *cache_head(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int frame;
    double time;
    uint64_t hash;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &frame))
        return NULL;
    shared *s = cache_from(capsule);
    if (!s)
        return NULL;
    int32_t n = weft_cache_get_info(s->thing).n_columns;
    double *columns = malloc((size_t)n * sizeof *columns + 1);
    PyObject *out = NULL, *values = NULL;
    if (!columns)
        return PyErr_NoMemory();
    PyThreadState *saved = shared_begin(s);
    weft_result r = weft_cache_read_head(s->thing, frame, &time, &hash, columns, &e);
    shared_end(s, saved);
    if (r < 0)
        raise_weft(&e);
    else
        values = bytes_of(columns, n, sizeof *columns);
    if (values)
        out = Py_BuildValue("(dKO)", time, (unsigned long long)hash, values);
    Py_XDECREF(values);
    free(columns);
    return out;
}

static weft_result read_restart(shared *s, int frame, int32_t *at, void *bytes, size_t *size, weft_error *e)
{
    PyThreadState *saved = shared_begin(s);
    weft_result r = weft_cache_read_restart(s->thing, frame, at, bytes, size, e);
    shared_end(s, saved);
    return r;
}

static PyObject *cache_restart(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int frame;
    int32_t at = -1;
    size_t size = 0;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &frame))
        return NULL;
    shared *s = cache_from(capsule);
    if (!s)
        return NULL;
    if (read_restart(s, frame, &at, NULL, &size, &e) < 0)
        return raise_weft(&e);
    if (at < 0)
        return Py_BuildValue("(iO)", -1, Py_None);
    PyObject *b = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (b && read_restart(s, frame, &at, PyBytes_AsString(b), &size, &e) < 0) {
        Py_DECREF(b);
        return raise_weft(&e);
    }
    return b ? Py_BuildValue("(iN)", at, b) : NULL;
}

static PyObject *cache_scene(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int frame;
    int32_t first;
    char *text = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &frame))
        return NULL;
    shared *s = cache_from(capsule);
    if (!s)
        return NULL;
    PyThreadState *saved = shared_begin(s);
    weft_result r = weft_cache_read_scene(s->thing, frame, &first, &text, &e);
    shared_end(s, saved);
    if (r < 0)
        return raise_weft(&e);
    PyObject *out = Py_BuildValue("(is)", first, text);
    weft_text_free(text);
    return out;
}

static PyObject *cache_check(PyObject *module, PyObject *capsule)
{
    weft_cache_damage d;
    weft_error e;
    (void)module;
    shared *s = cache_from(capsule);
    if (!s)
        return NULL;
    PyThreadState *saved = shared_begin(s);
    weft_result r = weft_cache_check(s->thing, &d, &e);
    shared_end(s, saved);
    if (r < 0)
        return raise_weft(&e);
    return Py_BuildValue("(Nis)", PyBool_FromLong(d.found), d.n_frames, d.found ? d.what.text : "");
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

typedef struct cache_writing {
    weft_cache_writer *writer; /* NULL: closed */
    int32_t n_columns, n_cloths;
    int32_t *n_nodes; /* of each cloth's topology; -1: none yet */
} cache_writing;

static void free_writing(void *thing)
{
    cache_writing *w = thing;
    weft_error ignored;
    if (w->writer)
        weft_cache_close(w->writer, &ignored);
    free(w->n_nodes);
    free(w);
}

static weft_result closed(weft_error *e)
{
    *e = (weft_error){.code = WEFT_ERROR_ARGUMENT, .element = -1, .text = "the cache is closed"};
    return e->code;
}

/* Of one that is not closed yet. */
static shared *writer_from(PyObject *capsule)
{
    shared *s = shared_from(capsule, "writer");
    weft_error e;
    if (!s)
        return NULL;
    PyThreadState *saved = shared_begin(s);
    bool is_open = ((const cache_writing *)s->thing)->writer != NULL;
    shared_end(s, saved);
    if (!is_open) {
        closed(&e);
        raise_weft(&e);
    }
    return is_open ? s : NULL;
}

static const char **names_from(PyObject *tuple, const char *what, int32_t *n)
{
    Py_ssize_t count = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : 0;
    const char **out = malloc((size_t)count * sizeof *out + 1);
    for (Py_ssize_t i = 0; out && i < count; i++) {
        out[i] = text_in(PyTuple_GetItem(tuple, i), what, i);
        if (!out[i]) {
            free(out);
            return NULL;
        }
    }
    if (!out)
        PyErr_NoMemory();
    *n = (int32_t)count;
    return out;
}

/* Topologies that hold at a frame hold on when a cache is reopened after it. */
static void find_topologies(cache_writing *w, const char *path, int frame)
{
    weft_cache *c = NULL;
    const weft_topology *t;
    weft_error ignored;
    if (frame < 0 || weft_cache_open(path, &c, &ignored) < 0)
        return;
    for (int32_t i = 0; i < w->n_cloths && i < weft_cache_get_info(c).n_cloths; i++)
        if (weft_cache_get_topology(c, frame, i, &t, &ignored) >= 0)
            w->n_nodes[i] = t->n_nodes;
    weft_cache_free(c);
}

/* (path, fps, cloths, columns, scene, level, frame to go on after or -2: a new file) */
static PyObject *cache_create(PyObject *module, PyObject *args)
{
    PyObject *cloths, *columns, *out = NULL;
    const char *path, *scene;
    int frame, level;
    weft_cache_def def = weft_cache_def_default();
    cache_writing *w = calloc(1, sizeof *w);
    weft_error e;
    weft_result r;
    (void)module;
    if (!w)
        return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "sdOOsii", &path, &def.fps, &cloths, &columns, &scene, &level, &frame)) {
        free(w);
        return NULL;
    }
    def.scene = scene;
    def.level = level;
    const char **a = names_from(cloths, "cloths", &def.n_cloths);
    const char **b = a ? names_from(columns, "columns", &def.n_columns) : NULL;
    def.cloth_names = a;
    def.column_names = b;
    w->n_nodes = malloc((size_t)def.n_cloths * sizeof *w->n_nodes + 1);
    if (b && !w->n_nodes)
        PyErr_NoMemory();
    for (int32_t i = 0; w->n_nodes && i < def.n_cloths; i++)
        w->n_nodes[i] = -1;
    w->n_cloths = def.n_cloths;
    w->n_columns = def.n_columns;
    if (b && w->n_nodes) {
        Py_BEGIN_ALLOW_THREADS
        find_topologies(w, path, frame);
        r = frame == -2 ? weft_cache_create(path, &def, &w->writer, &e)
                        : weft_cache_reopen(path, &def, frame, &w->writer, &e);
        Py_END_ALLOW_THREADS
        out = r < 0 ? raise_weft(&e) : shared_new(w, "writer", free_writing);
        w = r < 0 ? w : NULL;
    }
    free(a);
    free(b);
    if (w) {
        free(w->n_nodes);
        free(w);
    }
    return out;
}

static PyObject *add_topology(shared *s, const weft_topology *t)
{
    cache_writing *w = s->thing;
    weft_error e;
    PyThreadState *saved = shared_begin(s);
    weft_result r = w->writer ? weft_cache_add_topology(w->writer, t, &e) : closed(&e);
    if (r >= 0)
        w->n_nodes[t->cloth] = t->n_nodes;
    shared_end(s, saved);
    return done(r, &e);
}

static bool cloth_fits(const shared *s, int cloth)
{
    const cache_writing *w = s->thing;
    if (cloth >= 0 && cloth < w->n_cloths)
        return true;
    PyErr_Format(PyExc_IndexError, "cloth %d of %d", cloth, (int)w->n_cloths);
    return false;
}

/* (writer, cloth, revision, n_nodes, triangles, rest_lengths, levels as int32) */
static PyObject *cache_add_topology(PyObject *module, PyObject *args)
{
    PyObject *capsule, *p[2], *out = NULL;
    int cloth, n_nodes;
    unsigned int revision;
    array_in t = {0}, rest = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OiIiOO", &capsule, &cloth, &revision, &n_nodes, &p[0], &p[1]))
        return NULL;
    shared *s = writer_from(capsule);
    if (s && cloth_fits(s, cloth) && array_in_ints(p[0], "triangles", 3, &t) && triangles_fit(&t, n_nodes) &&
        array_in_doubles(p[1], "rest_lengths", 3, &rest) && same_rows(&rest, "rest_lengths", t.n)) {
        int32_t *start = malloc(((size_t)t.n + 1) * sizeof *start);
        for (int32_t i = 0; start && i <= t.n; i++)
            start[i] = 3 * i;
        weft_topology top = {.cloth = cloth, .revision = revision, .n_nodes = n_nodes, .n_triangles = t.n};
        top.triangles = top.corners = t.items;
        top.rest_lengths = rest.items;
        top.n_faces = t.n;
        top.face_start = start;
        out = start ? add_topology(s, &top) : PyErr_NoMemory();
        free(start);
    }
    array_in_free(&t);
    array_in_free(&rest);
    return out;
}

/* What a stage's cloth is, with the scene's faces. */
static PyObject *cache_add_stage(PyObject *module, PyObject *args)
{
    PyObject *capsule, *o;
    int cloth;
    weft_topology t;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOi", &capsule, &o, &cloth))
        return NULL;
    shared *s = writer_from(capsule);
    sim_object *sim = s ? sim_from(o) : NULL;
    if (!sim || !cloth_fits(s, cloth))
        return NULL;
    if (!sim->stage || cloth >= sim->stage->scene->n_cloths)
        return PyErr_Format(PyExc_ValueError, "a stage with cloth %d is needed", cloth);
    if (weft_stage_topology(sim->stage, cloth, &t, &e) < 0)
        return raise_weft(&e);
    PyObject *out = add_topology(s, &t);
    weft_stage_topology_free(&t);
    return out;
}

/* The writer is ours while this is looked at: nobody gives it another topology. */
static weft_result add_frame(cache_writing *w, const weft_cache_frame *f, const array_in *x, weft_error *e)
{
    if (!w->writer)
        return closed(e);
    for (int32_t i = 0; i < w->n_cloths; i++)
        if (w->n_nodes[i] != x[i].n) {
            *e = (weft_error){.code = WEFT_ERROR_ARGUMENT, .element = i};
            snprintf(e->text, sizeof e->text, "positions of cloth %d: %d rows, its topology has %d nodes", (int)i,
                     (int)x[i].n, (int)w->n_nodes[i]);
            return e->code;
        }
    return weft_cache_add_frame(w->writer, f, e);
}

/* Contacts of all cloths, of a tuple of pressures. NULL: an exception is set. */
static weft_cache_contacts *contacts_from(const cache_writing *w, PyObject *pressures, array_in *p)
{
    weft_cache_contacts *out = calloc((size_t)w->n_cloths + 1, sizeof *out);
    bool ok = out != NULL;
    if (!ok)
        PyErr_NoMemory();
    for (int32_t i = 0; ok && i < w->n_cloths; i++) {
        ok = array_in_doubles(PyTuple_GetItem(pressures, i), "pressures", 1, &p[i]);
        if (ok && p[i].n != w->n_nodes[i])
            ok = PyErr_Format(PyExc_ValueError, "pressures of cloth %d: %d, its topology has %d nodes", (int)i,
                              (int)p[i].n, (int)w->n_nodes[i]) != NULL;
        out[i].pressures = p[i].items;
    }
    if (ok)
        return out;
    free(out);
    return NULL;
}

/* (writer, time, hash, columns, tuple of positions, tuple of pressures, which may be empty) */
static PyObject *cache_add_frame(PyObject *module, PyObject *args)
{
    PyObject *capsule, *columns, *positions, *pressures, *out = NULL;
    unsigned long long hash;
    weft_cache_frame f = {0};
    array_in values = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OdKOO!O!", &capsule, &f.time, &hash, &columns, &PyTuple_Type, &positions,
                          &PyTuple_Type, &pressures))
        return NULL;
    shared *s = writer_from(capsule);
    if (!s)
        return NULL;
    const cache_writing *w = s->thing;
    array_in *x = calloc((size_t)w->n_cloths + 1, sizeof *x), *p = calloc((size_t)w->n_cloths + 1, sizeof *p);
    weft_cache_contacts *contacts = NULL;
    const weft_vec3 **places = calloc((size_t)w->n_cloths + 1, sizeof *places);
    bool ok = x && p && places && array_in_doubles(columns, "columns", 1, &values);
    if (!x || !p || !places)
        PyErr_NoMemory();
    if (ok && (PyTuple_Size(positions) != w->n_cloths || values.n != w->n_columns))
        ok = PyErr_Format(PyExc_ValueError, "positions of %d cloths and %d columns are needed", (int)w->n_cloths,
                          (int)w->n_columns) != NULL;
    for (int32_t i = 0; ok && i < w->n_cloths; i++) {
        ok = array_in_doubles(PyTuple_GetItem(positions, i), "positions", 3, &x[i]);
        places[i] = x[i].items;
    }
    if (ok && PyTuple_Size(pressures) > 0) {
        if (PyTuple_Size(pressures) != w->n_cloths)
            ok = PyErr_Format(PyExc_ValueError, "pressures of %d cloths are needed", (int)w->n_cloths) != NULL;
        else
            ok = (contacts = contacts_from(w, pressures, p)) != NULL;
    }
    if (ok) {
        f.contacts = contacts;
        f.hash = hash;
        f.columns = values.items;
        f.positions = places;
        PyThreadState *saved = shared_begin(s);
        weft_result r = add_frame(s->thing, &f, x, &e);
        shared_end(s, saved);
        out = done(r, &e);
    }
    for (int32_t i = 0; x && p && i < w->n_cloths; i++) {
        array_in_free(&x[i]);
        array_in_free(&p[i]);
    }
    array_in_free(&values);
    free(x);
    free(p);
    free(places);
    free(contacts);
    return out;
}

static PyObject *cache_add_restart(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    PyObject *out = NULL;
    Py_buffer v;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oy*", &capsule, &v))
        return NULL;
    shared *s = writer_from(capsule);
    if (s) {
        cache_writing *w = s->thing;
        PyThreadState *saved = shared_begin(s);
        weft_result r = w->writer ? weft_cache_add_restart(w->writer, v.buf, (size_t)v.len, &e) : closed(&e);
        shared_end(s, saved);
        out = done(r, &e);
    }
    PyBuffer_Release(&v);
    return out;
}

static PyObject *cache_close(PyObject *module, PyObject *capsule)
{
    weft_error e;
    (void)module;
    shared *s = shared_from(capsule, "writer");
    if (!s)
        return NULL;
    cache_writing *w = s->thing;
    PyThreadState *saved = shared_begin(s);
    weft_result r = w->writer ? weft_cache_close(w->writer, &e) : WEFT_OK;
    w->writer = NULL;
    shared_end(s, saved);
    return done(r, &e);
}

PyMethodDef python_cache_methods[] = {
    {"cache_open", cache_open, METH_VARARGS, NULL},
    {"cache_info", cache_info, METH_O, NULL},
    {"cache_topology", cache_topology, METH_VARARGS, NULL},
    {"cache_positions", cache_positions, METH_VARARGS, NULL},
    {"cache_contacts", cache_contacts, METH_VARARGS, NULL},
    {"cache_head", cache_head, METH_VARARGS, NULL},
    {"cache_restart", cache_restart, METH_VARARGS, NULL},
    {"cache_scene", cache_scene, METH_VARARGS, NULL},
    {"cache_check", cache_check, METH_O, NULL},
    {"cache_create", cache_create, METH_VARARGS, NULL},
    {"cache_add_topology", cache_add_topology, METH_VARARGS, NULL},
    {"cache_add_stage", cache_add_stage, METH_VARARGS, NULL},
    {"cache_add_frame", cache_add_frame, METH_VARARGS, NULL},
    {"cache_add_restart", cache_add_restart, METH_VARARGS, NULL},
    {"cache_close", cache_close, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
