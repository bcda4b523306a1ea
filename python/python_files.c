/* SPDX-License-Identifier: MIT */
/* Meshes and motions in files, and exports of runs. */
#include "python_weft.h"

#include <stdlib.h>
#include <string.h>

/* ---- exports ----------------------------------------------------------------------------------------------------- */

static PyObject *export_formats(PyObject *module, PyObject *none)
{
    PyObject *out = PyList_New(0);
    (void)module;
    (void)none;
    for (int32_t i = 0; out && i < weft_export_format_count(); i++) {
        PyObject *t = Py_BuildValue("(ss)", weft_export_format_name(i), weft_export_format_about(i));
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

typedef struct export_call {
    long_call call;
    PyObject *progress; /* or None */
} export_call;

/* What is raised here stays raised, and comes out of the export. */
static bool export_progress(void *user, int32_t n_done, int32_t n)
{
    export_call *x = user;
    if (x->call.interrupted || x->progress == Py_None)
        return !x->call.interrupted;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *r = PyObject_CallFunction(x->progress, "ii", (int)n_done, (int)n);
    bool goes_on = r && (r == Py_None || PyObject_IsTrue(r) > 0);
    Py_XDECREF(r);
    PyGILState_Release(gil);
    return goes_on;
}

/* The cache is the call's own: nobody else uses it meanwhile. */
static PyObject *export_run(PyObject *module, PyObject *args)
{
    PyObject *dict, *progress;
    const char *from, *path;
    weft_cache *c = NULL;
    weft_export_def def = weft_export_def_default();
    weft_export_result result = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "ssOO", &from, &path, &dict, &progress) ||
        !fields_set(export_fields, &def, dict, "an export"))
        return NULL;
    export_call x = {.progress = progress};
    def.path = path;
    def.progress = export_progress;
    def.progress_user = &x;
    long_begin(&x.call, NULL);
    weft_result r = weft_cache_open(from, &c, &e);
    if (r >= 0)
        r = weft_export(c, &def, &result, &e);
    weft_cache_free(c);
    if (!long_end(&x.call) || PyErr_Occurred())
        return NULL;
    if (r < 0)
        return raise_weft(&e);
    return Py_BuildValue("{si si ss ss ss}", "n_files", result.n_files, "n_frames", result.n_frames, "first",
                         result.first, "last", result.last, "note", result.note);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

PyObject *mesh_triangles(const weft_mesh *m)
{
    int64_t room = m->face_start ? 3 * (int64_t)m->face_start[m->n_faces] - 6 * (int64_t)m->n_faces : 0;
    int32_t *t = malloc((size_t)(room > 0 ? room : 0) * sizeof *t + 1);
    int32_t n = t && room > 0 ? weft_mesh_triangulate(m, t, NULL) : 0;
    PyObject *out = t ? bytes_of(t, n, 3 * sizeof *t) : PyErr_NoMemory();
    free(t);
    return out;
}

static PyObject *group_names(const weft_mesh *m)
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < m->n_groups; i++) {
        PyObject *t = PyUnicode_DecodeUTF8(m->group_names[i], (Py_ssize_t)strlen(m->group_names[i]), "replace");
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *mesh_dict(const weft_mesh *m)
{
    PyObject *d = PyDict_New();
    int32_t n_corners = m->face_start ? m->face_start[m->n_faces] : 0;
    if (dict_put(d, "positions", bytes_of(m->positions, m->n_nodes, sizeof *m->positions)) &&
        dict_put(d, "face_start", bytes_of(m->face_start, m->n_faces + 1, sizeof *m->face_start)) &&
        dict_put(d, "corners", bytes_of(m->corners, n_corners, sizeof *m->corners)) &&
        dict_put(d, "triangles", mesh_triangles(m)) &&
        dict_put(d, "uv", bytes_or_none(m->uv, m->n_uv, sizeof *m->uv)) &&
        dict_put(d, "corner_uv", bytes_or_none(m->corner_uv, n_corners, sizeof *m->corner_uv)) &&
        dict_put(d, "face_group", bytes_or_none(m->face_group, m->n_faces, sizeof *m->face_group)) &&
        dict_put(d, "groups", group_names(m)))
        return d;
    Py_XDECREF(d);
    return NULL;
}

/* (path, None, 0) or (name, bytes, format) */
static PyObject *mesh_read(PyObject *module, PyObject *args)
{
    const char *path, *bytes;
    Py_ssize_t size;
    int format;
    weft_mesh m;
    weft_error e;
    weft_result r;
    (void)module;
    if (!PyArg_ParseTuple(args, "sz#i", &path, &bytes, &size, &format))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    r = bytes ? weft_mesh_parse((weft_mesh_format)format, path, bytes, (size_t)size, &m, &e)
              : weft_mesh_read(path, &m, &e);
    Py_END_ALLOW_THREADS
    if (r < 0)
        return raise_weft(&e);
    PyObject *out = mesh_dict(&m);
    weft_mesh_free(&m);
    return out;
}

static bool corners_fit(const array_in *start, const array_in *corners, const char *name, int32_t n_nodes, bool none)
{
    const int32_t *s = start->items, *c = corners->items;
    bool fits = start->n >= 1 && s[0] == 0 && s[start->n - 1] == corners->n;
    for (int32_t i = 0; fits && i + 1 < start->n; i++)
        fits = s[i + 1] - s[i] >= 3 && s[i + 1] <= corners->n;
    if (!fits) {
        PyErr_Format(PyExc_ValueError, "face_start must go from 0 up to the number of corners, by 3 or more a face");
        return false;
    }
    for (int32_t i = 0; i < corners->n; i++)
        if (c[i] < (none ? -1 : 0) || c[i] >= n_nodes) {
            PyErr_Format(PyExc_IndexError, "%s[%d] is %d, there are %d", name, (int)i, (int)c[i], (int)n_nodes);
            return false;
        }
    return true;
}

/* (triangles, number of nodes): how many triangles, and their corners one after the other. */
static PyObject *corners_of(PyObject *module, PyObject *args)
{
    PyObject *in, *out = NULL;
    int n_nodes;
    array_in t;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &in, &n_nodes) || !array_in_ints(in, "triangles", 3, &t))
        return NULL;
    if (triangles_fit(&t, n_nodes))
        out = Py_BuildValue("(iN)", t.n, bytes_of(t.items, t.n, 3 * sizeof(int32_t)));
    array_in_free(&t);
    return out;
}

