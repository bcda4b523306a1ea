/* SPDX-License-Identifier: MIT */
/* Simulations: the object, its callbacks, steps and snapshots. */
#include "python_weft.h"

#include <stdlib.h>
#include <string.h>

static PyTypeObject *sim_type;

/* ---- the object -------------------------------------------------------------------------------------------------- */

sim_object *sim_from(PyObject *o)
{
    sim_object *s = (sim_object *)o;
    if (!PyObject_TypeCheck(o, sim_type)) {
        PyErr_SetString(PyExc_TypeError, "a simulation is needed");
        return NULL;
    }
    if (!s->sim) {
        PyErr_SetString(PyExc_ValueError, "the simulation is closed");
        return NULL;
    }
    if (s->runner && s->runner != PyThread_get_thread_ident()) {
        PyErr_SetString(PyExc_RuntimeError, "the simulation is at work in another thread");
        return NULL;
    }
    return s;
}

sim_call *sim_begin(sim_object *s, sim_call *c)
{
    *c = (sim_call){.s = s, .outer = s->runner};
    s->runner = PyThread_get_thread_ident();
    Py_INCREF((PyObject *)s);
    long_begin(&c->call, s->sim);
    return c;
}

/* What a callback has raised, unless something else is already. */
static bool pass_on_raised(sim_object *s, bool fine)
{
    if (!s->raised)
        return fine;
    s->raised = false;
    if (fine) {
        PyErr_Restore(s->raised_type, s->raised_value, s->raised_trace);
    } else {
        Py_XDECREF(s->raised_type);
        Py_XDECREF(s->raised_value);
        Py_XDECREF(s->raised_trace);
    }
    s->raised_type = s->raised_value = s->raised_trace = NULL;
    return false;
}

bool sim_end(sim_call *c)
{
    sim_object *s = c->s;
    bool fine = long_end(&c->call);
    s->runner = c->outer;
    if (c->outer == 0)
        fine = pass_on_raised(s, fine);
    Py_DECREF((PyObject *)s);
    return fine;
}

PyObject *sim_done(sim_call *c, weft_result r, const weft_error *e)
{
    return sim_end(c) ? done(r, e) : NULL;
}

static void keep_raised(sim_object *s)
{
    if (s->raised) {
        PyErr_Clear();
        return;
    }
    s->raised = true;
    PyErr_Fetch(&s->raised_type, &s->raised_value, &s->raised_trace);
    weft_sim_cancel(s->sim);
}

static void call_force(void *user, weft_cloth_id cloth, double time, int32_t n, const weft_vec3 *x, const weft_vec3 *v,
                       const double *masses, weft_vec3 *forces)
{
    sim_object *s = user;
    PyGILState_STATE gil = PyGILState_Ensure();
    if (!s->raised) {
        /* Copies: what Python keeps must not lead into the simulation. */
        Py_ssize_t size = (Py_ssize_t)((size_t)n * sizeof *x);
        long long id = (long long)cloth.index | ((long long)cloth.generation << 32);
        PyObject *a = PyBytes_FromStringAndSize((const char *)x, size);
        PyObject *b = PyBytes_FromStringAndSize((const char *)v, size);
        PyObject *m = PyBytes_FromStringAndSize((const char *)masses, (Py_ssize_t)((size_t)n * sizeof *masses));
        PyObject *f = PyByteArray_FromStringAndSize((const char *)forces, size);
        PyObject *r =
            a && b && m && f ? PyObject_CallFunction(s->force, "LdiOOOO", id, time, (int)n, a, b, m, f) : NULL;
        if (r && PyByteArray_Size(f) == size)
            memcpy(forces, PyByteArray_AsString(f), (size_t)size);
        if (!r)
            keep_raised(s);
        Py_XDECREF(a);
        Py_XDECREF(b);
        Py_XDECREF(m);
        Py_XDECREF(f);
        Py_XDECREF(r);
    }
    PyGILState_Release(gil);
}

