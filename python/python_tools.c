/* SPDX-License-Identifier: MIT */
/* What needs no simulation: fabrics, the exact check, untangling, collision detection, dress forms. */
#include "python_weft.h"

#include <stdlib.h>

static PyObject *bytes_of(const void *p, int64_t n, size_t size)
{
    return PyBytes_FromStringAndSize(p, (Py_ssize_t)((size_t)n * size));
}

/* ---- fabrics ----------------------------------------------------------------------------------------------------- */

static PyObject *fabric_find(PyObject *module, PyObject *name)
{
    weft_fabric f = weft_fabric_default();
    weft_error e;
    (void)module;
    if (name != Py_None) {
        const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        if (!text)
            return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "the name of a fabric must be a str");
        if (weft_fabric_find(text, &f, &e) < 0)
            return raise_weft(&e);
    }
    return fields_get(fabric_fields, &f);
}

static PyObject *fabric_check(PyObject *module, PyObject *dict)
{
    weft_fabric f = weft_fabric_default();
    weft_error e;
    (void)module;
    if (!fields_set(fabric_fields, &f, dict, "a fabric"))
        return NULL;
    return done(weft_fabric_check(&f, &e), &e);
}

static PyObject *fabric_list(PyObject *module, PyObject *none)
{
    PyObject *out = PyList_New(0);
    (void)module;
    (void)none;
    for (int32_t i = 0; out && i < weft_fabric_count(); i++) {
        PyObject *t = Py_BuildValue("(ss)", weft_fabric_name(i), weft_fabric_source(i));
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

typedef struct surfaces_in {
    array_in x, t, objects, colliders;
    int32_t n_objects;
    bool *is_collider;
} surfaces_in;

static void surfaces_free(surfaces_in *in)
{
    array_in_free(&in->x);
    array_in_free(&in->t);
    array_in_free(&in->objects);
    array_in_free(&in->colliders);
    free(in->is_collider);
}

/* `colliders` are numbers of objects. */
static bool surfaces_from(PyObject *x, PyObject *t, PyObject *objects, PyObject *colliders, surfaces_in *in)
{
    if (!array_in_doubles(x, "positions", 3, &in->x) || !array_in_ints(t, "triangles", 3, &in->t) ||
        !array_in_ints(objects, "objects", 1, &in->objects) ||
        !array_in_ints(colliders, "colliders", 1, &in->colliders) || !same_rows(&in->objects, "objects", in->t.n))
        return false;
    in->n_objects = 1;
    const int32_t *of = in->objects.items, *c = in->colliders.items;
    for (int32_t i = 0; i < in->objects.n; i++)
        if (of[i] >= in->n_objects && of[i] < 1000000)
            in->n_objects = of[i] + 1;
    in->is_collider = calloc((size_t)in->n_objects, sizeof *in->is_collider);
    if (!in->is_collider)
        return PyErr_NoMemory() != NULL;
    for (int32_t i = 0; i < in->colliders.n; i++) {
        if (c[i] < 0 || c[i] >= in->n_objects) {
            PyErr_Format(PyExc_ValueError, "colliders[%d] is %d, there are %d objects", (int)i, (int)c[i],
                         (int)in->n_objects);
            return false;
        }
        in->is_collider[c[i]] = true;
    }
    return true;
}

static PyObject *audit_result(const weft_audit *audit)
{
    weft_audit_found f = weft_audit_get(audit);
    PyObject *pairs = PyList_New(0), *contours = PyList_New(0);
    PyObject *ti = bytes_of(NULL, f.n_pairs, 2 * sizeof(int32_t)),
             *ends = bytes_of(NULL, f.n_pairs, 6 * sizeof(double));
    PyObject *kinds = bytes_of(NULL, f.n_pairs, sizeof(int32_t)), *out = NULL;
    bool ok = pairs && contours && ti && ends && kinds;
    for (int64_t i = 0; ok && i < f.n_pairs; i++) {
        const weft_audit_pair *p = &f.pairs[i];
        int32_t *two = (int32_t *)(void *)PyBytes_AsString(ti), *kind = (int32_t *)(void *)PyBytes_AsString(kinds);
        weft_vec3 *at = (weft_vec3 *)(void *)PyBytes_AsString(ends);
        two[2 * i] = p->triangle[0];
        two[2 * i + 1] = p->triangle[1];
        kind[i] = (int32_t)p->kind;
        at[2 * i] = p->ends[0];
        at[2 * i + 1] = p->ends[1];
    }
    for (int32_t i = 0; ok && i < f.n_lines; i++) {
        const weft_audit_line *l = &f.lines[i];
        PyObject *points = bytes_of(f.points + l->first_point, l->n_points, sizeof *f.points);
        PyObject *t = points ? Py_BuildValue("(iOO)", l->contour, l->closed ? Py_True : Py_False, points) : NULL;
        ok = t && PyList_Append(contours, t) == 0;
        Py_XDECREF(points);
        Py_XDECREF(t);
    }
    if (ok)
        out = Py_BuildValue("(OOOOiLLL)", ti, kinds, ends, contours, f.n_contours, (long long)f.n_cloth_pairs,
                            (long long)f.n_collider_pairs, (long long)f.n_tested);
    Py_XDECREF(pairs);
    Py_XDECREF(contours);
    Py_XDECREF(ti);
    Py_XDECREF(ends);
    Py_XDECREF(kinds);
    return out;
}

static PyObject *audit(PyObject *module, PyObject *args)
{
    PyObject *p[5], *out = NULL;
    int n_threads;
    array_in same = {0};
    surfaces_in in = {0};
    weft_audit_def def = weft_audit_def_default();
    weft_audit *made = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOi", &p[0], &p[1], &p[2], &p[3], &p[4], &n_threads))
        return NULL;
    if (surfaces_from(p[0], p[1], p[2], p[3], &in) && array_in_ints(p[4], "same", 1, &same) &&
        same_rows(&same, "same", in.x.n)) {
        def.n_nodes = in.x.n;
        def.positions = in.x.items;
        def.n_triangles = in.t.n;
        def.triangles = in.t.items;
        def.objects = in.objects.items;
        def.n_objects = in.n_objects;
        def.object_is_collider = in.is_collider;
        def.same = same.items;
        def.n_threads = n_threads;
        weft_result r;
        Py_BEGIN_ALLOW_THREADS
        r = weft_audit_create(&def, &made, &e);
        if (r >= 0)
            r = weft_audit_run(made, NULL, 0, &e);
        Py_END_ALLOW_THREADS
        out = r < 0 ? raise_weft(&e) : audit_result(made);
        weft_audit_destroy(made);
    }
    surfaces_free(&in);
    array_in_free(&same);
    return out;
}

static PyObject *untangle(PyObject *module, PyObject *args)
{
    PyObject *p[5], *dict, *out = NULL;
    surfaces_in in = {0};
    array_in masses = {0};
    weft_untangle_def def = weft_untangle_def_default();
    weft_untangle_report r = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOO", &p[0], &p[1], &p[2], &p[3], &p[4], &dict))
        return NULL;
    if (surfaces_from(p[0], p[1], p[2], p[3], &in) && array_in_doubles(p[4], "masses", 1, &masses) &&
        same_rows(&masses, "masses", in.x.n) && fields_set(untangle_fields, &def, dict, "untangle")) {
        def.n_nodes = in.x.n;
        def.positions = in.x.items;
        def.n_triangles = in.t.n;
        def.triangles = in.t.items;
        def.objects = in.objects.items;
        def.n_objects = in.n_objects;
        def.object_is_collider = in.is_collider;
        def.masses = masses.items;
        weft_result code;
        Py_BEGIN_ALLOW_THREADS
        code = weft_untangle(&def, in.x.items, &r, &e);
        Py_END_ALLOW_THREADS
        PyObject *x = code < 0 ? raise_weft(&e) : bytes_of(in.x.items, in.x.n, sizeof(weft_vec3));
        if (x)
            out = Py_BuildValue("(O{sL sL sL sL sd sd si si si si sd sd})", x, "pairs_before",
                                (long long)r.pairs_before, "pairs_after", (long long)r.pairs_after, "inside_before",
                                (long long)r.inside_before, "inside_after", (long long)r.inside_after, "length_before",
                                r.length_before, "length_after", r.length_after, "contours_before", r.contours_before,
                                "contours_after", r.contours_after, "n_iterations", r.n_iterations, "n_moved",
                                r.n_moved, "mean_move", r.mean_move, "max_move", r.max_move);
        Py_XDECREF(x);
    }
    surfaces_free(&in);
    array_in_free(&masses);
    return out;
}

/* ---- collision detection ----------------------------------------------------------------------------------------- */

static PyObject *ccd(PyObject *module, PyObject *args)
{
    PyObject *p[2], *out = NULL;
    int edges;
    double thickness;
    array_in x0 = {0}, x1 = {0};
    weft_ccd_hit hit;
    (void)module;
    if (!PyArg_ParseTuple(args, "pOOd", &edges, &p[0], &p[1], &thickness))
        return NULL;
    if (array_in_doubles(p[0], "x0", 3, &x0) && array_in_doubles(p[1], "x1", 3, &x1)) {
        if (x0.n != 4 || x1.n != 4 || !(thickness >= 0)) {
            PyErr_SetString(PyExc_ValueError, "x0 and x1 need four corners each, and thickness must be 0 or more");
        } else if ((edges ? weft_ccd_edge_edge : weft_ccd_vertex_triangle)(x0.items, x1.items, thickness, &hit)) {
            out = Py_BuildValue("(dd(dddd)(ddd))", hit.time, hit.time_lower, hit.weight[0], hit.weight[1],
                                hit.weight[2], hit.weight[3], hit.normal.x, hit.normal.y, hit.normal.z);
        } else {
            Py_INCREF(Py_None);
            out = Py_None;
        }
    }
    array_in_free(&x0);
    array_in_free(&x1);
    return out;
}

static PyObject *ccd_thickness(PyObject *module, PyObject *args)
{
    PyObject *p, *out = NULL;
    int edges;
    double thickness, factor;
    array_in x = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "pOdd", &edges, &p, &thickness, &factor) || !array_in_doubles(p, "x", 3, &x))
        return NULL;
    if (x.n != 4)
        PyErr_SetString(PyExc_ValueError, "x needs four corners");
    else
        out = PyFloat_FromDouble(
            (edges ? weft_ccd_edge_edge_thickness : weft_ccd_vertex_triangle_thickness)(x.items, thickness, factor));
    array_in_free(&x);
    return out;
}

