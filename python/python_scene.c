/* SPDX-License-Identifier: MIT */
/* Scenes and their stages. What C owns is in capsules. */
#include "python_weft.h"

#include <stdlib.h>

static PyObject *text_from(char *text)
{
    PyObject *o = PyUnicode_FromString(text);
    weft_text_free(text);
    return o;
}

static void free_scene(PyObject *capsule)
{
    weft_scene_free(PyCapsule_GetPointer(capsule, "scene"));
}

/* Texts of a tuple, valid as long as it is. */
static const char **texts_from(PyObject *list, int32_t *n)
{
    Py_ssize_t count = PyTuple_Size(list);
    const char **out = malloc((size_t)count * sizeof *out + 1);
    for (Py_ssize_t i = 0; out && i < count; i++) {
        out[i] = text_in(PyTuple_GetItem(list, i), "sets", i);
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

/* (path, None, sets) or (name, text, sets, folder) */
static PyObject *scene_load(PyObject *module, PyObject *args)
{
    const char *path, *text, *folder;
    Py_ssize_t size;
    PyObject *list;
    int32_t n = 0;
    weft_scene *scene = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "sz#Oz", &path, &text, &size, &list, &folder))
        return NULL;
    weft_result r;
    PyObject *texts = PySequence_Tuple(list);
    const char **sets = texts ? texts_from(texts, &n) : NULL;
    if (!sets) {
        Py_XDECREF(texts);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    r = text ? weft_scene_parse(path, folder, text, (size_t)size, sets, n, &scene, &e)
             : weft_scene_load(path, sets, n, &scene, &e);
    Py_END_ALLOW_THREADS
    Py_DECREF(texts); /* which the texts belong to */
    free((void *)sets);
    return r < 0 ? raise_weft(&e) : PyCapsule_New(scene, "scene", free_scene);
}

static PyObject *scene_info(PyObject *module, PyObject *capsule)
{
    const weft_scene *s = PyCapsule_GetPointer(capsule, "scene");
    (void)module;
    if (!s)
        return NULL;
    PyObject *cloths = PyList_New(0), *colliders = PyList_New(0), *out = NULL;
    bool ok = cloths && colliders, moves = false;
    for (int32_t i = 0; i < s->n_colliders; i++)
        moves = moves || s->colliders[i].motion;
    for (int32_t i = 0; ok && i < s->n_cloths + s->n_colliders; i++) {
        bool is_cloth = i < s->n_cloths;
        PyObject *name = PyUnicode_FromString(is_cloth ? s->cloths[i].name : s->colliders[i - s->n_cloths].name);
        ok = name && PyList_Append(is_cloth ? cloths : colliders, name) == 0;
        Py_XDECREF(name);
    }
    if (ok)
        out = Py_BuildValue("{ss sO sO sd si si si si sN}", "name", s->name, "cloths", cloths, "colliders", colliders,
                            "fps", s->output.fps, "frames", s->output.frames, "steps_per_frame",
                            s->output.steps_per_frame, "n_attachments", s->n_attachments, "n_ties", s->n_ties,
                            "has_motion", PyBool_FromLong(moves));
    Py_XDECREF(cloths);
    Py_XDECREF(colliders);
    return out;
}

/* What: "resolve" or "json" of a scene; "schema", "page". */
static PyObject *scene_text(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *what;
    char *text = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO", &what, &capsule))
        return NULL;
    weft_result r;
    if (*what == 'r' || *what == 'j') {
        const weft_scene *s = PyCapsule_GetPointer(capsule, "scene");
        if (!s)
            return NULL;
        r = *what == 'r' ? weft_scene_resolve(s, &text, &e) : weft_scene_resolve_json(s, &text, &e);
    } else {
        r = *what == 's' ? weft_scene_schema(&text, &e) : weft_scene_reference(&text, &e);
    }
    return r < 0 ? raise_weft(&e) : text_from(text);
}

/* A simulation that advances by frames, with ids of cloths and colliders. */
static PyObject *scene_stage(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int n_threads;
    weft_stage *stage = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &n_threads))
        return NULL;
    const weft_scene *s = PyCapsule_GetPointer(capsule, "scene");
    if (!s)
        return NULL;
    weft_sim_def def = s->sim;
    def.n_threads = n_threads;
    weft_result r;
    Py_BEGIN_ALLOW_THREADS
    r = weft_stage_create(s, &def, &stage, &e);
    Py_END_ALLOW_THREADS
    if (r < 0)
        return raise_weft(&e);
    PyObject *sim = sim_wrap(stage->sim, stage, capsule), *cloths = PyList_New(0), *colliders = PyList_New(0);
    PyObject *out = NULL;
    bool ok = sim && cloths && colliders;
    for (int32_t i = 0; ok && i < s->n_cloths + s->n_colliders; i++) {
        bool is_cloth = i < s->n_cloths;
        PyObject *id = is_cloth ? NUMBER(stage->cloths[i]) : NUMBER(stage->colliders[i - s->n_cloths]);
        ok = id && PyList_Append(is_cloth ? cloths : colliders, id) == 0;
        Py_XDECREF(id);
    }
    if (ok)
        out = Py_BuildValue("(OOO)", sim, cloths, colliders);
    Py_XDECREF(sim);
    Py_XDECREF(cloths);
    Py_XDECREF(colliders);
    return out;
}