static void call_log(void *user, weft_log_level level, const char *text)
{
    sim_object *s = user;
    PyGILState_STATE gil = PyGILState_Ensure();
    if (s->log && !s->raised) {
        PyObject *r = PyObject_CallFunction(s->log, "is", (int)level, text);
        if (!r)
            keep_raised(s);
        Py_XDECREF(r);
    }
    PyGILState_Release(gil);
}

static double call_size(void *user, weft_vec3 x, weft_vec2 uv)
{
    PyObject **context = user; /* the function, the simulation */
    sim_object *s = (sim_object *)context[1];
    PyGILState_STATE gil = PyGILState_Ensure();
    double size = 1e3;
    if (!s->raised) {
        PyObject *r = PyObject_CallFunction(context[0], "(ddd)(dd)", x.x, x.y, x.z, uv.u, uv.v);
        double d = r ? PyFloat_AsDouble(r) : 0;
        if (!r || PyErr_Occurred())
            keep_raised(s);
        else
            size = d;
        Py_XDECREF(r);
    }
    PyGILState_Release(gil);
    return size;
}

static void free_sizes(PyObject *capsule)
{
    PyObject **context = PyCapsule_GetPointer(capsule, "size");
    if (context)
        Py_XDECREF(context[0]);
    free(context);
}

/* The function is kept as long as the simulation. */
bool keep_size(sim_object *s, PyObject *function, weft_adapt *adapt)
{
    if (!function || function == Py_None)
        return true;
    PyObject **context = malloc(2 * sizeof *context);
    if (!context)
        return PyErr_NoMemory() != NULL;
    Py_INCREF(function);
    context[0] = function;
    context[1] = (PyObject *)s;
    PyObject *capsule = PyCapsule_New(context, "size", free_sizes);
    bool ok = capsule && PyList_Append(s->sizes, capsule) == 0;
    Py_XDECREF(capsule);
    adapt->size = call_size;
    adapt->size_user = context;
    return ok;
}

static void sim_close(sim_object *s)
{
    weft_sim *sim = s->sim;
    weft_stage *stage = s->stage;
    sewings_close(s);
    s->sim = NULL;
    s->stage = NULL;
    if (stage)
        weft_stage_destroy(stage);
    else if (sim)
        weft_sim_destroy(sim);
}

static void sim_dealloc(PyObject *o)
{
    sim_object *s = (sim_object *)o;
    PyTypeObject *type = Py_TYPE(o);
    PyObject_GC_UnTrack(o);
    sim_close(s);
    Py_CLEAR(s->force);
    Py_CLEAR(s->log);
    Py_CLEAR(s->sizes);
    Py_CLEAR(s->scene);
    freefunc f = (freefunc)PyType_GetSlot(type, Py_tp_free);
    f(o);
    Py_DECREF(type);
}

static int sim_traverse(PyObject *o, visitproc visit, void *arg)
{
    sim_object *s = (sim_object *)o;
    Py_VISIT(Py_TYPE(o));
    Py_VISIT(s->force);
    Py_VISIT(s->log);
    Py_VISIT(s->sizes);
    Py_VISIT(s->scene);
    return 0;
}

static int sim_clear_references(PyObject *o)
{
    sim_object *s = (sim_object *)o;
    if (s->runner)
        return 0;
    sim_close(s);
    Py_CLEAR(s->force);
    Py_CLEAR(s->log);
    return 0;
}

static PyType_Slot sim_slots[] = {{Py_tp_dealloc, (void *)sim_dealloc},
                                  {Py_tp_traverse, (void *)sim_traverse},
                                  {Py_tp_clear, (void *)sim_clear_references},
                                  {0, NULL}};
