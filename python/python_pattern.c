/* SPDX-License-Identifier: MIT */
/* Sewing patterns. A panel goes to Python as a dict: curves (kind, from, control, control, radius, is_large, is_left),
 * edges (name, first, n, elastic), lines (kind, name, points, value), notches (name, at), and back the same way. */
#include "python_weft.h"

#include <stdlib.h>

static void free_pattern(PyObject *capsule)
{
    weft_pattern_destroy(PyCapsule_GetPointer(capsule, "pattern"));
}

static weft_pattern *pattern_from(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, "pattern");
}

static PyObject *wrap_pattern(weft_result r, weft_pattern *p, const weft_error *e)
{
    return r < 0 ? raise_weft(e) : PyCapsule_New(p, "pattern", free_pattern);
}

/* ---- panels to Python -------------------------------------------------------------------------------------------- */

/* A list of what `make` makes of each item. */
static PyObject *list_of(const void *panel, int32_t n, PyObject *(*make)(const void *panel, int32_t i))
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < n; i++) {
        PyObject *t = make(panel, i);
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *curve_tuple(const void *panel, int32_t i)
{
    const weft_curve *c = &((const weft_panel *)panel)->curves[i];
    return Py_BuildValue("(i(dd)(dd)(dd)dNN)", (int)c->kind, c->from.u, c->from.v, c->control[0].u, c->control[0].v,
                         c->control[1].u, c->control[1].v, c->radius, PyBool_FromLong(c->is_large),
                         PyBool_FromLong(c->is_left));
}

static PyObject *edge_tuple(const void *panel, int32_t i)
{
    const weft_edge *e = &((const weft_panel *)panel)->edges[i];
    return Py_BuildValue("(ziid)", e->name, e->first, e->n, e->elastic);
}

static PyObject *point_list(const weft_vec2 *p, int32_t n)
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < n; i++) {
        PyObject *t = Py_BuildValue("(dd)", p[i].u, p[i].v);
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *line_tuple(const void *panel, int32_t i)
{
    const weft_line *l = &((const weft_panel *)panel)->lines[i];
    PyObject *points = point_list(l->points, l->n_points);
    return points ? Py_BuildValue("(izNd)", (int)l->kind, l->name, points, l->value) : NULL;
}

static PyObject *notch_tuple(const void *panel, int32_t i)
{
    const weft_notch *n = &((const weft_panel *)panel)->notches[i];
    return Py_BuildValue("(z(dd))", n->name, n->at.u, n->at.v);
}

static PyObject *loop_size(const void *panel, int32_t i)
{
    return PyLong_FromLong(((const weft_panel *)panel)->loop_sizes[i]);
}

static PyObject *panel_dict(const weft_panel *p)
{
    PyObject *d = PyDict_New();
    if (dict_put(d, "name", Py_BuildValue("z", p->name)) && dict_put(d, "label", Py_BuildValue("z", p->label)) &&
        dict_put(d, "loop_sizes", list_of(p, p->n_loops, loop_size)) &&
        dict_put(d, "curves", list_of(p, p->n_curves, curve_tuple)) &&
        dict_put(d, "edges", list_of(p, p->n_edges, edge_tuple)) &&
        dict_put(d, "lines", list_of(p, p->n_lines, line_tuple)) &&
        dict_put(d, "notches", list_of(p, p->n_notches, notch_tuple)) &&
        dict_put(d, "grain", Py_BuildValue("(dd)", p->grain.u, p->grain.v)) &&
        dict_put(d, "placement", placement_dict(&p->placement)))
        return d;
    Py_XDECREF(d);
    return NULL;
}

static PyObject *part_list(const weft_seam_part *parts, int32_t n)
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < n; i++) {
        PyObject *t = Py_BuildValue("(iidd)", parts[i].panel, parts[i].edge, parts[i].from, parts[i].to);
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *seam_dict(const weft_pattern *p, int32_t i)
{
    const weft_seam *s = weft_pattern_seam(p, i);
    double a = 0, b = 0;
    weft_error e;
    PyObject *d = PyDict_New();
    if (weft_pattern_seam_lengths(p, i, &a, &b, &e) >= 0 && dict_put(d, "name", Py_BuildValue("z", s->name)) &&
        dict_put(d, "kind", PyLong_FromLong(s->kind)) && dict_put(d, "a", part_list(s->a, s->n_a)) &&
        dict_put(d, "b", part_list(s->b, s->n_b)) &&
        dict_put(d, "same_direction", PyBool_FromLong(s->same_direction)) &&
        dict_put(d, "lengths", Py_BuildValue("(dd)", a, b)))
        return d;
    Py_XDECREF(d);
    return PyErr_Occurred() ? NULL : raise_weft(&e);
}

/* ---- panels from Python ------------------------------------------------------------------------------------------ */

typedef struct panel_in {
    weft_panel panel;
    weft_curve *curves;
    weft_edge *edges;
    weft_line *lines;
    weft_notch *notches;
    array_in loops;
    array_in *points; /* of lines */
    PyObject *kept;   /* that texts belong to */
} panel_in;

static void panel_in_free(panel_in *p)
{
    for (int32_t i = 0; p->points && i < p->panel.n_lines; i++)
        array_in_free(&p->points[i]);
    free(p->points);
    free(p->curves);
    free(p->edges);
    free(p->lines);
    free(p->notches);
    array_in_free(&p->loops);
    Py_XDECREF(p->kept);
}

/* A tuple of the items of dict[key], each a tuple; NULL: raised. Kept in `kept`. */
static PyObject *rows_of(panel_in *p, PyObject *dict, const char *key, int32_t *n)
{
    PyObject *list = PyDict_GetItemString(dict, key), *rows = list ? PySequence_Tuple(list) : PyTuple_New(0);
    *n = rows ? (int32_t)PyTuple_Size(rows) : 0;
    for (int32_t i = 0; rows && i < *n; i++)
        if (!PyTuple_Check(PyTuple_GetItem(rows, i))) {
            PyErr_Format(PyExc_TypeError, "%s[%d] must be a tuple", key, (int)i);
            Py_CLEAR(rows);
        }
    bool kept = rows && PyList_Append(p->kept, rows) == 0;
    Py_XDECREF(rows); /* the list has it */
    return kept ? rows : NULL;
}

static void *items_for(int32_t n, size_t size)
{
    void *items = calloc((size_t)n + 1, size);
    if (!items)
        PyErr_NoMemory();
    return items;
}

static bool curves_from(panel_in *p, PyObject *dict)
{
    PyObject *rows = rows_of(p, dict, "curves", &p->panel.n_curves);
    p->curves = rows ? items_for(p->panel.n_curves, sizeof *p->curves) : NULL;
    for (int32_t i = 0; p->curves && i < p->panel.n_curves; i++) {
        weft_curve *c = &p->curves[i];
        int kind, large, left;
        if (!PyArg_ParseTuple(PyTuple_GetItem(rows, i),
                              "i(dd)(dd)(dd)dpp;a curve is (kind, from, control, control, "
                              "radius, is_large, is_left)",
                              &kind, &c->from.u, &c->from.v, &c->control[0].u, &c->control[0].v, &c->control[1].u,
                              &c->control[1].v, &c->radius, &large, &left))
            return false;
        c->kind = (weft_curve_kind)kind;
        c->is_large = large;
        c->is_left = left;
    }
    return p->curves != NULL;
}

static bool edges_from(panel_in *p, PyObject *dict)
{
    PyObject *rows = rows_of(p, dict, "edges", &p->panel.n_edges);
    p->edges = rows ? items_for(p->panel.n_edges, sizeof *p->edges) : NULL;
    for (int32_t i = 0; p->edges && i < p->panel.n_edges; i++) {
        weft_edge *e = &p->edges[i];
        if (!PyArg_ParseTuple(PyTuple_GetItem(rows, i), "ziid;an edge is (name, first, n, elastic)", &e->name,
                              &e->first, &e->n, &e->elastic))
            return false;
    }
    return p->edges != NULL;
}

static bool lines_from(panel_in *p, PyObject *dict)
{
    PyObject *rows = rows_of(p, dict, "lines", &p->panel.n_lines);
    p->lines = rows ? items_for(p->panel.n_lines, sizeof *p->lines) : NULL;
    p->points = p->lines ? items_for(p->panel.n_lines, sizeof *p->points) : NULL;
    for (int32_t i = 0; p->points && i < p->panel.n_lines; i++) {
        weft_line *l = &p->lines[i];
        PyObject *points;
        int kind;
        if (!PyArg_ParseTuple(PyTuple_GetItem(rows, i), "izOd;a line is (kind, name, points, value)", &kind, &l->name,
                              &points, &l->value) ||
            !array_in_doubles(points, "points", 2, &p->points[i]))
            return false;
        l->kind = (weft_line_kind)kind;
        l->points = p->points[i].items;
        l->n_points = p->points[i].n;
    }
    return p->points != NULL;
}

static bool notches_from(panel_in *p, PyObject *dict)
{
    PyObject *rows = rows_of(p, dict, "notches", &p->panel.n_notches);
    p->notches = rows ? items_for(p->panel.n_notches, sizeof *p->notches) : NULL;
    for (int32_t i = 0; p->notches && i < p->panel.n_notches; i++) {
        weft_notch *n = &p->notches[i];
        if (!PyArg_ParseTuple(PyTuple_GetItem(rows, i), "z(dd);a notch is (name, at)", &n->name, &n->at.u, &n->at.v))
            return false;
    }
    return p->notches != NULL;
}

static bool text_from(PyObject *dict, const char *key, const char **out)
{
    PyObject *o = PyDict_GetItemString(dict, key);
    *out = o && o != Py_None ? text_in(o, key, -1) : NULL;
    return !PyErr_Occurred();
}

static bool grain_from(PyObject *dict, weft_vec2 *out)
{
    PyObject *o = PyDict_GetItemString(dict, "grain"), *t = o ? PySequence_Tuple(o) : NULL;
    bool ok = !o || (t && PyArg_ParseTuple(t, "dd;grain is (u, v)", &out->u, &out->v));
    Py_XDECREF(t);
    return ok;
}

static bool panel_from(PyObject *dict, panel_in *p)
{
    *p = (panel_in){.panel = weft_panel_default(), .kept = PyList_New(0)};
    if (!p->kept || !PyDict_Check(dict)) {
        if (p->kept)
            PyErr_SetString(PyExc_TypeError, "a panel must be a dict");
        return false;
    }
    PyObject *loops = PyDict_GetItemString(dict, "loop_sizes"), *placement = PyDict_GetItemString(dict, "placement");
    if (PyList_Append(p->kept, dict) < 0 || !text_from(dict, "name", &p->panel.name) ||
        !text_from(dict, "label", &p->panel.label) || !curves_from(p, dict) || !edges_from(p, dict) ||
        !lines_from(p, dict) || !notches_from(p, dict) || !grain_from(dict, &p->panel.grain) ||
        !array_in_ints(loops, "loop_sizes", 1, &p->loops) ||
        (placement && placement != Py_None && !placement_from(placement, &p->panel.placement)))
        return false;
    p->panel.n_loops = loops ? p->loops.n : 1;
    p->panel.loop_sizes = loops ? p->loops.items : &p->panel.n_curves;
    p->panel.curves = p->curves;
    p->panel.edges = p->edges;
    p->panel.lines = p->lines;
    p->panel.notches = p->notches;
    return true;
}

static weft_seam_part *parts_from(PyObject *list, int32_t *n)
{
    PyObject *rows = list ? PySequence_Tuple(list) : NULL;
    if (!rows) {
        if (!list)
            PyErr_SetString(PyExc_TypeError, "a seam needs a and b");
        return NULL;
    }
    *n = (int32_t)PyTuple_Size(rows);
    weft_seam_part *parts = items_for(*n, sizeof *parts);
    for (int32_t i = 0; parts && i < *n; i++) {
        PyObject *row = PyTuple_GetItem(rows, i);
        if (!PyTuple_Check(row))
            PyErr_Format(PyExc_TypeError, "part %d of a seam must be a tuple", (int)i);
        if (!PyTuple_Check(row) || !PyArg_ParseTuple(row, "iidd;a part is (panel, edge, from, to)", &parts[i].panel,
                                                     &parts[i].edge, &parts[i].from, &parts[i].to)) {
            free(parts);
            parts = NULL;
        }
    }
    Py_DECREF(rows);
    return parts;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static PyObject *pattern_new(PyObject *module, PyObject *none)
{
    weft_pattern *p = NULL;
    weft_error e;
    (void)module;
    (void)none;
    weft_result r = weft_pattern_create(NULL, NULL, &p, &e);
    return wrap_pattern(r, p, &e);
}

static PyObject *pattern_add_panel(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dict, *out = NULL;
    panel_in in;
    int32_t number;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &dict))
        return NULL;
    weft_pattern *p = pattern_from(capsule);
    if (!p)
        return NULL;
    if (panel_from(dict, &in))
        out = weft_pattern_add_panel(p, &in.panel, &number, &e) < 0 ? raise_weft(&e) : PyLong_FromLong(number);
    panel_in_free(&in);
    return out;
}

