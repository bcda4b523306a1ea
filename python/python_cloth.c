/* SPDX-License-Identifier: MIT */
/* Cloths. Ids go to Python as integers: index + generation · 2³². */
#include "python_weft.h"

#include <stdlib.h>
#include <string.h>

bool fabrics_from(PyObject *list, weft_fabric **out, int32_t *n)
{
    Py_ssize_t count = PySequence_Size(list);
    *out = NULL;
    *n = 0;
    if (count < 0 || count > 100000)
        return false;
    *out = malloc((size_t)count * sizeof **out + 1);
    if (!*out)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *dict = PySequence_GetItem(list, i);
        (*out)[i] = weft_fabric_default();
        bool ok = dict && fields_set(fabric_fields, &(*out)[i], dict, "a fabric");
        Py_XDECREF(dict);
        if (!ok)
            return false;
    }
    *n = (int32_t)count;
    return true;
}

bool model_from(sim_object *s, PyObject *o, int64_t n_faces, model_in *m)
{
    PyObject *model, *adapt, *size, *fabrics, *face_fabric, *face_panel, *panel_fabric;
    if (!PyTuple_Check(o))
        return PyErr_Format(PyExc_TypeError, "model must be a tuple") != NULL;
    if (!PyArg_ParseTuple(o, "OOOOOOO", &model, &adapt, &size, &fabrics, &face_fabric, &face_panel, &panel_fabric))
        return false;
    if (adapt != Py_None) {
        m->model.adapt = weft_adapt_default();
        if (!fields_set(adapt_fields, &m->model.adapt, adapt, "adapt") || !keep_size(s, size, &m->model.adapt))
            return false;
    }
    if (!fields_set(model_fields, &m->model, model, "a cloth") ||
        !fabrics_from(fabrics, &m->fabrics, &m->model.n_fabrics) ||
        !array_in_ints(face_fabric, "face_fabric", 1, &m->face_fabric) ||
        !array_in_ints(face_panel, "face_panel", 1, &m->face_panel) ||
        !array_in_ints(panel_fabric, "panel_fabric", 1, &m->panel_fabric))
        return false;
    if (n_faces >= 0 && ((m->face_fabric.given && m->face_fabric.n != n_faces) ||
                         (m->face_panel.given && m->face_panel.n != n_faces))) {
        PyErr_Format(PyExc_ValueError, "face_fabric and face_panel need a number for each of %lld faces",
                     (long long)n_faces);
        return false;
    }
    m->model.fabrics = m->model.n_fabrics > 0 ? m->fabrics : NULL;
    m->model.face_fabric = m->face_fabric.given ? m->face_fabric.items : NULL;
    m->model.face_panel = m->face_panel.given ? m->face_panel.items : NULL;
    m->model.panel_fabric = m->panel_fabric.given ? m->panel_fabric.items : NULL;
    m->model.n_panels = m->panel_fabric.given ? m->panel_fabric.n : 0;
    for (int32_t i = 0; m->face_panel.given && !m->panel_fabric.given && i < m->face_panel.n; i++)
        if (((int32_t *)m->face_panel.items)[i] >= m->model.n_panels)
            m->model.n_panels = ((int32_t *)m->face_panel.items)[i] + 1;
    return true;
}

void model_in_free(model_in *m)
{
    free(m->fabrics);
    array_in_free(&m->face_fabric);
    array_in_free(&m->face_panel);
    array_in_free(&m->panel_fabric);
}

static PyObject *cloth_create_grid(PyObject *module, PyObject *args)
{
    PyObject *o, *dict, *model, *out = NULL;
    weft_grid_def def = weft_grid_def_default();
    weft_cloth_id id;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO", &o, &dict, &model) || !fields_set(grid_fields, &def, dict, "a grid"))
        return NULL;
    SIM_OF(o);
    model_in m = {.model = def.model};
    if (s && model_from(s, model, (int64_t)(def.n_warp - 1) * (def.n_weft - 1), &m)) {
        sim_call c;
        def.model = m.model;
        sim_begin(s, &c);
        weft_result r = weft_cloth_create_grid(s->sim, &def, &id, &e);
        out = !sim_end(&c) ? NULL : r < 0 ? raise_weft(&e) : NUMBER(id);
    }
    model_in_free(&m);
    return out;
}