/* All pairs must be of primitives that there are, and these of nodes that there are. */
static bool indices_fit(const array_in *a, int64_t columns, const char *name, int32_t even, int32_t odd)
{
    const int32_t *i = a->items;
    for (int64_t k = 0; k < a->n * columns; k++) {
        int32_t n = k % columns % 2 ? odd : even;
        if (i[k] < 0 || i[k] >= n) {
            PyErr_Format(PyExc_IndexError, "%s: number %lld is %d, outside [0, %d)", name, (long long)k, (int)i[k],
                         (int)n);
            return false;
        }
    }
    return true;
}

static PyObject *ccd_many(PyObject *module, PyObject *args)
{
    PyObject *p[4], *out = NULL;
    int edges;
    double thickness;
    array_in x0 = {0}, x1 = {0}, prims = {0}, pairs = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "pOOOOd", &edges, &p[0], &p[1], &p[2], &p[3], &thickness))
        return NULL;
    int columns = edges ? 2 : 3;
    weft_ccd_place *places = NULL;
    int64_t *found = NULL;
    if (array_in_doubles(p[0], "x0", 3, &x0) && array_in_doubles(p[1], "x1", 3, &x1) && same_rows(&x1, "x1", x0.n) &&
        array_in_ints(p[2], edges ? "edges" : "triangles", columns, &prims) &&
        array_in_ints(p[3], "pairs", 2, &pairs) &&
        indices_fit(&prims, columns, edges ? "edges" : "triangles", x1.n, x1.n) &&
        indices_fit(&pairs, 2, "pairs", edges ? prims.n : x1.n, prims.n)) {
        places = malloc((size_t)x0.n * sizeof *places + 1);
        found = malloc((size_t)pairs.n * sizeof *found + 1);
        int64_t n = 0;
        if (!places || !found) {
            PyErr_NoMemory();
        } else if (!(thickness >= 0)) {
            PyErr_SetString(PyExc_ValueError, "thickness must be 0 or more");
        } else {
            Py_BEGIN_ALLOW_THREADS
            weft_ccd_motion m = weft_ccd_motion_of(x0.n, x0.items, x1.items, places);
            n = (edges ? weft_ccd_find_edge_edge : weft_ccd_find_vertex_triangle)(&m, prims.items, pairs.items, pairs.n,
                                                                                  thickness, found);
            Py_END_ALLOW_THREADS
            out = bytes_of(found, n, sizeof *found);
        }
    }
    free(places);
    free(found);
    array_in_free(&x0);
    array_in_free(&x1);
    array_in_free(&prims);
    array_in_free(&pairs);
    return out;
}