static PyObject *pattern_add_seam(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dict, *out = NULL;
    weft_seam seam = weft_seam_default();
    int32_t number;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyDict_Type, &dict))
        return NULL;
    weft_pattern *p = pattern_from(capsule);
    if (!p || !text_from(dict, "name", &seam.name))
        return NULL;
    PyObject *kind = PyDict_GetItemString(dict, "kind"), *same = PyDict_GetItemString(dict, "same_direction");
    long k = kind ? PyLong_AsLong(kind) : 0;
    if (PyErr_Occurred())
        return NULL;
    weft_seam_part *a = parts_from(PyDict_GetItemString(dict, "a"), &seam.n_a);
    weft_seam_part *b = a ? parts_from(PyDict_GetItemString(dict, "b"), &seam.n_b) : NULL;
    if (k != 0 && k != 1)
        PyErr_SetString(PyExc_ValueError, "kind of a seam must be 0, plain, or 1, a dart");
    else if (b) {
        seam.kind = (weft_seam_kind)k;
        seam.same_direction = same && PyObject_IsTrue(same) > 0;
        seam.a = a;
        seam.b = b;
        out = weft_pattern_add_seam(p, &seam, &number, &e) < 0 ? raise_weft(&e) : PyLong_FromLong(number);
    }
    free(a);
    free(b);
    return out;
}