bool same_rows(const array_in *a, const char *name, int32_t n)
{
    if (!a->given || a->n == n)
        return true;
    PyErr_Format(PyExc_ValueError, "%s has %d rows, %d are needed", name, (int)a->n, (int)n);
    return false;
}

bool triangles_fit(const array_in *t, int32_t n_nodes)
{
    for (int64_t i = 0; i < 3 * (int64_t)t->n; i++) {
        int32_t vi = ((const int32_t *)t->items)[i];
        if (vi < 0 || vi >= n_nodes) {
            PyErr_Format(PyExc_IndexError, "triangles[%lld] names node %d, there are %d", (long long)(i / 3), (int)vi,
                         (int)n_nodes);
            return false;
        }
    }
    return true;
}

static PyObject *cloth_create_mesh(PyObject *module, PyObject *args)
{
    PyObject *o, *p[7], *model, *out = NULL;
    array_in x = {0}, v = {0}, uv = {0}, rest = {0}, mass = {0}, t = {0}, q = {0};
    weft_mesh_def def = weft_mesh_def_default();
    weft_cloth_id id;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOOOOO", &o, &p[0], &p[1], &p[2], &p[3], &p[4], &p[5], &p[6], &model))
        return NULL;
    SIM_OF(o);
    model_in m = {.model = def.model};
    if (s && array_in_doubles(p[0], "positions", 3, &x) && array_in_ints(p[1], "triangles", 3, &t) &&
        array_in_ints(p[2], "quads", 4, &q) && array_in_doubles(p[3], "uv", 2, &uv) &&
        array_in_doubles(p[4], "velocities", 3, &v) && array_in_doubles(p[5], "rest_positions", 3, &rest) &&
        array_in_doubles(p[6], "node_mass", 1, &mass) && same_rows(&uv, "uv", x.n) &&
        same_rows(&v, "velocities", x.n) && same_rows(&rest, "rest_positions", x.n) &&
        same_rows(&mass, "node_mass", x.n) && model_from(s, model, (int64_t)t.n + q.n, &m)) {
        def.n_nodes = x.n;
        def.positions = x.items;
        def.velocities = v.items;
        def.uv = uv.items;
        def.rest_positions = rest.items;
        def.node_mass = mass.items;
        def.n_triangles = t.n;
        def.triangles = t.items;
        def.n_quads = q.n;
        def.quads = q.items;
        def.model = m.model;
        sim_call c;
        sim_begin(s, &c);
        weft_result r = weft_cloth_create_mesh(s->sim, &def, &id, &e);
        out = !sim_end(&c) ? NULL : r < 0 ? raise_weft(&e) : NUMBER(id);
    }
    array_in *all[] = {&x, &v, &uv, &rest, &mass, &t, &q};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        array_in_free(all[i]);
    model_in_free(&m);
    return out;
}

static PyObject *thing_remove(PyObject *module, PyObject *args)
{
    PyObject *o;
    const char *what;
    long long id;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OsL", &o, &what, &id))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    switch (what[0] == 'c' ? what[1] : what[0]) {
    case 'l': return done(weft_cloth_remove(s->sim, ID(weft_cloth_id, id), &e), &e);
    case 'o': return done(weft_collider_remove(s->sim, ID(weft_collider_id, id), &e), &e);
    case 'a': return done(weft_attachment_remove(s->sim, ID(weft_attachment_id, id), &e), &e);
    default: return done(weft_tie_remove(s->sim, ID(weft_tie_id, id), &e), &e);
    }
}

static bool cloth_info_of(PyObject *args, PyObject **o, const char **what, PyObject **out, weft_cloth_id *id,
                          weft_cloth_info *info, sim_object **s)
{
    long long number;
    weft_error e;
    if (!PyArg_ParseTuple(args, "OLsO", o, &number, what, out))
        return false;
    *s = sim_from(*o);
    *id = ID(weft_cloth_id, number);
    if (!*s)
        return false;
    if (weft_cloth_get_info((*s)->sim, *id, info, &e) < 0)
        return raise_weft(&e) != NULL;
    return true;
}

