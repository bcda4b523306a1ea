/* SPDX-License-Identifier: MIT */
/* Files: scenes, runs, exports, meshes, patterns, and garments sewn from these. What C owns is in capsules. */
#include "python_weft.h"

#include <stdlib.h>
#include <string.h>

bool python_files_ready(PyObject *module)
{
    (void)module;
    return true;
}

static PyObject *bytes_from(const void *p, int64_t n, size_t size)
{
    return PyBytes_FromStringAndSize(p, (Py_ssize_t)((size_t)n * size));
}

static PyObject *text_from(char *text)
{
    PyObject *o = PyUnicode_FromString(text);
    weft_text_free(text);
    return o;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static void free_scene(PyObject *capsule)
{
    weft_scene_free(PyCapsule_GetPointer(capsule, "scene"));
}

/* Texts of a list, valid as long as it is. */
static const char **texts_from(PyObject *list, int32_t *n)
{
    Py_ssize_t count = PyList_Check(list) ? PyList_Size(list) : 0;
    const char **out = malloc((size_t)count * sizeof *out + 1);
    for (Py_ssize_t i = 0; out && i < count; i++) {
        PyObject *item = PyList_GetItem(list, i);
        out[i] = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        if (!out[i]) {
            free(out);
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_TypeError, "sets[%zd] must be a str", i);
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
    const char **sets = texts_from(list, &n);
    if (!sets)
        return NULL;
    weft_result r = text ? weft_scene_parse(path, folder, text, (size_t)size, sets, n, &scene, &e)
                         : weft_scene_load(path, sets, n, &scene, &e);
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
    bool ok = cloths && colliders;
    for (int32_t i = 0; ok && i < s->n_cloths + s->n_colliders; i++) {
        bool is_cloth = i < s->n_cloths;
        PyObject *name = PyUnicode_FromString(is_cloth ? s->cloths[i].name : s->colliders[i - s->n_cloths].name);
        ok = name && PyList_Append(is_cloth ? cloths : colliders, name) == 0;
        Py_XDECREF(name);
    }
    if (ok)
        out = Py_BuildValue("{ss sO sO sd si si si si}", "name", s->name, "cloths", cloths, "colliders", colliders,
                            "fps", s->output.fps, "frames", s->output.frames, "steps_per_frame",
                            s->output.steps_per_frame, "n_attachments", s->n_attachments, "n_ties", s->n_ties);
    Py_XDECREF(cloths);
    Py_XDECREF(colliders);
    return out;
}

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
    if (*what == 'r') {
        const weft_scene *s = PyCapsule_GetPointer(capsule, "scene");
        if (!s)
            return NULL;
        r = weft_scene_resolve(s, &text, &e);
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
    if (weft_stage_create(s, &def, &stage, &e) < 0)
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

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void free_cache(PyObject *capsule)
{
    weft_cache_free(PyCapsule_GetPointer(capsule, "cache"));
}

static PyObject *cache_open(PyObject *module, PyObject *args)
{
    const char *path;
    weft_cache *cache = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &path))
        return NULL;
    return weft_cache_open(path, &cache, &e) < 0 ? raise_weft(&e) : PyCapsule_New(cache, "cache", free_cache);
}

static PyObject *names_of(const weft_cache *c, int32_t n, const char *(*name)(const weft_cache *, int32_t))
{
    PyObject *out = PyList_New(0);
    for (int32_t i = 0; out && i < n; i++) {
        PyObject *t = PyUnicode_FromString(name(c, i) ? name(c, i) : "");
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

static PyObject *cache_info(PyObject *module, PyObject *capsule)
{
    const weft_cache *c = PyCapsule_GetPointer(capsule, "cache");
    (void)module;
    if (!c)
        return NULL;
    weft_cache_info i = weft_cache_get_info(c);
    PyObject *cloths = names_of(c, i.n_cloths, weft_cache_cloth_name);
    PyObject *columns = names_of(c, i.n_columns, weft_cache_column_name), *out = NULL;
    if (cloths && columns)
        out = Py_BuildValue("{sd si si sO sO sO sO sK ss}", "fps", i.fps, "n_frames", i.n_frames, "n_restarts",
                            i.n_restarts, "was_closed", i.was_closed ? Py_True : Py_False, "torn",
                            i.torn ? Py_True : Py_False, "cloths", cloths, "columns", columns, "size",
                            (unsigned long long)i.size, "scene", i.scene);
    Py_XDECREF(cloths);
    Py_XDECREF(columns);
    return out;
}

static PyObject *cache_topology(PyObject *module, PyObject *args)
{
    PyObject *capsule, *out = NULL;
    int frame, cloth;
    const weft_topology *t;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oii", &capsule, &frame, &cloth))
        return NULL;
    weft_cache *c = PyCapsule_GetPointer(capsule, "cache");
    if (!c)
        return NULL;
    if (weft_cache_get_topology(c, frame, cloth, &t, &e) < 0)
        return raise_weft(&e);
    PyObject *triangles = bytes_from(t->triangles, t->n_triangles, 3 * sizeof *t->triangles);
    PyObject *uv = bytes_from(t->uv, t->uv ? t->n_uv : 0, sizeof *t->uv);
    if (triangles && uv)
        out = Py_BuildValue("(iOO)", t->n_nodes, triangles, uv);
    Py_XDECREF(triangles);
    Py_XDECREF(uv);
    return out;
}

static PyObject *cache_positions(PyObject *module, PyObject *args)
{
    PyObject *capsule, *o;
    int frame, cloth;
    const weft_topology *t;
    array_out a;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiiO", &capsule, &frame, &cloth, &o))
        return NULL;
    weft_cache *c = PyCapsule_GetPointer(capsule, "cache");
    if (!c)
        return NULL;
    if (weft_cache_get_topology(c, frame, cloth, &t, &e) < 0)
        return raise_weft(&e);
    if (!array_out_open(o, "out", 'd', 3, t->n_nodes, false, &a))
        return NULL;
    weft_result r = weft_cache_read_positions(c, frame, cloth, a.view.buf, a.n, &e);
    array_out_close(&a);
    return done(r, &e);
}

static PyObject *cache_head(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int frame;
    double time;
    uint64_t hash;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &frame))
        return NULL;
    weft_cache *c = PyCapsule_GetPointer(capsule, "cache");
    if (!c)
        return NULL;
    int32_t n = weft_cache_get_info(c).n_columns;
    double *columns = malloc((size_t)n * sizeof *columns + 1);
    PyObject *out = NULL, *values = NULL;
    if (!columns)
        return PyErr_NoMemory();
    if (weft_cache_read_head(c, frame, &time, &hash, columns, &e) < 0)
        raise_weft(&e);
    else
        values = bytes_from(columns, n, sizeof *columns);
    if (values)
        out = Py_BuildValue("(dKO)", time, (unsigned long long)hash, values);
    Py_XDECREF(values);
    free(columns);
    return out;
}

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

static bool call_progress(void *user, int32_t n_done, int32_t n)
{
    PyObject *r = user == Py_None ? PyLong_FromLong(1) : PyObject_CallFunction(user, "ii", (int)n_done, (int)n);
    bool goes_on = r && (r == Py_None || PyObject_IsTrue(r) > 0) && PyErr_CheckSignals() == 0;
    Py_XDECREF(r);
    return goes_on;
}

static PyObject *export_run(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dict, *progress;
    const char *path;
    weft_export_def def = weft_export_def_default();
    weft_export_result result = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OsOO", &capsule, &path, &dict, &progress) ||
        !fields_set(export_fields, &def, dict, "an export"))
        return NULL;
    weft_cache *c = PyCapsule_GetPointer(capsule, "cache");
    if (!c)
        return NULL;
    def.path = path;
    def.progress = call_progress;
    def.progress_user = progress;
    if (weft_export(c, &def, &result, &e) < 0)
        return PyErr_Occurred() ? NULL : raise_weft(&e);
    return Py_BuildValue("{si si ss ss ss}", "n_files", result.n_files, "n_frames", result.n_frames, "first",
                         result.first, "last", result.last, "note", result.note);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static PyObject *mesh_read(PyObject *module, PyObject *args)
{
    const char *path;
    weft_mesh m;
    weft_error e;
    PyObject *out = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &path))
        return NULL;
    if (weft_mesh_read(path, &m, &e) < 0)
        return raise_weft(&e);
    int64_t room = 3 * (int64_t)m.face_start[m.n_faces] - 6 * (int64_t)m.n_faces;
    int32_t *t = malloc((size_t)(room > 0 ? room : 0) * sizeof *t + 1);
    PyObject *x = bytes_from(m.positions, m.n_nodes, sizeof *m.positions);
    int32_t n = t ? weft_mesh_triangulate(&m, t, NULL) : 0;
    PyObject *f = t ? bytes_from(t, n, 3 * sizeof *t) : PyErr_NoMemory();
    if (x && f)
        out = Py_BuildValue("(OO)", x, f);
    Py_XDECREF(x);
    Py_XDECREF(f);
    free(t);
    weft_mesh_free(&m);
    return out;
}