/* The panel seen from its other side. */
static PyObject *panel_turn(PyObject *module, PyObject *dict)
{
    panel_in in;
    PyObject *out = NULL;
    weft_vec2 *points = NULL;
    int32_t n = 0, at = 0;
    (void)module;
    if (panel_from(dict, &in)) {
        for (int32_t i = 0; i < in.panel.n_lines; i++)
            n += in.lines[i].n_points;
        points = items_for(n, sizeof *points);
        for (int32_t i = 0; points && i < in.panel.n_lines; i++) {
            for (int32_t k = 0; k < in.lines[i].n_points; k++)
                points[at + k] = in.lines[i].points[k];
            in.lines[i].points = points + at;
            at += in.lines[i].n_points;
        }
        if (points) {
            weft_panel_turn(&in.panel, in.curves, points, n, in.notches);
            out = panel_dict(&in.panel);
        }
    }
    free(points);
    panel_in_free(&in);
    return out;
}

static PyObject *curves_turn(PyObject *module, PyObject *dict)
{
    panel_in in = {.kept = PyList_New(0)};
    PyObject *out = NULL;
    (void)module;
    if (in.kept && !PyDict_Check(dict))
        PyErr_SetString(PyExc_TypeError, "a panel must be a dict");
    else if (in.kept && curves_from(&in, dict))
        out = PyFloat_FromDouble(weft_curves_turn(in.curves, in.panel.n_curves));
    panel_in_free(&in);
    return out;
}

