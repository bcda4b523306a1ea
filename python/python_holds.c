/* SPDX-License-Identifier: MIT */
/* Colliders, attachments, ties. */
#include "python_weft.h"

#include <stdlib.h>

/* Rows of time, position and rotation, as weft_key has them. */
static bool keys_from(PyObject *o, array_in *out)
{
    return array_in_doubles(o, "keys", 8, out);
}

static PyObject *collider_create(PyObject *module, PyObject *args)
{
    PyObject *o, *dict, *p[3], *out = NULL;
    array_in keys = {0}, x = {0}, t = {0};
    weft_collider_def def = weft_collider_def_default();
    weft_collider_id id;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOO", &o, &dict, &p[0], &p[1], &p[2]))
        return NULL;
    SIM_OF(o);
    if (s && fields_set(collider_fields, &def, dict, "a collider") && keys_from(p[0], &keys) &&
        array_in_doubles(p[1], "vertices", 3, &x) && array_in_ints(p[2], "triangles", 3, &t)) {
        def.keys = keys.n > 0 ? keys.items : NULL;
        def.n_keys = keys.n;
        def.vertices = x.items;
        def.n_vertices = x.n;
        def.triangles = t.items;
        def.n_triangles = t.n;
        sim_call c;
        sim_begin(s, &c);
        weft_result r = weft_collider_create(s->sim, &def, &id, &e);
        out = !sim_end(&c) ? NULL : r < 0 ? raise_weft(&e) : NUMBER(id);
    }
    array_in_free(&keys);
    array_in_free(&x);
    array_in_free(&t);
    return out;
}

static PyObject *collider_set_keys(PyObject *module, PyObject *args)
{
    PyObject *o, *in;
    long long id;
    array_in keys;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLO", &o, &id, &in))
        return NULL;
    SIM_OF(o);
    if (!s || !keys_from(in, &keys))
        return NULL;
    weft_result r = weft_collider_set_keys(s->sim, ID(weft_collider_id, id), keys.items, keys.n, &e);
    array_in_free(&keys);
    return done(r, &e);
}

static PyObject *collider_set_pose(PyObject *module, PyObject *args)
{
    PyObject *o;
    long long id;
    weft_vec3 p;
    weft_quat q;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL(ddd)(dddd)", &o, &id, &p.x, &p.y, &p.z, &q.x, &q.y, &q.z, &q.w))
        return NULL;
    SIM_OF(o);
    return s ? done(weft_collider_set_pose(s->sim, ID(weft_collider_id, id), p, q, &e), &e) : NULL;
}

static PyObject *collider_friction(PyObject *module, PyObject *args)
{
    PyObject *o;
    long long id;
    double friction = -1, dissipation = -1;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL|dd", &o, &id, &friction, &dissipation))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (PyTuple_Size(args) > 2)
        return done(weft_collider_set_friction(s->sim, ID(weft_collider_id, id), friction, dissipation, &e), &e);
    if (weft_collider_get_friction(s->sim, ID(weft_collider_id, id), &friction, &dissipation, &e) < 0)
        return raise_weft(&e);
    return Py_BuildValue("(dd)", friction, dissipation);
}

static PyObject *collider_pose(PyObject *module, PyObject *args)
{
    PyObject *o;
    long long id;
    weft_vec3 p;
    double r[9];
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL", &o, &id))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_collider_get_pose(s->sim, ID(weft_collider_id, id), &p, r, &e) < 0)
        return raise_weft(&e);
    return Py_BuildValue("((ddd)((ddd)(ddd)(ddd)))", p.x, p.y, p.z, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7],
                         r[8]);
}

static PyObject *collider_set_vertices(PyObject *module, PyObject *args)
{
    PyObject *o, *in;
    long long id;
    int at_once;
    array_in x;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLOp", &o, &id, &in, &at_once))
        return NULL;
    SIM_OF(o);
    if (!s || !array_in_doubles(in, "vertices", 3, &x))
        return NULL;
    weft_result r = at_once ? weft_collider_place_vertices(s->sim, ID(weft_collider_id, id), x.items, x.n, &e)
                            : weft_collider_set_vertices(s->sim, ID(weft_collider_id, id), x.items, x.n, &e);
    array_in_free(&x);
    return done(r, &e);
}

static PyObject *collider_info(PyObject *module, PyObject *args)
{
    PyObject *o;
    long long id;
    weft_collider_info i;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL", &o, &id))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_collider_get_info(s->sim, ID(weft_collider_id, id), &i, &e) < 0)
        return raise_weft(&e);
    return Py_BuildValue("{si sO sO si si si si si si si sd}", "kind", (int)i.kind, "moved_by_vertices",
                         i.moved_by_vertices ? Py_True : Py_False, "closed", i.closed ? Py_True : Py_False,
                         "n_vertices", i.n_vertices, "n_triangles", i.n_triangles, "n_degenerate", i.n_degenerate,
                         "n_edges", i.n_edges, "n_border_edges", i.n_border_edges, "n_non_manifold_edges",
                         i.n_non_manifold_edges, "n_flipped_edges", i.n_flipped_edges, "volume", i.volume);
}

