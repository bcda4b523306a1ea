/* SPDX-License-Identifier: MIT */
/* What needs no simulation: fabrics, the exact check, untangling, collision detection, dress forms. */
#include "python_weft.h"

#include <stdlib.h>

PyObject *bytes_of(const void *p, int64_t n, size_t size)
{
    return PyBytes_FromStringAndSize(p, (Py_ssize_t)((size_t)n * size));
}

PyObject *bytes_or_none(const void *p, int64_t n, size_t size)
{
    if (p)
        return bytes_of(p, n, size);
    Py_INCREF(Py_None);
    return Py_None;
}

bool dict_put(PyObject *dict, const char *key, PyObject *value)
{
    bool ok = dict && value && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return ok;
}

/* ---- fabrics ----------------------------------------------------------------------------------------------------- */

static PyObject *fabric_find(PyObject *module, PyObject *name)
{
    weft_fabric f = weft_fabric_default();
    weft_error e;
    (void)module;
    if (name != Py_None) {
        const char *text = text_in(name, "name", -1);
        if (!text)
            return NULL;
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
    weft_collider_def *solids; /* analytic colliders */
    int32_t n_solids;
} surfaces_in;

static void surfaces_free(surfaces_in *in)
{
    array_in_free(&in->x);
    array_in_free(&in->t);
    array_in_free(&in->objects);
    array_in_free(&in->colliders);
    free(in->is_collider);
    free(in->solids);
}

/* Marks objects by their numbers; NULL if one is out of range. */
static bool *marks_from(const array_in *numbers, const char *name, int32_t n_objects)
{
    const int32_t *c = numbers->items;
    bool *marks = calloc((size_t)n_objects, sizeof *marks);
    if (!marks)
        PyErr_NoMemory();
    for (int32_t i = 0; marks && i < numbers->n; i++) {
        if (c[i] < 0 || c[i] >= n_objects) {
            PyErr_Format(PyExc_ValueError, "%s[%d] is %d, there are %d objects", name, (int)i, (int)c[i],
                         (int)n_objects);
            free(marks);
            return NULL;
        }
        marks[c[i]] = true;
    }
    return marks;
}

/* `colliders` are numbers of objects. */
static bool surfaces_from(PyObject *x, PyObject *t, PyObject *objects, PyObject *colliders, surfaces_in *in)
{
    if (!array_in_doubles(x, "positions", 3, &in->x) || !array_in_ints(t, "triangles", 3, &in->t) ||
        !array_in_ints(objects, "objects", 1, &in->objects) ||
        !array_in_ints(colliders, "colliders", 1, &in->colliders) || !same_rows(&in->objects, "objects", in->t.n))
        return false;
    in->n_objects = 1;
    const int32_t *of = in->objects.items;
    for (int32_t i = 0; i < in->objects.n; i++)
        if (of[i] >= in->n_objects && of[i] < 1000000)
            in->n_objects = of[i] + 1;
    in->is_collider = marks_from(&in->colliders, "colliders", in->n_objects);
    return in->is_collider != NULL;
}

/* A list of dicts, as collider_fields has them. */
static bool solids_from(PyObject *list, surfaces_in *in)
{
    Py_ssize_t n = PySequence_Size(list);
    if (n < 0 || n > 100000)
        return n < 0 ? false : PyErr_Format(PyExc_ValueError, "solids: there are more than 100000") != NULL;
    in->solids = calloc((size_t)n + 1, sizeof *in->solids);
    if (!in->solids)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *dict = PySequence_GetItem(list, i);
        in->solids[i] = weft_collider_def_default();
        bool ok = dict && fields_set(collider_fields, &in->solids[i], dict, "a solid");
        Py_XDECREF(dict);
        if (!ok)
            return false;
    }
    in->n_solids = (int32_t)n;
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

/* Contours as dicts, triangles near solids as tuples, triangles without area. */
static PyObject *audit_more(const weft_audit *audit)
{
    weft_audit_found f = weft_audit_get(audit);
    PyObject *contours = PyList_New(0), *near_list = PyList_New(0);
    bool ok = contours && near_list;
    for (int32_t i = 0; ok && i < f.n_contours; i++) {
        const weft_audit_contour *c = &f.contours[i];
        PyObject *t =
            Py_BuildValue("{si sd s(ddd) s(ddd) s(ddd) s(ii) sN sN}", "n_pairs", c->n_pairs, "length", c->length,
                          "centre", c->centre.x, c->centre.y, c->centre.z, "lower", c->lower.x, c->lower.y, c->lower.z,
                          "upper", c->upper.x, c->upper.y, c->upper.z, "objects", c->object[0], c->object[1], "closed",
                          PyBool_FromLong(c->closed), "collider", PyBool_FromLong(c->collider));
        ok = t && PyList_Append(contours, t) == 0;
        Py_XDECREF(t);
    }
    for (int64_t i = 0; ok && i < f.n_near_triangles; i++) {
        const weft_audit_near *n = &f.near_triangles[i];
        PyObject *t =
            Py_BuildValue("(iid(ddd))", n->triangle, n->collider, n->distance, n->place.x, n->place.y, n->place.z);
        ok = t && PyList_Append(near_list, t) == 0;
        Py_XDECREF(t);
    }
    PyObject *degenerate = ok ? bytes_of(f.degenerate, f.n_degenerate, sizeof *f.degenerate) : NULL;
    PyObject *out = degenerate ? Py_BuildValue("(OOO)", contours, near_list, degenerate) : NULL;
    Py_XDECREF(contours);
    Py_XDECREF(near_list);
    Py_XDECREF(degenerate);
    return out;
}

static weft_result audit_now(surfaces_in *in, const array_in *same, const array_in *thickness, int n_threads,
                             weft_filter *const filters[2], long_call *call, weft_audit **made, weft_error *e)
{
    weft_audit_def def = weft_audit_def_default();
    def.n_nodes = in->x.n;
    def.positions = in->x.items;
    def.n_triangles = in->t.n;
    def.triangles = in->t.items;
    def.objects = in->objects.items;
    def.n_objects = in->n_objects;
    def.object_is_collider = in->is_collider;
    def.same = same->items;
    def.colliders = in->solids;
    def.n_colliders = in->n_solids;
    def.thickness = thickness->given ? thickness->items : NULL;
    def.object_filters = filters[0];
    def.collider_filters = filters[1];
    def.n_threads = n_threads;
    def.alloc = long_alloc;
    def.alloc_user = call;
    weft_result r = weft_audit_create(&def, made, e);
    return r < 0 ? r : weft_audit_run(*made, NULL, 0, e);
}

/* (positions, triangles, objects, colliders, same, solids, thickness of each object, filters of objects, of solids,
 * n_threads) */
static PyObject *audit(PyObject *module, PyObject *args)
{
    PyObject *p[9], *out = NULL;
    weft_filter *filters[2] = {NULL, NULL};
    int n_threads;
    array_in same = {0}, thickness = {0};
    surfaces_in in = {0};
    weft_audit *made = NULL;
    weft_error e;
    long_call call;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOi", &p[0], &p[1], &p[2], &p[3], &p[4], &p[5], &p[6], &p[7], &p[8],
                          &n_threads))
        return NULL;
    if (surfaces_from(p[0], p[1], p[2], p[3], &in) && array_in_ints(p[4], "same", 1, &same) &&
        same_rows(&same, "same", in.x.n) && solids_from(p[5], &in) &&
        array_in_doubles(p[6], "thickness", 1, &thickness) && same_rows(&thickness, "thickness", in.n_objects) &&
        filters_from(p[7], "filters", in.n_objects, &filters[0]) &&
        filters_from(p[8], "solid_filters", in.n_solids, &filters[1])) {
        long_begin(&call, NULL);
        weft_result r = audit_now(&in, &same, &thickness, n_threads, filters, &call, &made, &e);
        if (long_end(&call)) {
            PyObject *first = r < 0 ? raise_weft(&e) : audit_result(made), *more = first ? audit_more(made) : NULL;
            out = more ? Py_BuildValue("(OO)", first, more) : NULL;
            Py_XDECREF(first);
            Py_XDECREF(more);
        }
        call.interrupted = 0;
        weft_audit_destroy(made);
    }
    surfaces_free(&in);
    array_in_free(&same);
    array_in_free(&thickness);
    free(filters[0]);
    free(filters[1]);
    return out;
}