static PyObject *cloth_info(PyObject *module, PyObject *args)
{
    PyObject *o, *unused;
    const char *what;
    weft_cloth_id id;
    weft_cloth_info i;
    sim_object *s;
    (void)module;
    if (!cloth_info_of(args, &o, &what, &unused, &id, &i, &s))
        return NULL;
    return Py_BuildValue("{si si si si si sI sd sd sd sd sd}", "n_nodes", i.n_nodes, "n_active", i.n_active,
                         "n_triangles", i.n_triangles, "n_faces", i.n_faces, "level", i.level, "revision", i.revision,
                         "mass", i.mass, "area", i.area, "edge_length", i.edge_length, "poisson_warp", i.poisson_warp,
                         "poisson_weft", i.poisson_weft);
}

/* positions, velocities, normals: doubles or floats at a stride. No info is asked for, which would cost more. */
static PyObject *cloth_vectors(PyObject *module, PyObject *args)
{
    PyObject *o, *out;
    const char *what;
    long long number;
    array_out a = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLsO", &o, &number, &what, &out))
        return NULL;
    SIM_OF(o);
    weft_cloth_id id = ID(weft_cloth_id, number);
    if (!s || !array_out_open(out, "out", 'd', 3, -1, true, &a))
        return NULL;
    weft_result r;
    if (a.is_float)
        r = (*what == 'p'   ? weft_cloth_get_positions_float
             : *what == 'v' ? weft_cloth_get_velocities_float
                            : weft_cloth_get_normals_float)(s->sim, id, a.items, a.n, a.stride, &e);
    else
        r = (*what == 'p'   ? weft_cloth_get_positions
             : *what == 'v' ? weft_cloth_get_velocities
                            : weft_cloth_get_normals)(s->sim, id, a.items, a.n, a.stride, &e);
    array_out_close(&a);
    return done(r, &e);
}

static PyObject *cloth_data(PyObject *module, PyObject *args)
{
    PyObject *o, *out;
    const char *what;
    weft_cloth_id id;
    weft_cloth_info i;
    sim_object *s;
    array_out a;
    weft_error e;
    weft_result r;
    (void)module;
    if (!cloth_info_of(args, &o, &what, &out, &id, &i, &s))
        return NULL;
    char kind = *what == 't' || *what == 'p' ? 'i' : *what == 'l' ? 'B' : 'd';
    int columns = *what == 't' || *what == 'r' ? 3 : *what == 'u' ? 2 : 1;
    int32_t n = *what == 'm' || *what == 'u' || *what == 'c' ? i.n_nodes : i.n_triangles;
    if (!array_out_open(out, "out", kind, columns, n, false, &a))
        return NULL;
    switch (*what) {
    case 't': r = weft_cloth_get_triangles(s->sim, id, a.items, n, &e); break;
    case 'p': r = weft_cloth_get_panels(s->sim, id, a.items, n, &e); break;
    case 'l': r = weft_cloth_get_levels(s->sim, id, a.items, n, &e); break;
    case 'r': r = weft_cloth_get_rest_lengths(s->sim, id, a.items, n, &e); break;
    case 'c': r = weft_cloth_get_pressures(s->sim, id, a.items, n, &e); break;
    case 'u': r = weft_cloth_get_uv(s->sim, id, a.items, n, &e); break;
    default: r = weft_cloth_get_masses(s->sim, id, a.items, n, &e); break;
    }
    array_out_close(&a);
    return done(r, &e);
}

static PyObject *cloth_set(PyObject *module, PyObject *args)
{
    PyObject *o, *in;
    const char *what;
    long long id;
    array_in a;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLsO", &o, &id, &what, &in))
        return NULL;
    SIM_OF(o);
    if (!s || !array_in_doubles(in, what, 3, &a))
        return NULL;
    weft_result r = *what == 'p' ? weft_cloth_set_positions(s->sim, ID(weft_cloth_id, id), a.items, a.n, &e)
                                 : weft_cloth_set_velocities(s->sim, ID(weft_cloth_id, id), a.items, a.n, &e);
    array_in_free(&a);
    return done(r, &e);
}

