/* SPDX-License-Identifier: MIT */
/* Bodies, garments cut from patterns, where panels are put, and putting these round those. */
#include "python_weft.h"

#include <stdlib.h>

/* ---- placements -------------------------------------------------------------------------------------------------- */

PyObject *placement_dict(const weft_placement *p)
{
    PyObject *d = fields_get(placement_fields, p);
    if (dict_put(d, "joint", Py_BuildValue("z", p->joint)))
        return d;
    Py_XDECREF(d);
    return NULL;
}

/* The joint's name stays the dict's. */
bool placement_from(PyObject *dict, weft_placement *out)
{
    *out = (weft_placement){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "a placement must be a dict");
        return false;
    }
    PyObject *joint = PyDict_GetItemString(dict, "joint"), *rest = PyDict_Copy(dict);
    bool ok = rest != NULL;
    if (ok && joint) {
        out->joint = joint == Py_None ? NULL : text_in(joint, "joint", -1);
        ok = (joint == Py_None || out->joint) && PyDict_DelItemString(rest, "joint") == 0;
    }
    ok = ok && fields_set(placement_fields, out, rest, "a placement");
    Py_XDECREF(rest);
    return ok;
}

static PyObject *placement_at(PyObject *module, PyObject *args)
{
    PyObject *dict, *in, *out = NULL;
    weft_placement p;
    array_in drawn = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &dict, &in) || !placement_from(dict, &p) ||
        !array_in_doubles(in, "drawn", 2, &drawn))
        return NULL;
    weft_vec3 *x = malloc((size_t)drawn.n * sizeof *x + 1);
    for (int32_t i = 0; x && i < drawn.n; i++)
        x[i] = weft_placement_at(&p, ((const weft_vec2 *)drawn.items)[i]);
    out = x ? bytes_of(x, drawn.n, sizeof *x) : PyErr_NoMemory();
    free(x);
    array_in_free(&drawn);
    return out;
}

/* Of a pattern or a garment. */
static PyObject *set_placement(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dict;
    int panel;
    weft_placement at;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO", &capsule, &panel, &dict) || !placement_from(dict, &at))
        return NULL;
    if (PyCapsule_IsValid(capsule, "garment"))
        return done(weft_garment_set_placement(PyCapsule_GetPointer(capsule, "garment"), panel, &at, &e), &e);
    weft_pattern *p = PyCapsule_GetPointer(capsule, "pattern");
    return p ? done(weft_pattern_set_placement(p, panel, &at, &e), &e) : NULL;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void free_body(PyObject *capsule)
{
    weft_body_destroy(PyCapsule_GetPointer(capsule, "body"));
}

static PyObject *body_create(PyObject *module, PyObject *args)
{
    PyObject *p[2], *out = NULL;
    array_in x = {0}, t = {0};
    weft_body_def def = weft_body_def_default();
    weft_body *body = NULL;
    weft_error e;
    weft_result r;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &p[0], &p[1]))
        return NULL;
    if (array_in_doubles(p[0], "positions", 3, &x) && array_in_ints(p[1], "triangles", 3, &t)) {
        def.n_vertices = x.n;
        def.vertices = x.items;
        def.n_triangles = t.n;
        def.triangles = t.items;
        Py_BEGIN_ALLOW_THREADS
        r = weft_body_create(&def, &body, &e);
        Py_END_ALLOW_THREADS
        out = r < 0 ? raise_weft(&e) : PyCapsule_New(body, "body", free_body);
    }
    array_in_free(&x);
    array_in_free(&t);
    return out;
}

/* (body, None) reads them, (body, dict) sets those that it has. */
static PyObject *body_landmarks(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dict;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &dict))
        return NULL;
    weft_body *body = PyCapsule_GetPointer(capsule, "body");
    if (!body)
        return NULL;
    weft_landmarks marks = *weft_body_landmarks(body);
    if (dict == Py_None)
        return fields_get(landmark_fields, &marks);
    if (!fields_set(landmark_fields, &marks, dict, "landmarks"))
        return NULL;
    return done(weft_body_set_landmarks(body, &marks, &e), &e);
}

static PyObject *body_distance(PyObject *module, PyObject *args)
{
    PyObject *capsule, *in;
    array_in x = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &in))
        return NULL;
    const weft_body *body = PyCapsule_GetPointer(capsule, "body");
    if (!body || !array_in_doubles(in, "points", 3, &x))
        return NULL;
    double *d = malloc((size_t)x.n * sizeof *d + 1);
    Py_BEGIN_ALLOW_THREADS
    for (int32_t i = 0; d && i < x.n; i++)
        d[i] = weft_body_distance(body, ((const weft_vec3 *)x.items)[i]);
    Py_END_ALLOW_THREADS
    PyObject *out = d ? bytes_of(d, x.n, sizeof *d) : PyErr_NoMemory();
    free(d);
    array_in_free(&x);
    return out;
}

