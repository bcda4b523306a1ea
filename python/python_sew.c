/* SPDX-License-Identifier: MIT */
/* Sewing, step by step. A sewing ends with its simulation: what is then asked of it is an error. */
#include "python_weft.h"

#include <stdlib.h>

typedef struct sewing {
    weft_sew *sew;   /* NULL: its simulation is closed */
    sim_object *sim; /* kept alive */
    struct sewing *next;
} sewing;

void sewings_close(sim_object *s)
{
    while (s->sewings) {
        sewing *w = s->sewings;
        s->sewings = w->next;
        weft_sew_destroy(w->sew);
        w->sew = NULL;
    }
}

static void free_sewing(PyObject *capsule)
{
    sewing *w = PyCapsule_GetPointer(capsule, "sewing");
    sewing **at = &w->sim->sewings;
    while (*at && *at != w)
        at = &(*at)->next;
    if (*at) {
        *at = w->next;
        weft_sew_destroy(w->sew);
    }
    Py_DECREF((PyObject *)w->sim);
    free(w);
}

static sewing *sewing_from(PyObject *capsule)
{
    sewing *w = PyCapsule_GetPointer(capsule, "sewing");
    return w && sim_from((PyObject *)w->sim) ? w : NULL;
}

static PyObject *wrap_sewing(sim_object *s, weft_sew *sew)
{
    sewing *w = malloc(sizeof *w);
    if (!w) {
        weft_sew_destroy(sew);
        return PyErr_NoMemory();
    }
    *w = (sewing){sew, s, s->sewings};
    Py_INCREF((PyObject *)s);
    s->sewings = w;
    return PyCapsule_New(w, "sewing", free_sewing);
}

/* (sim, garment, pattern, body's id or None, options, model as python_cloth.c has it, seam stages) */
static PyObject *sew_create(PyObject *module, PyObject *args)
{
    PyObject *o, *p[3], *dict, *model, *stages, *out = NULL;
    weft_sew_def def = weft_sew_def_default();
    weft_sew *sew = NULL;
    model_in m = {.model = def.model};
    array_in stage = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOOO", &o, &p[0], &p[1], &p[2], &dict, &model, &stages))
        return NULL;
    SIM_OF(o);
    def.garment = s ? PyCapsule_GetPointer(p[0], "garment") : NULL;
    def.pattern = def.garment ? PyCapsule_GetPointer(p[1], "pattern") : NULL;
    long long id = def.pattern && p[2] != Py_None ? PyLong_AsLongLong(p[2]) : 0;
    if (!def.pattern || PyErr_Occurred())
        return NULL;
    def.has_body = p[2] != Py_None;
    def.body = ID(weft_collider_id, id);
    if (fields_set(sew_fields, &def, dict, "sewing") && model_from(s, model, -1, &m) &&
        array_in_ints(stages, "seam_stage", 1, &stage) &&
        same_rows(&stage, "seam_stage", weft_pattern_seam_count(def.pattern))) {
        sim_call c;
        def.model = m.model;
        def.seam_stage = stage.given ? stage.items : NULL;
        sim_begin(s, &c);
        weft_result r = weft_sew_create(s->sim, &def, &sew, &e);
        if (!sim_end(&c))
            weft_sew_destroy(sew);
        else
            out = r < 0 ? raise_weft(&e) : wrap_sewing(s, sew);
    }
    model_in_free(&m);
    array_in_free(&stage);
    return out;
}

static PyObject *sew_cloth(PyObject *module, PyObject *capsule)
{
    (void)module;
    sewing *w = sewing_from(capsule);
    return w ? NUMBER(weft_sew_cloth(w->sew)) : NULL;
}

/* A step, and what there is to say of it. */
static PyObject *sew_step(PyObject *module, PyObject *capsule)
{
    weft_sew_state t = {0};
    weft_error e;
    sim_call c;
    (void)module;
    sewing *w = sewing_from(capsule);
    if (!w)
        return NULL;
    if (w->sim->runner)
        return PyErr_Format(PyExc_RuntimeError, "a sewing makes no step within callbacks");
    sim_begin(w->sim, &c);
    weft_result r = weft_sew_step(w->sew, &w->sim->stats, &t, &e);
    if (!sim_end(&c) || PyErr_CheckSignals() < 0)
        return NULL;
    if (r < 0)
        return raise_weft(&e);
    return Py_BuildValue("{si si si si si sd sd sd sd si si si}", "phase", (int)t.phase, "stage", t.stage, "n_stages",
                         t.n_stages, "n_seams", t.n_seams, "n_welded", t.n_welded, "gap", t.gap, "gap_mean", t.gap_mean,
                         "time", t.time, "speed", t.speed, "n_steps", t.n_steps, "n_mended", t.n_mended, "n_tangled",
                         t.n_tangled);
}

static PyObject *sew_seam(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int seam;
    weft_sew_seam i;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &seam))
        return NULL;
    sewing *w = sewing_from(capsule);
    if (!w)
        return NULL;
    if (weft_sew_get_seam(w->sew, seam, &i, &e) < 0)
        return raise_weft(&e);
    return Py_BuildValue("{sz si s(dd) sd sd sN}", "name", i.name, "n_pairs", i.n_pairs, "lengths", i.length_a,
                         i.length_b, "gap", i.gap, "gap_pulled", i.gap_pulled, "welded", PyBool_FromLong(i.welded));
}

static PyObject *sew_same(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int n;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &n))
        return NULL;
    sewing *w = sewing_from(capsule);
    PyObject *b = w ? bytes_of(NULL, n > 0 ? n : 0, sizeof(int32_t)) : NULL;
    if (b && weft_sew_same(w->sew, (int32_t *)(void *)PyBytes_AsString(b), n > 0 ? n : 0, &e) < 0) {
        Py_DECREF(b);
        return raise_weft(&e);
    }
    return b;
}

PyMethodDef python_sew_methods[] = {
    {"sew_create", sew_create, METH_VARARGS, NULL}, {"sew_cloth", sew_cloth, METH_O, NULL},
    {"sew_step", sew_step, METH_O, NULL},           {"sew_seam", sew_seam, METH_VARARGS, NULL},
    {"sew_same", sew_same, METH_VARARGS, NULL},     {NULL, NULL, 0, NULL},
};