static PyObject *cloth_fabric(PyObject *module, PyObject *args)
{
    PyObject *o, *dict;
    long long id;
    int number;
    weft_fabric f;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLiO", &o, &id, &number, &dict))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_cloth_get_fabric(s->sim, ID(weft_cloth_id, id), number, &f, &e) < 0)
        return raise_weft(&e);
    if (dict == Py_None)
        return fields_get(fabric_fields, &f);
    if (!fields_set(fabric_fields, &f, dict, "a fabric"))
        return NULL;
    return done(weft_cloth_set_fabric(s->sim, ID(weft_cloth_id, id), number, &f, &e), &e);
}

static PyObject *cloth_set_adapt(PyObject *module, PyObject *args)
{
    PyObject *o, *dict, *size;
    long long id;
    weft_adapt adapt = weft_adapt_default();
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLOO", &o, &id, &dict, &size))
        return NULL;
    SIM_OF(o);
    if (!s || !fields_set(adapt_fields, &adapt, dict, "adapt") || !keep_size(s, size, &adapt))
        return NULL;
    return done(weft_cloth_set_adapt(s->sim, ID(weft_cloth_id, id), &adapt, &e), &e);
}

static PyObject *cloth_shape(PyObject *module, PyObject *args)
{
    PyObject *o, *in;
    long long id;
    size_t size = 0;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLO", &o, &id, &in))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (in != Py_None) {
        char *bytes;
        Py_ssize_t n;
        if (PyBytes_AsStringAndSize(in, &bytes, &n) < 0)
            return NULL;
        sim_call c;
        sim_begin(s, &c);
        weft_result r = weft_cloth_set_shape(s->sim, ID(weft_cloth_id, id), bytes, (size_t)n, &e);
        return sim_done(&c, r, &e);
    }
    if (weft_cloth_get_shape(s->sim, ID(weft_cloth_id, id), NULL, &size, &e) < 0)
        return raise_weft(&e);
    PyObject *b = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (b && size > 0 && weft_cloth_get_shape(s->sim, ID(weft_cloth_id, id), PyBytes_AsString(b), &size, &e) < 0) {
        Py_CLEAR(b);
        raise_weft(&e);
    }
    return b;
}

static PyObject *cloth_uniform(PyObject *module, PyObject *args)
{
    PyObject *o, *out = NULL;
    long long id;
    int level;
    weft_uniform u = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLi", &o, &id, &level))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_cloth_get_uniform(s->sim, ID(weft_cloth_id, id), level, &u, &e) < 0)
        return raise_weft(&e);
    PyObject *x = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)u.n_nodes * sizeof *u.positions));
    PyObject *t = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)u.n_triangles * 3 * sizeof *u.triangles));
    PyObject *f = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)u.n_faces * 4 * sizeof *u.faces));
    PyObject *uv = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)u.n_nodes * sizeof *u.uv));
    if (uv)
        memset(PyBytes_AsString(uv), 0, (size_t)u.n_nodes * sizeof *u.uv);
    if (x && t && f && uv) {
        u.uv = (weft_vec2 *)(void *)PyBytes_AsString(uv);
        u.positions = (weft_vec3 *)(void *)PyBytes_AsString(x);
        u.triangles = (int32_t *)(void *)PyBytes_AsString(t);
        u.faces = (int32_t *)(void *)PyBytes_AsString(f);
        sim_call c;
        sim_begin(s, &c);
        weft_result r = weft_cloth_get_uniform(s->sim, ID(weft_cloth_id, id), level, &u, &e);
        out = !sim_end(&c) ? NULL : r < 0 ? raise_weft(&e) : Py_BuildValue("(OOOO)", x, t, f, uv);
    }
    Py_XDECREF(x);
    Py_XDECREF(t);
    Py_XDECREF(f);
    Py_XDECREF(uv);
    return out;
}

static bool filter_from(const double row[3], weft_filter *out)
{
    for (int k = 0; k < 2; k++)
        if (!(row[k] >= 0 && row[k] <= UINT32_MAX && row[k] == (double)(uint32_t)row[k]))
            return false;
    *out = (weft_filter){(uint32_t)row[0], (uint32_t)row[1], row[2] != 0};
    return true;
}