static PyObject *detect_found(const weft_detector *d, const weft_detected *f)
{
    weft_detector_info info = weft_detector_get_info(d);
    PyObject *a = bytes_of(f->vertex_triangle, f->n_vertex_triangle, sizeof *f->vertex_triangle);
    PyObject *b = bytes_of(f->edge_edge, f->n_edge_edge, sizeof *f->edge_edge);
    PyObject *c = bytes_of(f->triangle_pairs, f->n_triangle_pairs, sizeof *f->triangle_pairs);
    PyObject *edges = bytes_of(weft_detector_edges(d), info.n_edges, sizeof(weft_detect_edge));
    PyObject *out = a && b && c && edges ? Py_BuildValue("(OOOO)", a, b, c, edges) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    Py_XDECREF(edges);
    return out;
}

static PyObject *detect(PyObject *module, PyObject *args)
{
    PyObject *p[5], *out = NULL;
    double inflate, thickness;
    int mode, triangle_pairs, n_threads;
    surfaces_in in = {0};
    array_in x1 = {0};
    weft_detector *d = NULL;
    weft_detector_def def = weft_detector_def_default();
    weft_detect_query q = weft_detect_query_default();
    weft_detected found;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOddipi", &p[0], &p[1], &p[2], &p[3], &p[4], &inflate, &thickness, &mode,
                          &triangle_pairs, &n_threads))
        return NULL;
    if (surfaces_from(p[0], p[2], p[3], p[4], &in) && array_in_doubles(p[1], "x1", 3, &x1) &&
        same_rows(&x1, "x1", in.x.n)) {
        def.n_nodes = in.x.n;
        def.positions = in.x.items;
        def.n_triangles = in.t.n;
        def.triangles = in.t.items;
        def.object = in.objects.items;
        def.n_objects = in.n_objects;
        def.fixed = in.is_collider;
        def.n_threads = n_threads;
        q.mode = (weft_detect_mode)mode;
        q.thickness = thickness;
        q.triangle_pairs = triangle_pairs;
        weft_result r;
        Py_BEGIN_ALLOW_THREADS
        r = weft_detector_create(&def, &d, &e);
        if (r >= 0)
            r = weft_detector_fit(d, in.x.items, x1.items, inflate, &e);
        if (r >= 0)
            r = weft_detector_find(d, &q, &found, &e);
        Py_END_ALLOW_THREADS
        out = r < 0 ? raise_weft(&e) : detect_found(d, &found);
        weft_detector_destroy(d);
    }
    surfaces_free(&in);
    array_in_free(&x1);
    return out;
}