static PyObject *untangle_report(const weft_untangle_report *r)
{
    return Py_BuildValue(
        "{si si sL sL sL sL s(iii) si si si sd sd sd si si si si si si si si s(iiiii) si sd s(dddd) sd si sd sd}",
        "verdict", (int)r->verdict, "method", (int)r->method, "pairs_before", (long long)r->pairs_before, "pairs_after",
        (long long)r->pairs_after, "inside_before", (long long)r->inside_before, "inside_after",
        (long long)r->inside_after, "n_cut", r->n_cut[0], r->n_cut[1], r->n_cut[2], "n_open_edges", r->n_open_edges,
        "n_non_manifold_edges", r->n_non_manifold_edges, "n_flipped_edges", r->n_flipped_edges, "length_before",
        r->length_before, "length_after", r->length_after, "length_last", r->length_last, "contours_before",
        r->contours_before, "contours_after", r->contours_after, "n_closed", r->n_closed, "n_border", r->n_border,
        "n_loop", r->n_loop, "n_branch", r->n_branch, "n_undecided", r->n_undecided, "n_iterations", r->n_iterations,
        "iterations", r->iterations[0], r->iterations[1], r->iterations[2], r->iterations[3], r->iterations[4],
        "n_switched", r->n_switched, "area", r->area, "edge", r->edge[0], r->edge[1], r->edge[2], r->edge[3], "angles",
        r->angles, "n_moved", r->n_moved, "mean_move", r->mean_move, "max_move", r->max_move);
}