static PyObject *points_of(PyObject *module, PyObject *in)
{
    array_in x;
    (void)module;
    if (!array_in_doubles(in, "positions", 3, &x))
        return NULL;
    PyObject *out = bytes_of(x.items, x.n, sizeof(weft_vec3));
    array_in_free(&x);
    return out;
}

/* (path, format, positions, face_start, corners, uv, corner_uv) */
static PyObject *mesh_write(PyObject *module, PyObject *args)
{
    const char *path;
    int format;
    PyObject *p[5], *out = NULL;
    array_in x = {0}, start = {0}, corners = {0}, uv = {0}, corner_uv = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "siOOOOO", &path, &format, &p[0], &p[1], &p[2], &p[3], &p[4]))
        return NULL;
    if (array_in_doubles(p[0], "positions", 3, &x) && array_in_ints(p[1], "face_start", 1, &start) &&
        array_in_ints(p[2], "corners", 1, &corners) && array_in_doubles(p[3], "uv", 2, &uv) &&
        array_in_ints(p[4], "corner_uv", 1, &corner_uv) && same_rows(&corner_uv, "corner_uv", corners.n) &&
        corners_fit(&start, &corners, "corners", x.n, false) &&
        (!corner_uv.given || corners_fit(&start, &corner_uv, "corner_uv", uv.n, true))) {
        weft_mesh m = {.n_nodes = x.n, .positions = x.items, .n_faces = start.n - 1, .face_start = start.items};
        m.corners = corners.items;
        m.n_uv = uv.n;
        m.uv = uv.items;
        m.corner_uv = corner_uv.items;
        weft_result r;
        Py_BEGIN_ALLOW_THREADS
        r = weft_mesh_write(path, (weft_mesh_format)format, &m, &e);
        Py_END_ALLOW_THREADS
        out = done(r, &e);
    }
    array_in_free(&x);
    array_in_free(&start);
    array_in_free(&corners);
    array_in_free(&uv);
    array_in_free(&corner_uv);
    return out;
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static void free_motion(void *motion)
{
    weft_motion_close(motion);
}

static PyObject *motion_open(PyObject *module, PyObject *args)
{
    const char *path;
    double fps;
    weft_motion *m = NULL;
    weft_error e;
    weft_result r;
    (void)module;
    if (!PyArg_ParseTuple(args, "sd", &path, &fps))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    r = weft_motion_open(path, fps, &m, &e);
    Py_END_ALLOW_THREADS
    if (r < 0)
        return raise_weft(&e);
    weft_motion_info i = weft_motion_get_info(m);
    PyObject *capsule = shared_new(m, "motion", free_motion);
    return capsule ? Py_BuildValue("(Niidd)", capsule, i.n_points, i.n_frames, i.start, i.duration) : NULL;
}

/* (motion, frame or -1, time, out): the time of a frame */
static PyObject *motion_points(PyObject *module, PyObject *args)
{
    PyObject *capsule, *o;
    int frame;
    double time;
    array_out a;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OidO", &capsule, &frame, &time, &o))
        return NULL;
    shared *s = shared_from(capsule, "motion");
    if (!s || !array_out_open(o, "out", 'd', 3, weft_motion_get_info(s->thing).n_points, false, &a))
        return NULL;
    PyThreadState *saved = shared_begin(s);
    weft_result r = frame < 0 ? weft_motion_sample(s->thing, time, a.items, a.n, &e)
                              : weft_motion_read_frame(s->thing, frame, &time, a.items, a.n, &e);
    shared_end(s, saved);
    array_out_close(&a);
    return r < 0 ? raise_weft(&e) : PyFloat_FromDouble(time);
}

static PyObject *motion_file(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int frame;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &frame))
        return NULL;
    shared *s = shared_from(capsule, "motion");
    return s ? Py_BuildValue("z", weft_motion_file(s->thing, frame)) : NULL;
}

PyMethodDef python_file_methods[] = {
    {"export_formats", export_formats, METH_NOARGS, NULL}, {"export_run", export_run, METH_VARARGS, NULL},
    {"mesh_read", mesh_read, METH_VARARGS, NULL},          {"mesh_write", mesh_write, METH_VARARGS, NULL},
    {"corners_of", corners_of, METH_VARARGS, NULL},        {"points_of", points_of, METH_O, NULL},
    {"motion_open", motion_open, METH_VARARGS, NULL},      {"motion_points", motion_points, METH_VARARGS, NULL},
    {"motion_file", motion_file, METH_VARARGS, NULL},      {NULL, NULL, 0, NULL},
};