static PyType_Spec sim_spec = {"weft._weft.SimHandle", sizeof(sim_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, sim_slots};

bool python_sim_ready(PyObject *module)
{
    sim_type = (PyTypeObject *)PyType_FromSpec(&sim_spec);
    return sim_type && PyModule_AddObjectRef(module, "SimHandle", (PyObject *)sim_type) == 0;
}

static sim_object *sim_new_object(void)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(sim_type, Py_tp_alloc);
    sim_object *s = (sim_object *)alloc(sim_type, 0);
    if (s)
        s->sizes = PyList_New(0);
    if (s)
        s->stats = weft_step_stats_none();
    return s;
}

PyObject *sim_wrap(weft_sim *sim, weft_stage *stage, PyObject *scene)
{
    sim_object *s = sim_new_object();
    if (!s) {
        if (stage)
            weft_stage_destroy(stage);
        else
            weft_sim_destroy(sim);
        return NULL;
    }
    s->sim = sim;
    s->stage = stage;
    Py_XINCREF(scene);
    s->scene = scene;
    return (PyObject *)s;
}

static PyObject *sim_create(PyObject *module, PyObject *args)
{
    PyObject *dict, *force, *log;
    weft_error e;
    weft_sim_def def = weft_sim_def_default();
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO", &dict, &force, &log) || !fields_set(sim_fields, &def, dict, "a simulation"))
        return NULL;
    sim_object *s = sim_new_object();
    if (!s)
        return NULL;
    if (force != Py_None) {
        Py_INCREF(force);
        s->force = force;
        def.force = call_force;
        def.force_user = s;
    }
    if (log != Py_None) {
        Py_INCREF(log);
        s->log = log;
        def.log = call_log;
        def.log_user = s;
    }
    if (weft_sim_create(&def, &s->sim, &e) < 0) {
        s->sim = NULL;
        raise_weft(&e);
        Py_CLEAR(s);
    }
    return (PyObject *)s;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

PyObject *done(weft_result r, const weft_error *e)
{
    return r < 0 ? raise_weft(e) : PyLong_FromLong(r);
}

static PyObject *sim_destroy(PyObject *module, PyObject *o)
{
    (void)module;
    if (PyObject_TypeCheck(o, sim_type) && !((sim_object *)o)->sim)
        Py_RETURN_NONE;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (s->runner) {
        PyErr_SetString(PyExc_RuntimeError, "a simulation is not closed from within its callbacks");
        return NULL;
    }
    sim_close(s);
    Py_RETURN_NONE;
}

/* Ctrl-C cancels the step. One that came when it was done would cancel the next: that is made again. */
static PyObject *make_step(sim_object *s, double h)
{
    sim_call c;
    weft_error e;
    weft_result r;
    sim_begin(s, &c);
    do {
        r = s->stage && h == 0 ? weft_stage_advance(s->stage, &s->stats, &e) : weft_sim_step(s->sim, h, &s->stats, &e);
    } while (r == WEFT_ERROR_CANCELLED && s->late && !c.call.interrupted && !(s->late = false));
    s->late = c.call.interrupted && r != WEFT_ERROR_CANCELLED;
    PyObject *out = sim_done(&c, r, &e);
    if (out && PyErr_CheckSignals() < 0)
        Py_CLEAR(out);
    return out;
}

static PyObject *sim_step(PyObject *module, PyObject *args)
{
    PyObject *o;
    double h;
    (void)module;
    if (!PyArg_ParseTuple(args, "Od", &o, &h))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (s->runner)
        return PyErr_Format(PyExc_RuntimeError, "a simulation does not step within its own callbacks");
    return make_step(s, h);
}

static PyObject *sim_cancel(PyObject *module, PyObject *o)
{
    (void)module;
    if (!PyObject_TypeCheck(o, sim_type) || !((sim_object *)o)->sim)
        return PyErr_Format(PyExc_ValueError, "an open simulation is needed");
    weft_sim_cancel(((sim_object *)o)->sim);
    Py_RETURN_NONE;
}

static PyObject *sim_stats(PyObject *module, PyObject *o)
{
    (void)module;
    SIM_OF(o);
    return s ? fields_get(stats_fields, &s->stats) : NULL;
}

/* Of several steps: (total or None, step) */
static PyObject *stats_add(PyObject *module, PyObject *args)
{
    PyObject *total, *step;
    weft_step_stats sum = weft_step_stats_none(), one = weft_step_stats_none();
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &total, &step) || !fields_set(stats_fields, &sum, total, "the total") ||
        !fields_set(stats_fields, &one, step, "the step"))
        return NULL;
    weft_step_stats_add(&sum, &one);
    return fields_get(stats_fields, &sum);
}