bool filters_from(PyObject *rows, const char *name, int32_t n, weft_filter **out)
{
    array_in a;
    if (!array_in_doubles(rows, name, 3, &a))
        return false;
    bool ok = same_rows(&a, name, n);
    if (ok && a.given && !(*out = malloc((size_t)n * sizeof **out + 1)))
        ok = PyErr_NoMemory() != NULL;
    for (int32_t i = 0; ok && i < a.n; i++)
        if (!filter_from((const double *)a.items + 3 * (int64_t)i, &(*out)[i]))
            ok = PyErr_Format(PyExc_ValueError, "%s[%d] has category or mask that is no integer of 32 bits, from 0 on",
                              name, (int)i) != NULL;
    array_in_free(&a);
    return ok;
}

/* Of a cloth ("cloth") or a collider; without the last three they are given. */
static PyObject *thing_filter(PyObject *module, PyObject *args)
{
    PyObject *o;
    const char *what;
    long long id;
    weft_filter f = weft_filter_default();
    int itself = 1;
    weft_error e;
    weft_result r;
    (void)module;
    if (!PyArg_ParseTuple(args, "OsL|IIp", &o, &what, &id, &f.category, &f.mask, &itself))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    bool is_cloth = what[0] == 'c' && what[1] == 'l';
    f.itself = itself;
    if (PyTuple_Size(args) > 3)
        return done(is_cloth ? weft_cloth_set_filter(s->sim, ID(weft_cloth_id, id), f, &e)
                             : weft_collider_set_filter(s->sim, ID(weft_collider_id, id), f, &e),
                    &e);
    r = is_cloth ? weft_cloth_get_filter(s->sim, ID(weft_cloth_id, id), &f, &e)
                 : weft_collider_get_filter(s->sim, ID(weft_collider_id, id), &f, &e);
    return r < 0 ? raise_weft(&e) : Py_BuildValue("(IIi)", f.category, f.mask, (int)f.itself);
}

/* Of a cloth ("cloth") or a collider; without the last it is given. */
static PyObject *thing_side(PyObject *module, PyObject *args)
{
    PyObject *o;
    const char *what;
    long long id;
    int number = 0;
    weft_untangle_side side;
    weft_error e;
    weft_result r;
    (void)module;
    if (!PyArg_ParseTuple(args, "OsL|i", &o, &what, &id, &number))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    bool is_cloth = what[0] == 'c' && what[1] == 'l';
    side = (weft_untangle_side)number;
    if (PyTuple_Size(args) > 3)
        return done(is_cloth ? weft_cloth_set_side(s->sim, ID(weft_cloth_id, id), side, &e)
                             : weft_collider_set_side(s->sim, ID(weft_collider_id, id), side, &e),
                    &e);
    r = is_cloth ? weft_cloth_get_side(s->sim, ID(weft_cloth_id, id), &side, &e)
                 : weft_collider_get_side(s->sim, ID(weft_collider_id, id), &side, &e);
    return r < 0 ? raise_weft(&e) : PyLong_FromLong((long)side);
}

PyMethodDef python_cloth_methods[] = {
    {"cloth_create_grid", cloth_create_grid, METH_VARARGS, NULL},
    {"cloth_create_mesh", cloth_create_mesh, METH_VARARGS, NULL},
    {"thing_remove", thing_remove, METH_VARARGS, NULL},
    {"thing_filter", thing_filter, METH_VARARGS, NULL},
    {"thing_side", thing_side, METH_VARARGS, NULL},
    {"cloth_info", cloth_info, METH_VARARGS, NULL},
    {"cloth_vectors", cloth_vectors, METH_VARARGS, NULL},
    {"cloth_data", cloth_data, METH_VARARGS, NULL},
    {"cloth_set", cloth_set, METH_VARARGS, NULL},
    {"cloth_fabric", cloth_fabric, METH_VARARGS, NULL},
    {"cloth_set_adapt", cloth_set_adapt, METH_VARARGS, NULL},
    {"cloth_shape", cloth_shape, METH_VARARGS, NULL},
    {"cloth_uniform", cloth_uniform, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