/* (path, None) or (name, bytes, format or -1: by its text) */
static PyObject *pattern_read(PyObject *module, PyObject *args)
{
    const char *path, *bytes;
    Py_ssize_t size;
    int format;
    weft_pattern *p = NULL;
    weft_error e;
    weft_result r;
    weft_pattern_format f;
    (void)module;
    if (!PyArg_ParseTuple(args, "sz#i", &path, &bytes, &size, &format))
        return NULL;
    f = (weft_pattern_format)format;
    if (bytes && format < 0 && !weft_pattern_detect(bytes, (size_t)size, &f))
        f = WEFT_PATTERN_DXF;
    Py_BEGIN_ALLOW_THREADS
    r = bytes ? weft_pattern_parse(f, path, bytes, (size_t)size, &p, &e) : weft_pattern_read(path, &p, &e);
    Py_END_ALLOW_THREADS
    return wrap_pattern(r, p, &e);
}

static PyObject *pattern_draft(PyObject *module, PyObject *args)
{
    const char *draft;
    PyObject *measures;
    weft_measures m = weft_measures_default();
    weft_pattern *p = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO", &draft, &measures) || !fields_set(measures_fields, &m, measures, "measures"))
        return NULL;
    weft_result r = weft_draft(draft, &m, &p, &e);
    return wrap_pattern(r, p, &e);
}

static PyObject *panel_facts(const weft_pattern *p, int32_t k)
{
    weft_panel_info i;
    weft_error e;
    PyObject *d = panel_dict(weft_pattern_panel(p, k));
    if (weft_pattern_panel_info(p, k, &i, &e) < 0) {
        Py_XDECREF(d);
        return raise_weft(&e);
    }
    if (dict_put(d, "area", PyFloat_FromDouble(i.area)) && dict_put(d, "perimeter", PyFloat_FromDouble(i.perimeter)) &&
        dict_put(d, "low", Py_BuildValue("(dd)", i.low.u, i.low.v)) &&
        dict_put(d, "high", Py_BuildValue("(dd)", i.high.u, i.high.v)) &&
        dict_put(d, "rib", PyBool_FromLong(weft_pattern_is_rib(p, k))))
        return d;
    Py_XDECREF(d);
    return NULL;
}