static PyObject *stats_list(PyObject *module, PyObject *none)
{
    int32_t n;
    const weft_stat *list = weft_step_stats_list(&n);
    PyObject *out = PyList_New(0);
    (void)module;
    (void)none;
    for (int32_t i = 0; out && i < n; i++) {
        PyObject *t = Py_BuildValue("(ssssi)", list[i].name, list[i].column, list[i].unit, list[i].text, list[i].adds);
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *sim_time(PyObject *module, PyObject *o)
{
    (void)module;
    SIM_OF(o);
    return s ? PyFloat_FromDouble(weft_sim_time(s->sim)) : NULL;
}

static PyObject *sim_hash(PyObject *module, PyObject *o)
{
    (void)module;
    SIM_OF(o);
    return s ? PyLong_FromUnsignedLongLong(weft_sim_hash(s->sim)) : NULL;
}

static PyObject *sim_snapshot(PyObject *module, PyObject *o)
{
    weft_error e;
    size_t size = 0;
    (void)module;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_sim_snapshot(s->sim, NULL, &size, &e) < 0)
        return raise_weft(&e);
    PyObject *b = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (b) {
        sim_call c;
        char *bytes = PyBytes_AsString(b);
        sim_begin(s, &c);
        weft_result r = weft_sim_snapshot(s->sim, bytes, &size, &e);
        PyObject *told = sim_done(&c, r, &e);
        if (!told)
            Py_CLEAR(b);
        Py_XDECREF(told);
    }
    return b;
}

static PyObject *sim_restore(PyObject *module, PyObject *args)
{
    PyObject *o;
    Py_buffer v;
    int cloths_only;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oy*p", &o, &v, &cloths_only))
        return NULL;
    SIM_OF(o);
    PyObject *out = NULL;
    if (s) {
        sim_call c;
        sim_begin(s, &c);
        weft_result r = cloths_only ? weft_sim_restore_cloths(s->sim, v.buf, (size_t)v.len, &e)
                                    : weft_sim_restore(s->sim, v.buf, (size_t)v.len, &e);
        out = sim_done(&c, r, &e);
    }
    PyBuffer_Release(&v);
    return out;
}

static PyObject *snapshot_check(PyObject *module, PyObject *args)
{
    Py_buffer v;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*", &v))
        return NULL;
    PyObject *out = done(weft_snapshot_check(v.buf, (size_t)v.len, &e), &e);
    PyBuffer_Release(&v);
    return out;
}

static PyObject *sim_set(PyObject *module, PyObject *args)
{
    PyObject *o, *value;
    const char *what;
    weft_vec3 v;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OsO", &o, &what, &value))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (strcmp(what, "air_viscosity") == 0) {
        double d = PyFloat_AsDouble(value);
        return PyErr_Occurred() ? NULL : done(weft_sim_set_air_viscosity(s->sim, d, &e), &e);
    }
    if (!vec3_from(value, what, &v))
        return NULL;
    return done(strcmp(what, "wind") == 0 ? weft_sim_set_wind(s->sim, v, &e) : weft_sim_set_gravity(s->sim, v, &e), &e);
}