static PyObject *collider_data(PyObject *module, PyObject *args)
{
    PyObject *o, *out;
    long long id;
    int triangles;
    weft_collider_info i;
    weft_error e;
    array_out a;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLpO", &o, &id, &triangles, &out))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_collider_get_info(s->sim, ID(weft_collider_id, id), &i, &e) < 0)
        return raise_weft(&e);
    int32_t n = triangles ? i.n_triangles : i.n_vertices;
    if (!array_out_open(out, "out", triangles ? 'i' : 'd', 3, n, false, &a))
        return NULL;
    weft_result r = triangles ? weft_collider_get_triangles(s->sim, ID(weft_collider_id, id), a.items, n, &e)
                              : weft_collider_get_vertices(s->sim, ID(weft_collider_id, id), a.items, n, &e);
    array_out_close(&a);
    return done(r, &e);
}

static PyObject *collider_force(PyObject *module, PyObject *args)
{
    PyObject *o;
    long long id;
    weft_vec3 f, t;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL", &o, &id))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_collider_get_force(s->sim, ID(weft_collider_id, id), &f, &t, &e) < 0)
        return raise_weft(&e);
    return Py_BuildValue("((ddd)(ddd))", f.x, f.y, f.z, t.x, t.y, t.z);
}

static PyObject *collider_clearance(PyObject *module, PyObject *args)
{
    PyObject *o;
    long long id, cloth;
    double d;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLL", &o, &id, &cloth))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_collider_get_clearance(s->sim, ID(weft_collider_id, id), ID(weft_cloth_id, cloth), &d, &e) < 0)
        return raise_weft(&e);
    return PyFloat_FromDouble(d);
}

static PyObject *attachment_create(PyObject *module, PyObject *args)
{
    PyObject *o, *dict, *p[4], *out = NULL;
    long long cloth, collider;
    array_in nodes = {0}, targets = {0}, keys = {0}, weights = {0};
    weft_attachment_def def = weft_attachment_def_default();
    weft_attachment_id id;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLLOOOOO", &o, &cloth, &collider, &dict, &p[0], &p[1], &p[2], &p[3]))
        return NULL;
    SIM_OF(o);
    if (s && fields_set(attachment_fields, &def, dict, "an attachment") && array_in_ints(p[0], "nodes", 1, &nodes) &&
        array_in_doubles(p[1], "targets", 3, &targets) && keys_from(p[2], &keys) &&
        array_in_doubles(p[3], "weights", 1, &weights) && same_rows(&targets, "targets", nodes.n) &&
        same_rows(&weights, "weights", nodes.n)) {
        def.cloth = ID(weft_cloth_id, cloth);
        def.collider = ID(weft_collider_id, collider);
        def.nodes = nodes.items;
        def.n_nodes = nodes.n;
        def.targets = targets.items;
        def.keys = keys.n > 0 ? keys.items : NULL;
        def.n_keys = keys.n;
        def.weights = weights.items;
        weft_result r = weft_attachment_create(s->sim, &def, &id, &e);
        out = r < 0 ? raise_weft(&e) : NUMBER(id);
    }
    array_in_free(&nodes);
    array_in_free(&targets);
    array_in_free(&keys);
    array_in_free(&weights);
    return out;
}

static PyObject *attachment_set_targets(PyObject *module, PyObject *args)
{
    PyObject *o, *in;
    long long id;
    array_in a;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLO", &o, &id, &in))
        return NULL;
    SIM_OF(o);
    if (!s || !array_in_doubles(in, "targets", 3, &a))
        return NULL;
    weft_result r = weft_attachment_set_targets(s->sim, ID(weft_attachment_id, id), a.items, a.n, &e);
    array_in_free(&a);
    return done(r, &e);
}

/* Adds nodes, or drops them (targets False). */
static PyObject *attachment_nodes(PyObject *module, PyObject *args)
{
    PyObject *o, *p[2], *out = NULL;
    long long id;
    array_in nodes = {0}, targets = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLOO", &o, &id, &p[0], &p[1]))
        return NULL;
    SIM_OF(o);
    bool drops = p[1] == Py_False;
    if (s && array_in_ints(p[0], "nodes", 1, &nodes) && (drops || array_in_doubles(p[1], "targets", 3, &targets)) &&
        same_rows(&targets, "targets", nodes.n))
        out = done(drops ? weft_attachment_drop_nodes(s->sim, ID(weft_attachment_id, id), nodes.items, nodes.n, &e)
                         : weft_attachment_add_nodes(s->sim, ID(weft_attachment_id, id), nodes.items, targets.items,
                                                     nodes.n, &e),
                   &e);
    array_in_free(&nodes);
    array_in_free(&targets);
    return out;
}