typedef struct untangle_in {
    surfaces_in surfaces;
    array_in masses, rigid, sides, layers;
    bool *is_rigid;
} untangle_in;

static void untangle_in_free(untangle_in *u)
{
    surfaces_free(&u->surfaces);
    array_in_free(&u->masses);
    array_in_free(&u->rigid);
    array_in_free(&u->sides);
    array_in_free(&u->layers);
    free(u->is_rigid);
}

/* (positions, triangles, objects, colliders, masses, rigid, sides, layers, solids, options) */
static bool untangle_from(PyObject *args, untangle_in *u, weft_untangle_def *def)
{
    PyObject *p[9], *dict;
    surfaces_in *in = &u->surfaces;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOO", &p[0], &p[1], &p[2], &p[3], &p[4], &p[5], &p[6], &p[7], &p[8], &dict) ||
        !surfaces_from(p[0], p[1], p[2], p[3], in) || !array_in_doubles(p[4], "masses", 1, &u->masses) ||
        !same_rows(&u->masses, "masses", in->x.n) || !array_in_ints(p[5], "rigid", 1, &u->rigid) ||
        !array_in_ints(p[6], "sides", 1, &u->sides) || !same_rows(&u->sides, "sides", in->n_objects) ||
        !array_in_ints(p[7], "layers", 2, &u->layers) || !solids_from(p[8], in) ||
        !fields_set(untangle_fields, def, dict, "untangle"))
        return false;
    u->is_rigid = u->rigid.n > 0 ? marks_from(&u->rigid, "rigid", in->n_objects) : NULL;
    if (u->rigid.n > 0 && !u->is_rigid)
        return false;
    def->n_nodes = in->x.n;
    def->positions = in->x.items;
    def->n_triangles = in->t.n;
    def->triangles = in->t.items;
    def->objects = in->objects.items;
    def->n_objects = in->n_objects;
    def->object_is_collider = in->is_collider;
    def->object_is_rigid = u->is_rigid;
    def->object_side = u->sides.given ? u->sides.items : NULL;
    def->layers = u->layers.n > 0 ? u->layers.items : NULL;
    def->n_layers = u->layers.n;
    def->colliders = in->solids;
    def->n_colliders = in->n_solids;
    def->masses = u->masses.items;
    return true;
}

static PyObject *untangle(PyObject *module, PyObject *args)
{
    PyObject *out = NULL;
    untangle_in u = {0};
    weft_untangle_def def = weft_untangle_def_default();
    weft_untangle_report r = {0};
    weft_error e;
    long_call call;
    (void)module;
    if (untangle_from(args, &u, &def)) {
        long_begin(&call, NULL);
        def.alloc = long_alloc;
        def.alloc_user = &call;
        weft_result code = weft_untangle(&def, u.surfaces.x.items, &r, &e);
        PyObject *x = NULL, *report = NULL;
        if (long_end(&call))
            x = code < 0 ? raise_weft(&e) : bytes_of(u.surfaces.x.items, u.surfaces.x.n, sizeof(weft_vec3));
        report = x ? untangle_report(&r) : NULL;
        out = report ? Py_BuildValue("(OO)", x, report) : NULL;
        Py_XDECREF(x);
        Py_XDECREF(report);
    }
    untangle_in_free(&u);
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
        long_call call;
        long_begin(&call, NULL);
        def.alloc = long_alloc;
        def.alloc_user = &call;
        weft_result r = weft_detector_create(&def, &d, &e);
        if (r >= 0)
            r = weft_detector_fit(d, in.x.items, x1.items, inflate, &e);
        if (r >= 0)
            r = weft_detector_find(d, &q, &found, &e);
        out = !long_end(&call) ? NULL : r < 0 ? raise_weft(&e) : detect_found(d, &found);
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
    long_call call;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &measures, &dict) ||
        !fields_set(measures_fields, &def.measures, measures, "measures") ||
        !fields_set(form_fields, &def, dict, "form"))
        return NULL;
    long_begin(&call, NULL);
    def.alloc = long_alloc;
    def.alloc_user = &call;
    weft_result r = weft_form_create(&def, &made, &e);
    if (!long_end(&call) || r < 0) {
        weft_form_destroy(made);
        return PyErr_Occurred() ? NULL : raise_weft(&e);
    }
    const weft_form_data *f = weft_form_get(made);
    PyObject *x = bytes_of(f->vertices, f->n_vertices, sizeof *f->vertices);
    PyObject *t = bytes_of(f->triangles, f->n_triangles, 3 * sizeof *f->triangles);
    PyObject *marks = fields_get(landmark_fields, f->landmarks);
    if (x && t && marks)
        out = Py_BuildValue("(OOO)", x, t, marks);
    Py_XDECREF(x);
    Py_XDECREF(t);
    Py_XDECREF(marks);
    call.interrupted = 0;
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