/* Closed polygons: a list of arrays of points. */
static PyObject *body_slice(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    weft_vec3 point, normal;
    weft_slice slice = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "O(ddd)(ddd)", &capsule, &point.x, &point.y, &point.z, &normal.x, &normal.y, &normal.z))
        return NULL;
    const weft_body *body = PyCapsule_GetPointer(capsule, "body");
    if (!body)
        return NULL;
    if (weft_body_slice(body, point, normal, &slice, &e) < 0) {
        weft_body_slice_free(body, &slice);
        return raise_weft(&e);
    }
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < slice.n_loops; i++) {
        const int32_t *at = &slice.loop_start[i];
        PyObject *b = bytes_of(slice.points + at[0], at[1] - at[0], sizeof *slice.points);
        if (!b || PyList_Append(out, b) < 0)
            Py_CLEAR(out);
        Py_XDECREF(b);
    }
    weft_body_slice_free(body, &slice);
    return out;
}

/* (path, None, dict): what a file says, in place of what the dict says; (name, bytes, dict) */
static PyObject *landmarks_read(PyObject *module, PyObject *args)
{
    const char *path, *bytes;
    Py_ssize_t size;
    PyObject *dict;
    weft_landmarks marks = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "sz#O", &path, &bytes, &size, &dict) ||
        !fields_set(landmark_fields, &marks, dict, "landmarks"))
        return NULL;
    weft_result r =
        bytes ? weft_landmarks_parse(path, bytes, (size_t)size, &marks, &e) : weft_landmarks_read(path, &marks, &e);
    return r < 0 ? raise_weft(&e) : fields_get(landmark_fields, &marks);
}

static PyObject *landmarks_write(PyObject *module, PyObject *args)
{
    const char *path;
    PyObject *dict;
    int force;
    weft_landmarks marks = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "sOp", &path, &dict, &force) || !fields_set(landmark_fields, &marks, dict, "landmarks"))
        return NULL;
    return done(weft_landmarks_write(path, &marks, force, &e), &e);
}

/* ---- garments ---------------------------------------------------------------------------------------------------- */

static void free_garment(PyObject *capsule)
{
    weft_garment_destroy(PyCapsule_GetPointer(capsule, "garment"));
}

static PyObject *garment_create(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dict;
    weft_garment_def def = weft_garment_def_default();
    weft_garment *garment = NULL;
    weft_error e;
    weft_result r;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &dict))
        return NULL;
    const weft_pattern *p = PyCapsule_GetPointer(capsule, "pattern");
    if (!p || !fields_set(garment_fields, &def, dict, "a garment"))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    r = weft_garment_create(p, &def, &garment, &e);
    Py_END_ALLOW_THREADS
    return r < 0 ? raise_weft(&e) : PyCapsule_New(garment, "garment", free_garment);
}

static PyObject *quality_dict(const weft_mesh_quality *q)
{
    return Py_BuildValue("{sd sd sd sd sd sd}", "least_angle", q->least_angle, "most_angle", q->most_angle,
                         "largest_aspect", q->largest_aspect, "shortest", q->shortest, "longest", q->longest,
                         "quad_share", q->quad_share);
}