static PyObject *mesh_write(PyObject *module, PyObject *args)
{
    const char *path;
    int format;
    PyObject *p[2], *out = NULL;
    array_in x = {0}, t = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "siOO", &path, &format, &p[0], &p[1]))
        return NULL;
    int32_t *start = NULL;
    if (array_in_doubles(p[0], "positions", 3, &x) && array_in_ints(p[1], "triangles", 3, &t)) {
        const int32_t *corner = t.items;
        int64_t bad = 0;
        while (bad < 3 * (int64_t)t.n && corner[bad] >= 0 && corner[bad] < x.n)
            bad++;
        start = malloc(((size_t)t.n + 1) * sizeof *start);
        for (int32_t i = 0; start && i <= t.n; i++)
            start[i] = 3 * i;
        weft_mesh m = {.n_nodes = x.n, .positions = x.items, .n_faces = t.n, .face_start = start, .corners = t.items};
        if (bad < 3 * (int64_t)t.n)
            PyErr_Format(PyExc_IndexError, "triangles[%lld] names node %d, there are %d", (long long)(bad / 3),
                         (int)corner[bad], (int)x.n);
        else if (!start)
            PyErr_NoMemory();
        else
            out = done(weft_mesh_write(path, (weft_mesh_format)format, &m, &e), &e);
    }
    free(start);
    array_in_free(&x);
    array_in_free(&t);
    return out;
}