/* (panels, seams) as dicts */
static PyObject *pattern_info(PyObject *module, PyObject *capsule)
{
    const weft_pattern *p = pattern_from(capsule);
    (void)module;
    PyObject *panels = p ? PyList_New(0) : NULL, *seams = p ? PyList_New(0) : NULL;
    bool ok = panels && seams;
    for (int32_t k = 0; ok && k < weft_pattern_panel_count(p); k++) {
        PyObject *d = panel_facts(p, k);
        ok = d && PyList_Append(panels, d) == 0;
        Py_XDECREF(d);
    }
    for (int32_t k = 0; ok && k < weft_pattern_seam_count(p); k++) {
        PyObject *d = seam_dict(p, k);
        ok = d && PyList_Append(seams, d) == 0;
        Py_XDECREF(d);
    }
    PyObject *out = ok ? Py_BuildValue("(OO)", panels, seams) : NULL;
    Py_XDECREF(panels);
    Py_XDECREF(seams);
    return out;
}

/* (what, pattern, path, ratio, force, garment or None, width) */
static PyObject *pattern_do(PyObject *module, PyObject *args)
{
    PyObject *capsule, *garment;
    const char *what, *path;
    double ratio, width;
    int force;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "sOzdpOd", &what, &capsule, &path, &ratio, &force, &garment, &width))
        return NULL;
    const weft_pattern *p = pattern_from(capsule);
    if (!p)
        return NULL;
    if (*what == 'c')
        return done(weft_pattern_check(p, ratio, &e), &e);
    if (*what == 'w')
        return done(weft_pattern_write(path ? path : "", p, force, &e), &e);
    weft_svg_def def = weft_svg_def_default();
    def.force = force;
    def.width = width;
    def.garment = garment == Py_None ? NULL : PyCapsule_GetPointer(garment, "garment");
    return PyErr_Occurred() ? NULL : done(weft_pattern_write_svg(path ? path : "", p, &def, &e), &e);
}

static PyObject *pattern_find(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *panel, *edge;
    (void)module;
    if (!PyArg_ParseTuple(args, "Osz", &capsule, &panel, &edge))
        return NULL;
    const weft_pattern *p = pattern_from(capsule);
    if (!p)
        return NULL;
    int32_t k = weft_pattern_find_panel(p, panel);
    return Py_BuildValue("(ii)", k, edge && k >= 0 ? weft_pattern_find_edge(p, k, edge) : -1);
}

/* Length and points of an edge. */
static PyObject *pattern_edge(PyObject *module, PyObject *args)
{
    PyObject *capsule, *out = NULL;
    int panel, edge;
    int32_t n = 0;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oii", &capsule, &panel, &edge))
        return NULL;
    const weft_pattern *p = pattern_from(capsule);
    if (!p)
        return NULL;
    if (weft_pattern_edge_points(p, panel, edge, NULL, &n, &e) < 0)
        return raise_weft(&e);
    PyObject *b = bytes_of(NULL, n, sizeof(weft_vec2));
    if (b && weft_pattern_edge_points(p, panel, edge, (weft_vec2 *)(void *)PyBytes_AsString(b), &n, &e) >= 0)
        out = Py_BuildValue("(dO)", weft_pattern_edge_length(p, panel, edge), b);
    else if (b)
        raise_weft(&e);
    Py_XDECREF(b);
    return out;
}

static PyObject *pattern_set_elastic(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int panel, edge;
    double elastic;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oiid", &capsule, &panel, &edge, &elastic))
        return NULL;
    weft_pattern *p = pattern_from(capsule);
    return p ? done(weft_pattern_set_elastic(p, panel, edge, elastic, &e), &e) : NULL;
}

PyMethodDef python_pattern_methods[] = {
    {"pattern_new", pattern_new, METH_NOARGS, NULL},
    {"pattern_add_panel", pattern_add_panel, METH_VARARGS, NULL},
    {"pattern_add_seam", pattern_add_seam, METH_VARARGS, NULL},
    {"panel_turn", panel_turn, METH_O, NULL},
    {"curves_turn", curves_turn, METH_O, NULL},
    {"pattern_read", pattern_read, METH_VARARGS, NULL},
    {"pattern_draft", pattern_draft, METH_VARARGS, NULL},
    {"pattern_info", pattern_info, METH_O, NULL},
    {"pattern_do", pattern_do, METH_VARARGS, NULL},
    {"pattern_find", pattern_find, METH_VARARGS, NULL},
    {"pattern_edge", pattern_edge, METH_VARARGS, NULL},
    {"pattern_set_elastic", pattern_set_elastic, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