static PyObject *attachment_get(PyObject *module, PyObject *args)
{
    PyObject *o, *out = NULL;
    long long id;
    int32_t n = 0;
    weft_vec3 sum;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL", &o, &id))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_attachment_get_nodes(s->sim, ID(weft_attachment_id, id), NULL, &n, &e) < 0)
        return raise_weft(&e);
    PyObject *nodes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)n * sizeof n));
    PyObject *forces = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)n * sizeof sum));
    if (nodes && forces) {
        weft_attachment_get_nodes(s->sim, ID(weft_attachment_id, id), (int32_t *)(void *)PyBytes_AsString(nodes), &n,
                                  &e);
        weft_result r = weft_attachment_get_force(s->sim, ID(weft_attachment_id, id), &sum,
                                                  (weft_vec3 *)(void *)PyBytes_AsString(forces), n, &e);
        out = r < 0 ? raise_weft(&e) : Py_BuildValue("(O(ddd)O)", nodes, sum.x, sum.y, sum.z, forces);
    }
    Py_XDECREF(nodes);
    Py_XDECREF(forces);
    return out;
}

static PyObject *tie_create(PyObject *module, PyObject *args)
{
    PyObject *o, *dict, *p[2], *out = NULL;
    long long a, b;
    array_in na = {0}, nb = {0};
    weft_tie_def def = weft_tie_def_default();
    weft_tie_id id;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLLOOO", &o, &a, &b, &dict, &p[0], &p[1]))
        return NULL;
    SIM_OF(o);
    if (s && fields_set(tie_fields, &def, dict, "a tie") && array_in_ints(p[0], "nodes_a", 1, &na) &&
        array_in_ints(p[1], "nodes_b", 1, &nb) && same_rows(&nb, "nodes_b", na.n)) {
        def.cloth_a = ID(weft_cloth_id, a);
        def.cloth_b = ID(weft_cloth_id, b);
        def.nodes_a = na.items;
        def.nodes_b = nb.items;
        def.n_pairs = nb.given ? na.n : 0;
        weft_result r = weft_tie_create(s->sim, &def, &id, &e);
        out = r < 0 ? raise_weft(&e) : NUMBER(id);
    }
    array_in_free(&na);
    array_in_free(&nb);
    return out;
}

static PyObject *tie_set_pull(PyObject *module, PyObject *args)
{
    PyObject *o, *p[2], *out = NULL;
    long long id;
    array_in k = {0}, l = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLOO", &o, &id, &p[0], &p[1]))
        return NULL;
    SIM_OF(o);
    if (s && array_in_doubles(p[0], "stiffness", 1, &k) && array_in_doubles(p[1], "length", 1, &l) &&
        same_rows(&l, "length", k.n))
        out = done(weft_tie_set_pull(s->sim, ID(weft_tie_id, id), k.items, l.items, k.n, &e), &e);
    array_in_free(&k);
    array_in_free(&l);
    return out;
}

static PyObject *tie_weld(PyObject *module, PyObject *args)
{
    PyObject *o;
    long long id;
    double within;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLd", &o, &id, &within))
        return NULL;
    SIM_OF(o);
    return s ? done(weft_tie_weld(s->sim, ID(weft_tie_id, id), within, &e), &e) : NULL;
}

static PyObject *keys_at(PyObject *module, PyObject *args)
{
    PyObject *in;
    double time, r[9];
    weft_vec3 p;
    array_in keys;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Od", &in, &time) || !keys_from(in, &keys))
        return NULL;
    weft_result w = weft_keys_at(keys.items, keys.n, time, &p, r, &e);
    array_in_free(&keys);
    if (w < 0)
        return raise_weft(&e);
    return Py_BuildValue("((ddd)((ddd)(ddd)(ddd)))", p.x, p.y, p.z, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7],
                         r[8]);
}

PyMethodDef python_hold_methods[] = {
    {"collider_create", collider_create, METH_VARARGS, NULL},
    {"collider_set_keys", collider_set_keys, METH_VARARGS, NULL},
    {"collider_set_pose", collider_set_pose, METH_VARARGS, NULL},
    {"collider_friction", collider_friction, METH_VARARGS, NULL},
    {"collider_pose", collider_pose, METH_VARARGS, NULL},
    {"collider_set_vertices", collider_set_vertices, METH_VARARGS, NULL},
    {"collider_info", collider_info, METH_VARARGS, NULL},
    {"collider_data", collider_data, METH_VARARGS, NULL},
    {"collider_force", collider_force, METH_VARARGS, NULL},
    {"collider_clearance", collider_clearance, METH_VARARGS, NULL},
    {"attachment_create", attachment_create, METH_VARARGS, NULL},
    {"attachment_set_targets", attachment_set_targets, METH_VARARGS, NULL},
    {"attachment_nodes", attachment_nodes, METH_VARARGS, NULL},
    {"attachment_get", attachment_get, METH_VARARGS, NULL},
    {"tie_create", tie_create, METH_VARARGS, NULL},
    {"tie_set_pull", tie_set_pull, METH_VARARGS, NULL},
    {"tie_weld", tie_weld, METH_VARARGS, NULL},
    {"keys_at", keys_at, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