static PyObject *sim_squeezed(PyObject *module, PyObject *o)
{
    weft_error e;
    int32_t n = 0;
    (void)module;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_sim_get_squeezed(s->sim, NULL, 0, &n, &e) < 0)
        return raise_weft(&e);
    weft_squeezed *pairs = malloc((size_t)n * sizeof *pairs + 1);
    PyObject *out = pairs ? PyList_New(0) : PyErr_NoMemory();
    if (out && n > 0 && weft_sim_get_squeezed(s->sim, pairs, n, &n, &e) < 0) {
        Py_CLEAR(out);
        raise_weft(&e);
    }
    for (int32_t i = 0; out && i < n; i++) {
        const weft_squeezed_node *k = pairs[i].node;
        PyObject *t = Py_BuildValue("(i(iii)(iii)(iii)(iii))", pairs[i].edges, k[0].of_collider, k[0].index, k[0].node,
                                    k[1].of_collider, k[1].index, k[1].node, k[2].of_collider, k[2].index, k[2].node,
                                    k[3].of_collider, k[3].index, k[3].node);
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    free(pairs);
    return out;
}

/* (sim, ids of inner cloths, of outer cloths): sets them. */
static PyObject *sim_set_layers(PyObject *module, PyObject *args)
{
    PyObject *o, *pairs;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!", &o, &PyList_Type, &pairs))
        return NULL;
    SIM_OF(o);
    if (!s)
        return NULL;
    Py_ssize_t n = PyList_Size(pairs);
    weft_layer *layers = malloc((size_t)n * sizeof *layers + 1);
    bool good = layers != NULL;
    if (!good)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; good && i < n; i++) {
        long long inner, outer;
        good = PyArg_ParseTuple(PyList_GetItem(pairs, i), "LL", &inner, &outer);
        if (good)
            layers[i] = (weft_layer){ID(weft_cloth_id, inner), ID(weft_cloth_id, outer)};
    }
    PyObject *out = good ? done(weft_sim_set_layers(s->sim, layers, (int32_t)n, &e), &e) : NULL;
    free(layers);
    return out;
}

/* Pairs of ids. */
static PyObject *sim_get_layers(PyObject *module, PyObject *o)
{
    weft_error e;
    int32_t n = 0;
    (void)module;
    SIM_OF(o);
    if (!s)
        return NULL;
    if (weft_sim_get_layers(s->sim, NULL, 0, &n, &e) < 0)
        return raise_weft(&e);
    weft_layer *layers = malloc((size_t)n * sizeof *layers + 1);
    PyObject *out = layers ? PyList_New(0) : PyErr_NoMemory();
    if (out && n > 0 && weft_sim_get_layers(s->sim, layers, n, &n, &e) < 0) {
        Py_CLEAR(out);
        raise_weft(&e);
    }
    for (int32_t i = 0; out && i < n; i++) {
        PyObject *t = Py_BuildValue("(NN)", NUMBER(layers[i].inner), NUMBER(layers[i].outer));
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    free(layers);
    return out;
}

PyMethodDef python_sim_methods[] = {
    {"sim_create", sim_create, METH_VARARGS, NULL},
    {"sim_destroy", sim_destroy, METH_O, NULL},
    {"sim_step", sim_step, METH_VARARGS, NULL},
    {"sim_cancel", sim_cancel, METH_O, NULL},
    {"sim_stats", sim_stats, METH_O, NULL},
    {"stats_add", stats_add, METH_VARARGS, NULL},
    {"stats_list", stats_list, METH_NOARGS, NULL},
    {"sim_time", sim_time, METH_O, NULL},
    {"sim_hash", sim_hash, METH_O, NULL},
    {"sim_snapshot", sim_snapshot, METH_O, NULL},
    {"sim_restore", sim_restore, METH_VARARGS, NULL},
    {"snapshot_check", snapshot_check, METH_VARARGS, NULL},
    {"sim_set", sim_set, METH_VARARGS, NULL},
    {"sim_squeezed", sim_squeezed, METH_O, NULL},
    {"sim_set_layers", sim_set_layers, METH_VARARGS, NULL},
    {"sim_get_layers", sim_get_layers, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