/* ---- patterns and garments --------------------------------------------------------------------------------------- */

static void free_pattern(PyObject *capsule)
{
    weft_pattern_destroy(PyCapsule_GetPointer(capsule, "pattern"));
}

static PyObject *pattern_open(PyObject *module, PyObject *args)
{
    const char *path, *draft;
    PyObject *measures;
    weft_measures m = weft_measures_default();
    weft_pattern *p = NULL;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "zzO", &path, &draft, &measures) ||
        !fields_set(measures_fields, &m, measures, "measures"))
        return NULL;
    weft_result r = draft ? weft_draft(draft, &m, &p, &e) : weft_pattern_read(path ? path : "", &p, &e);
    return r < 0 ? raise_weft(&e) : PyCapsule_New(p, "pattern", free_pattern);
}

static PyObject *pattern_info(PyObject *module, PyObject *capsule)
{
    const weft_pattern *p = PyCapsule_GetPointer(capsule, "pattern");
    weft_error e;
    weft_panel_info i;
    (void)module;
    PyObject *panels = p ? PyList_New(0) : NULL;
    for (int32_t k = 0; panels && k < weft_pattern_panel_count(p); k++) {
        PyObject *t = weft_pattern_panel_info(p, k, &i, &e) < 0
                          ? raise_weft(&e)
                          : Py_BuildValue("(sddO)", weft_pattern_panel(p, k)->name, i.area, i.perimeter,
                                          weft_pattern_is_rib(p, k) ? Py_True : Py_False);
        if (!t || PyList_Append(panels, t) < 0)
            Py_CLEAR(panels);
        Py_XDECREF(t);
    }
    PyObject *out = panels ? Py_BuildValue("(Oi)", panels, weft_pattern_seam_count(p)) : NULL;
    Py_XDECREF(panels);
    return out;
}

static PyObject *pattern_do(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *what, *path;
    double ratio;
    int force;
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "sOzdp", &what, &capsule, &path, &ratio, &force))
        return NULL;
    const weft_pattern *p = PyCapsule_GetPointer(capsule, "pattern");
    if (!p)
        return NULL;
    if (*what == 'c')
        return done(weft_pattern_check(p, ratio, &e), &e);
    if (*what == 'w')
        return done(weft_pattern_write(path ? path : "", p, force, &e), &e);
    weft_svg_def def = weft_svg_def_default();
    def.force = force;
    return done(weft_pattern_write_svg(path ? path : "", p, &def, &e), &e);
}

typedef struct sewing {
    weft_garment *garment;
    weft_body *body;
    weft_sim *sim;
    weft_sew *sew;
    weft_sew_state state;
} sewing;

static void sewing_free(sewing *w)
{
    weft_sew_destroy(w->sew);
    weft_sim_destroy(w->sim);
    weft_body_destroy(w->body);
    weft_garment_destroy(w->garment);
}

static weft_result sewing_begin(sewing *w, const weft_pattern *p, const weft_garment_def *cut, weft_sew_def *def,
                                const array_in *x, const array_in *t, weft_error *e)
{
    weft_body_def body = weft_body_def_default();
    weft_fit_def fit = weft_fit_def_default();
    weft_sim_def sim = weft_sim_def_default();
    weft_collider_def solid = weft_collider_def_default();
    body.n_vertices = solid.n_vertices = x->n;
    body.vertices = solid.vertices = x->items;
    body.n_triangles = solid.n_triangles = t->n;
    body.triangles = solid.triangles = t->items;
    solid.kind = WEFT_COLLIDER_MESH;
    weft_result r = weft_body_create(&body, &w->body, e);
    if (r >= 0)
        r = weft_garment_create(p, cut, &w->garment, e);
    if (r >= 0)
        r = weft_garment_fit(w->garment, p, w->body, &fit, NULL, e);
    if (r >= 0)
        r = weft_sim_create(&sim, &w->sim, e);
    if (r >= 0)
        r = weft_collider_create(w->sim, &solid, &def->body, e);
    def->has_body = true;
    def->garment = w->garment;
    def->pattern = p;
    return r < 0 ? r : weft_sew_create(w->sim, def, &w->sew, e);
}