/* How colliders are drawn: a dict each. */
static PyObject *scene_colliders(PyObject *module, PyObject *capsule)
{
    const weft_scene *s = PyCapsule_GetPointer(capsule, "scene");
    (void)module;
    PyObject *out = s ? PyList_New(0) : NULL;
    for (int32_t i = 0; out && i < s->n_colliders; i++) {
        const weft_scene_collider *c = &s->colliders[i];
        PyObject *t = Py_BuildValue(
            "{ss sO sO si s(ddd) sd sd s(ddd)}", "name", c->name, "is_mesh", c->is_mesh ? Py_True : Py_False, "visible",
            c->visible ? Py_True : Py_False, "kind", (int)c->def.kind, "color", c->color.r, c->color.g, c->color.b,
            "radius", c->def.radius, "height", c->def.height, "size", c->def.size.x, c->def.size.y, c->def.size.z);
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static const weft_scene_collider *collider_from(PyObject *args, const weft_scene **scene, int *i, double *time)
{
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "Oid", &capsule, i, time))
        return NULL;
    *scene = PyCapsule_GetPointer(capsule, "scene");
    if (*scene && *i >= 0 && *i < (*scene)->n_colliders)
        return &(*scene)->colliders[*i];
    if (*scene)
        PyErr_Format(PyExc_IndexError, "collider %d of %d", *i, (int)(*scene)->n_colliders);
    return NULL;
}

static PyObject *scene_collider_pose(PyObject *module, PyObject *args)
{
    const weft_scene *scene;
    int i;
    double time, r[9];
    weft_vec3 p;
    (void)module;
    if (!collider_from(args, &scene, &i, &time))
        return NULL;
    weft_scene_collider_pose(scene, i, time, &p, r);
    return Py_BuildValue("((ddd)((ddd)(ddd)(ddd)))", p.x, p.y, p.z, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7],
                         r[8]);
}

/* Points and triangles of a mesh. */
static PyObject *scene_collider_mesh(PyObject *module, PyObject *args)
{
    const weft_scene *scene;
    int i;
    double time;
    weft_error e;
    (void)module;
    const weft_scene_collider *c = collider_from(args, &scene, &i, &time);
    if (!c)
        return NULL;
    if (!c->is_mesh || c->mesh.n_faces == 0)
        return PyErr_Format(PyExc_ValueError, "collider %d is no mesh, or its mesh was not read", i);
    PyObject *x = bytes_of(NULL, c->mesh.n_nodes, sizeof(weft_vec3)), *out = NULL;
    PyObject *t = mesh_triangles(&c->mesh);
    if (x && t) {
        weft_result r =
            weft_scene_collider_points(scene, i, time, (weft_vec3 *)(void *)PyBytes_AsString(x), c->mesh.n_nodes, &e);
        out = r < 0 ? raise_weft(&e) : Py_BuildValue("(OO)", x, t);
    }
    Py_XDECREF(x);
    Py_XDECREF(t);
    return out;
}

PyMethodDef python_scene_methods[] = {
    {"scene_load", scene_load, METH_VARARGS, NULL},
    {"scene_info", scene_info, METH_O, NULL},
    {"scene_text", scene_text, METH_VARARGS, NULL},
    {"scene_stage", scene_stage, METH_VARARGS, NULL},
    {"scene_colliders", scene_colliders, METH_O, NULL},
    {"scene_collider_pose", scene_collider_pose, METH_VARARGS, NULL},
    {"scene_collider_mesh", scene_collider_mesh, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