/* ---- dress forms ------------------------------------------------------------------------------------------------- */

static PyObject *form(PyObject *module, PyObject *args)
{
    PyObject *measures, *dict, *out = NULL;
    weft_form_def def = weft_form_def_default();
    weft_form *made = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &measures, &dict) ||
        !fields_set(measures_fields, &def.measures, measures, "measures") ||
        !fields_set(form_fields, &def, dict, "form"))
        return NULL;
    weft_result r;
    Py_BEGIN_ALLOW_THREADS
    r = weft_form_create(&def, &made, &e);
    Py_END_ALLOW_THREADS
    if (r < 0)
        return raise_weft(&e);
    const weft_form_data *f = weft_form_get(made);
    PyObject *x = bytes_of(f->vertices, f->n_vertices, sizeof *f->vertices);
    PyObject *t = bytes_of(f->triangles, f->n_triangles, 3 * sizeof *f->triangles);
    if (x && t)
        out = Py_BuildValue("(OO)", x, t);
    Py_XDECREF(x);
    Py_XDECREF(t);
    weft_form_destroy(made);
    return out;
}

static PyObject *draft_list(PyObject *module, PyObject *none)
{
    PyObject *out = PyList_New(0);
    (void)module;
    (void)none;
    for (int32_t i = 0; out && i < weft_draft_count(); i++) {
        PyObject *t = Py_BuildValue("(ss)", weft_draft_name(i), weft_draft_about(i));
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

PyMethodDef python_tool_methods[] = {
    {"fabric_find", fabric_find, METH_O, NULL},
    {"fabric_check", fabric_check, METH_O, NULL},
    {"fabric_list", fabric_list, METH_NOARGS, NULL},
    {"audit", audit, METH_VARARGS, NULL},
    {"untangle", untangle, METH_VARARGS, NULL},
    {"ccd", ccd, METH_VARARGS, NULL},
    {"ccd_thickness", ccd_thickness, METH_VARARGS, NULL},
    {"ccd_many", ccd_many, METH_VARARGS, NULL},
    {"detect", detect, METH_VARARGS, NULL},
    {"form", form, METH_VARARGS, NULL},
    {"draft_list", draft_list, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