/* (pattern, vertices, triangles, garment, sew, fabric, progress): the simulation, ids of cloth and body, the state. */
static PyObject *sew_all(PyObject *module, PyObject *args)
{
    PyObject *capsule, *p[2], *cut_dict, *sew_dict, *fabric_dict, *progress, *out = NULL;
    array_in x = {0}, t = {0};
    weft_garment_def cut = weft_garment_def_default();
    weft_sew_def def = weft_sew_def_default();
    weft_fabric fabric = weft_fabric_default();
    sewing w = {0};
    weft_error e;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOOO", &capsule, &p[0], &p[1], &cut_dict, &sew_dict, &fabric_dict, &progress))
        return NULL;
    const weft_pattern *pattern = PyCapsule_GetPointer(capsule, "pattern");
    if (!pattern || !fields_set(garment_fields, &cut, cut_dict, "a garment") ||
        !fields_set(sew_fields, &def, sew_dict, "sewing") ||
        !fields_set(fabric_fields, &fabric, fabric_dict, "a fabric") || !array_in_doubles(p[0], "vertices", 3, &x) ||
        !array_in_ints(p[1], "triangles", 3, &t)) {
        array_in_free(&x);
        return NULL;
    }
    def.model.fabrics = &fabric;
    def.model.n_fabrics = 1;
    weft_result r;
    Py_BEGIN_ALLOW_THREADS
    r = sewing_begin(&w, pattern, &cut, &def, &x, &t, &e);
    Py_END_ALLOW_THREADS
    while (r >= 0 && w.state.phase != WEFT_SEW_DONE && !PyErr_Occurred()) {
        Py_BEGIN_ALLOW_THREADS
        r = weft_sew_step(w.sew, NULL, &w.state, &e);
        Py_END_ALLOW_THREADS
        if (r >= 0 && PyErr_CheckSignals() == 0)
            call_progress(progress, w.state.n_steps, (int32_t)w.state.phase);
    }
    if (r < 0)
        raise_weft(&e);
    if (!PyErr_Occurred()) {
        PyObject *cloth = NUMBER(weft_sew_cloth(w.sew)), *body = NUMBER(def.body);
        weft_sew_destroy(w.sew);
        w.sew = NULL;
        PyObject *sim = cloth && body ? sim_wrap(w.sim, NULL, NULL) : NULL;
        w.sim = cloth && body ? NULL : w.sim;
        if (sim)
            out = Py_BuildValue("(OOO{si si sd si si})", sim, cloth, body, "n_seams", w.state.n_seams, "n_welded",
                                w.state.n_welded, "speed", w.state.speed, "n_steps", w.state.n_steps, "n_tangled",
                                w.state.n_tangled);
        Py_XDECREF(sim);
        Py_XDECREF(cloth);
        Py_XDECREF(body);
    }
    sewing_free(&w);
    array_in_free(&x);
    array_in_free(&t);
    return out;
}

PyMethodDef python_file_methods[] = {
    {"scene_load", scene_load, METH_VARARGS, NULL},
    {"scene_info", scene_info, METH_O, NULL},
    {"scene_text", scene_text, METH_VARARGS, NULL},
    {"scene_stage", scene_stage, METH_VARARGS, NULL},
    {"cache_open", cache_open, METH_VARARGS, NULL},
    {"cache_info", cache_info, METH_O, NULL},
    {"cache_topology", cache_topology, METH_VARARGS, NULL},
    {"cache_positions", cache_positions, METH_VARARGS, NULL},
    {"cache_head", cache_head, METH_VARARGS, NULL},
    {"export_formats", export_formats, METH_NOARGS, NULL},
    {"export_run", export_run, METH_VARARGS, NULL},
    {"mesh_read", mesh_read, METH_VARARGS, NULL},
    {"mesh_write", mesh_write, METH_VARARGS, NULL},
    {"pattern_open", pattern_open, METH_VARARGS, NULL},
    {"pattern_info", pattern_info, METH_O, NULL},
    {"pattern_do", pattern_do, METH_VARARGS, NULL},
    {"sew_all", sew_all, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