static PyObject *panel_ranges(const weft_garment_data *g)
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < g->n_panels; i++) {
        const weft_garment_panel *p = &g->panels[i];
        PyObject *quality = quality_dict(&p->quality);
        PyObject *t =
            quality ? Py_BuildValue("{s(ii) s(ii) s(ii) s(ii) sd sN}", "nodes", p->first_node, p->n_nodes, "triangles",
                                    p->first_triangle, p->n_triangles, "quads", p->first_quad, p->n_quads, "edges",
                                    p->first_edge, p->n_edges, "area", p->area, "quality", quality)
                    : NULL;
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *line_nodes(const weft_garment_data *g)
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < g->n_lines; i++) {
        const weft_garment_line *l = &g->lines[i];
        PyObject *nodes = bytes_of(g->line_nodes + l->first, l->n, sizeof(int32_t));
        PyObject *t = nodes ? Py_BuildValue("(iiN)", l->panel, l->line, nodes) : NULL;
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *garment_data(PyObject *module, PyObject *capsule)
{
    const weft_garment_data *g = weft_garment_get(PyCapsule_GetPointer(capsule, "garment"));
    (void)module;
    if (!g)
        return NULL;
    int32_t n_faces = g->n_triangles + g->n_quads, n_edge_nodes = g->n_edges > 0 ? g->edge_start[g->n_edges] : 0;
    PyObject *d = PyDict_New();
    if (dict_put(d, "uv", bytes_of(g->uv, g->n_nodes, sizeof *g->uv)) &&
        dict_put(d, "drawn", bytes_of(g->drawn, g->n_nodes, sizeof *g->drawn)) &&
        dict_put(d, "positions", bytes_of(g->positions, g->n_nodes, sizeof *g->positions)) &&
        dict_put(d, "triangles", bytes_of(g->triangles, g->n_triangles, 3 * sizeof *g->triangles)) &&
        dict_put(d, "quads", bytes_of(g->quads, g->n_quads, 4 * sizeof *g->quads)) &&
        dict_put(d, "face_panel", bytes_of(g->face_panel, n_faces, sizeof *g->face_panel)) &&
        dict_put(d, "pairs", bytes_of(g->pairs, g->n_pairs, sizeof *g->pairs)) &&
        dict_put(d, "edge_start", bytes_of(g->edge_start, g->n_edges + 1, sizeof *g->edge_start)) &&
        dict_put(d, "edge_nodes", bytes_of(g->edge_nodes, n_edge_nodes, sizeof *g->edge_nodes)) &&
        dict_put(d, "panels", panel_ranges(g)) && dict_put(d, "lines", line_nodes(g)) &&
        dict_put(d, "quality", quality_dict(&g->quality)))
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *fit_list(const weft_panel_fit *fits, int32_t n)
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < n; i++) {
        const weft_panel_fit *f = &fits[i];
        PyObject *t = Py_BuildValue("{sN sd sd sd sd}", "from_hint", PyBool_FromLong(f->from_hint), "clearance",
                                    f->clearance, "apart", f->apart, "moved", f->moved, "stretch", f->stretch);
        if (!t || !dict_put(t, "placement", placement_dict(&f->placement)) || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

/* (garment, pattern, body, options, worn positions, worn triangles): how each panel was put */
static PyObject *garment_fit(PyObject *module, PyObject *args)
{
    PyObject *p[3], *dict, *worn[2], *out = NULL;
    array_in x = {0}, t = {0};
    weft_fit_def def = weft_fit_def_default();
    weft_error e;
    weft_result r;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOO", &p[0], &p[1], &p[2], &dict, &worn[0], &worn[1]))
        return NULL;
    weft_garment *garment = PyCapsule_GetPointer(p[0], "garment");
    const weft_pattern *pattern = garment ? PyCapsule_GetPointer(p[1], "pattern") : NULL;
    const weft_body *body = pattern ? PyCapsule_GetPointer(p[2], "body") : NULL;
    weft_panel_fit *fits = body ? calloc((size_t)weft_pattern_panel_count(pattern) + 1, sizeof *fits) : NULL;
    if (!fits)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    if (fields_set(fit_fields, &def, dict, "fitting") && array_in_doubles(worn[0], "worn positions", 3, &x) &&
        array_in_ints(worn[1], "worn triangles", 3, &t)) {
        def.n_worn_vertices = x.n;
        def.worn_vertices = x.items;
        def.n_worn_triangles = t.n;
        def.worn_triangles = t.items;
        Py_BEGIN_ALLOW_THREADS
        r = weft_garment_fit(garment, pattern, body, &def, fits, &e);
        Py_END_ALLOW_THREADS
        out = r < 0 ? raise_weft(&e) : fit_list(fits, weft_pattern_panel_count(pattern));
    }
    free(fits);
    array_in_free(&x);
    array_in_free(&t);
    return out;
}

PyMethodDef python_garment_methods[] = {
    {"placement_at", placement_at, METH_VARARGS, NULL},     {"set_placement", set_placement, METH_VARARGS, NULL},
    {"body_create", body_create, METH_VARARGS, NULL},       {"body_landmarks", body_landmarks, METH_VARARGS, NULL},
    {"body_distance", body_distance, METH_VARARGS, NULL},   {"body_slice", body_slice, METH_VARARGS, NULL},
    {"landmarks_read", landmarks_read, METH_VARARGS, NULL}, {"landmarks_write", landmarks_write, METH_VARARGS, NULL},
    {"garment_create", garment_create, METH_VARARGS, NULL}, {"garment_data", garment_data, METH_O, NULL},
    {"garment_fit", garment_fit, METH_VARARGS, NULL},       {NULL, NULL, 0, NULL},
};
