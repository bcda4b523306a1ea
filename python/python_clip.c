/* SPDX-License-Identifier: MIT */
/* Frames for the 3D player: the clips of tool/player, filled from Python. A clip that lacks memory, or is given what
 * does not fit, raises and stays as it is. */
#include "player/clip.h"
#include "python_weft.h"

#include <stdlib.h>
#include <string.h>

typedef struct clip_part_size {
    int32_t n_nodes, n_triangles; /* -1: no mesh yet */
} clip_part_size;

typedef struct clip_object {
    clip *c;
    clip_part_size *parts;
    picture_solid *solids;
    int32_t n_parts, n_solids;
    bool busy; /* a thread packs it */
} clip_object;

enum { MOST_PARTS = 4096 };

static void clip_object_free(PyObject *capsule)
{
    clip_object *o = PyCapsule_GetPointer(capsule, "clip");
    clip_free(o->c);
    free(o->parts);
    free(o->solids);
    free(o);
}

static clip_object *clip_from(PyObject *capsule)
{
    clip_object *o = PyCapsule_GetPointer(capsule, "clip");
    if (o && o->busy) {
        PyErr_SetString(PyExc_RuntimeError, "the clip is being packed in another thread");
        return NULL;
    }
    return o;
}

static PyObject *none_or_memory(bool ok)
{
    if (!ok)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *clip_create(PyObject *module, PyObject *args)
{
    const char *title;
    double fps;
    (void)module;
    if (!PyArg_ParseTuple(args, "sd", &title, &fps))
        return NULL;
    if (!(fps > 0 && fps <= 1e6))
        return PyErr_Format(PyExc_ValueError, "fps must be above 0, and 1e6 at most");
    clip_object *o = calloc(1, sizeof *o);
    if (o)
        *o = (clip_object){clip_new(title, fps),
                           calloc(MOST_PARTS, sizeof *o->parts),
                           calloc(MOST_PARTS, sizeof *o->solids),
                           0,
                           0,
                           false};
    if (o && o->c && o->parts && o->solids)
        return PyCapsule_New(o, "clip", clip_object_free);
    if (o) {
        clip_free(o->c);
        free(o->parts);
        free(o->solids);
    }
    free(o);
    return PyErr_NoMemory();
}

static bool may_add(const clip_object *o, int32_t n)
{
    if (clip_n_frames(o->c) > 0)
        PyErr_SetString(PyExc_ValueError, "parts are added before the first frame");
    else if (n >= MOST_PARTS)
        PyErr_Format(PyExc_ValueError, "there are %d parts already", (int)n);
    return !PyErr_Occurred();
}

/* (clip, name, is_collider, front, back): its number */
static PyObject *clip_part_add(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *name;
    int is_collider;
    double f[3], b[3];
    (void)module;
    if (!PyArg_ParseTuple(args, "Osp(ddd)(ddd)", &capsule, &name, &is_collider, &f[0], &f[1], &f[2], &b[0], &b[1],
                          &b[2]))
        return NULL;
    clip_object *o = clip_from(capsule);
    if (!o || !may_add(o, o->n_parts))
        return NULL;
    clip_part part = {
        name, is_collider, {(float)f[0], (float)f[1], (float)f[2]}, {(float)b[0], (float)b[1], (float)b[2]}};
    int32_t n = clip_add_part(o->c, &part);
    if (n < 0)
        return PyErr_NoMemory();
    o->parts[n] = (clip_part_size){-1, -1};
    o->n_parts = n + 1;
    return PyLong_FromLong(n);
}

/* (clip, name, definition of a collider, colour): its number */
static PyObject *clip_solid_add(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dict;
    const char *name;
    double f[3];
    weft_collider_def def = weft_collider_def_default();
    (void)module;
    if (!PyArg_ParseTuple(args, "OsO(ddd)", &capsule, &name, &dict, &f[0], &f[1], &f[2]) ||
        !fields_set(collider_fields, &def, dict, "a solid"))
        return NULL;
    clip_object *o = clip_from(capsule);
    if (!o || !may_add(o, o->n_solids))
        return NULL;
    if (def.kind < 0 || def.kind >= WEFT_COLLIDER_MESH)
        return PyErr_Format(PyExc_ValueError, "kind is %d, a solid is of kinds 0 to 4", (int)def.kind);
    picture_solid s = {.kind = def.kind, .radius = def.radius, .height = def.height, .size = def.size};
    s.color = (picture_color){(float)f[0], (float)f[1], (float)f[2]};
    int32_t n = clip_add_solid(o->c, name, &s);
    if (n < 0)
        return PyErr_NoMemory();
    o->solids[n] = s;
    o->n_solids = n + 1;
    return PyLong_FromLong(n);
}

static PyObject *clip_frame_add(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int number;
    double time;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oid", &capsule, &number, &time))
        return NULL;
    clip_object *o = clip_from(capsule);
    return o ? none_or_memory(clip_begin_frame(o->c, number, time)) : NULL;
}

static clip_part_size *part_of(clip_object *o, int part)
{
    if (part >= 0 && part < o->n_parts && clip_n_frames(o->c) > 0)
        return &o->parts[part];
    PyErr_Format(PyExc_IndexError, "part %d of %d, in frame %d", part, (int)o->n_parts, (int)clip_n_frames(o->c));
    return NULL;
}

/* Sides that have a rest length are drawn; a quad's diagonal has none. */
static uint8_t *lines_of(const array_in *rest)
{
    uint8_t *lines = calloc((size_t)rest->n + 1, 1);
    for (int64_t i = 0; lines && i < 3 * (int64_t)rest->n; i++)
        lines[i / 3] = (uint8_t)(lines[i / 3] | (((const double *)rest->items)[i] > 0) << i % 3);
    return lines;
}

/* (clip, part, n_nodes, triangles, rest lengths, uv, levels as bytes) */
static PyObject *clip_mesh_set(PyObject *module, PyObject *args)
{
    PyObject *capsule, *p[3], *out = NULL;
    const char *levels;
    Py_ssize_t n_levels;
    int part, n_nodes;
    array_in t = {0}, rest = {0}, uv = {0};
    uint8_t *lines = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiiOOOz#", &capsule, &part, &n_nodes, &p[0], &p[1], &p[2], &levels, &n_levels))
        return NULL;
    clip_object *o = clip_from(capsule);
    clip_part_size *size = o ? part_of(o, part) : NULL;
    if (size && n_nodes >= 0 && array_in_ints(p[0], "triangles", 3, &t) && triangles_fit(&t, n_nodes) &&
        array_in_doubles(p[1], "rest_lengths", 3, &rest) && same_rows(&rest, "rest_lengths", t.n) &&
        array_in_doubles(p[2], "uv", 2, &uv) && same_rows(&uv, "uv", n_nodes)) {
        lines = rest.given ? lines_of(&rest) : NULL;
        clip_mesh m = {.n_nodes = n_nodes, .n_triangles = t.n, .triangles = t.items, .rest = rest.items};
        m.uv = uv.items;
        m.lines = lines;
        m.levels = n_levels == t.n ? (const uint8_t *)levels : NULL;
        out = none_or_memory((!rest.given || lines) && clip_set_mesh(o->c, part, &m));
        if (out)
            *size = (clip_part_size){n_nodes, t.n};
    } else if (size && n_nodes < 0) {
        PyErr_SetString(PyExc_ValueError, "n_nodes must not be negative");
    }
    free(lines);
    array_in_free(&t);
    array_in_free(&rest);
    array_in_free(&uv);
    return out;
}

static PyObject *clip_points_set(PyObject *module, PyObject *args)
{
    PyObject *capsule, *in, *out = NULL;
    int part;
    array_in x = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO", &capsule, &part, &in))
        return NULL;
    clip_object *o = clip_from(capsule);
    const clip_part_size *size = o ? part_of(o, part) : NULL;
    if (size && size->n_nodes < 0)
        PyErr_Format(PyExc_ValueError, "part %d has no mesh yet", part);
    else if (size && array_in_doubles(in, "positions", 3, &x) && x.n != size->n_nodes)
        PyErr_Format(PyExc_ValueError, "positions has %d rows, %d are needed", (int)x.n, (int)size->n_nodes);
    else if (size && !PyErr_Occurred())
        out = none_or_memory(clip_set_points(o->c, part, x.items));
    array_in_free(&x);
    return out;
}

/* (clip, part, what pressed on its nodes, Pa) */
static PyObject *clip_pressures_set(PyObject *module, PyObject *args)
{
    PyObject *capsule, *in, *out = NULL;
    int part;
    array_in p = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO", &capsule, &part, &in))
        return NULL;
    clip_object *o = clip_from(capsule);
    const clip_part_size *size = o ? part_of(o, part) : NULL;
    if (size && array_in_doubles(in, "pressures", 1, &p) && p.n != size->n_nodes)
        PyErr_Format(PyExc_ValueError, "pressures has %d rows, %d are needed", (int)p.n, (int)size->n_nodes);
    else if (size && !PyErr_Occurred())
        out = none_or_memory(p.n == 0 || clip_set_pressures(o->c, part, p.items));
    array_in_free(&p);
    return out;
}

static PyObject *clip_pose_set(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int solid;
    weft_vec3 p;
    double r[9];
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi(ddd)((ddd)(ddd)(ddd))", &capsule, &solid, &p.x, &p.y, &p.z, &r[0], &r[1], &r[2],
                          &r[3], &r[4], &r[5], &r[6], &r[7], &r[8]))
        return NULL;
    clip_object *o = clip_from(capsule);
    if (o && (solid < 0 || solid >= o->n_solids || clip_n_frames(o->c) == 0))
        return PyErr_Format(PyExc_IndexError, "solid %d of %d, in frame %d", solid, (int)o->n_solids,
                            (int)clip_n_frames(o->c));
    if (!o)
        return NULL;
    picture_solid s = o->solids[solid];
    s.position = p;
    memcpy(s.rotation, r, sizeof r);
    clip_set_pose(o->c, solid, &s);
    if (s.kind == WEFT_COLLIDER_PLANE && r[4] > 0.999)
        clip_set_ground(o->c, p.y);
    Py_RETURN_NONE;
}

/* A contour: (clip, points, closed, number). */
static PyObject *clip_line_add(PyObject *module, PyObject *args)
{
    PyObject *capsule, *in;
    int closed, contour;
    array_in x = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOpi", &capsule, &in, &closed, &contour))
        return NULL;
    clip_object *o = clip_from(capsule);
    if (!o || !array_in_doubles(in, "points", 3, &x))
        return NULL;
    bool ok = clip_n_frames(o->c) == 0 || x.n == 0 || clip_add_line(o->c, x.items, x.n, closed, contour);
    array_in_free(&x);
    return none_or_memory(ok);
}

/* A byte a triangle: 1 intersects. */
static PyObject *clip_blame_set(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *blame;
    Py_ssize_t n;
    int part;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oiy#", &capsule, &part, &blame, &n))
        return NULL;
    clip_object *o = clip_from(capsule);
    const clip_part_size *size = o ? part_of(o, part) : NULL;
    if (size && n != size->n_triangles)
        return PyErr_Format(PyExc_ValueError, "part %d has %d triangles", part, (int)size->n_triangles);
    return size ? none_or_memory(clip_add_blame(o->c, part, (const uint8_t *)blame, (int32_t)n)) : NULL;
}

static PyObject *chunk_list(const page *chunks)
{
    PyObject *out = PyList_New(0);
    const char *text = page_text(chunks);
    for (const char *end; out && (end = strchr(text, '\n')); text = end + 1) {
        PyObject *t = PyUnicode_FromStringAndSize(text, end - text);
        if (!t || PyList_Append(out, t) < 0)
            Py_CLEAR(out);
        Py_XDECREF(t);
    }
    return out;
}

/* (clip, bytes at most, stretch drawn red, levels): head, chunks, frames in it, largest error in m */
static PyObject *clip_text(PyObject *module, PyObject *args)
{
    PyObject *capsule, *out = NULL;
    double budget, stretch;
    int levels;
    page head = {0}, chunks = {0};
    clip_summary summary = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "Oddi", &capsule, &budget, &stretch, &levels))
        return NULL;
    clip_object *o = clip_from(capsule);
    if (!o)
        return NULL;
    for (int32_t i = 0; i < o->n_parts; i++)
        if (clip_n_frames(o->c) == 0 || o->parts[i].n_nodes < 0)
            return PyErr_Format(PyExc_ValueError, "part %d has no points yet", (int)i);
    clip_set_scales(o->c, stretch, levels);
    size_t most = budget >= 1 && budget < 1e12 ? (size_t)budget : 0;
    bool ok;
    o->busy = true;
    Py_BEGIN_ALLOW_THREADS
    ok = clip_pack(o->c, most, &head, &chunks, &summary);
    Py_END_ALLOW_THREADS
    o->busy = false;
    PyObject *list = ok ? chunk_list(&chunks) : PyErr_NoMemory();
    if (list)
        out = Py_BuildValue("(sOid)", page_text(&head), list, summary.n_frames, summary.worst_error);
    Py_XDECREF(list);
    page_free(&head);
    page_free(&chunks);
    return out;
}

PyMethodDef python_clip_methods[] = {
    {"clip_create", clip_create, METH_VARARGS, NULL},
    {"clip_part_add", clip_part_add, METH_VARARGS, NULL},
    {"clip_solid_add", clip_solid_add, METH_VARARGS, NULL},
    {"clip_frame_add", clip_frame_add, METH_VARARGS, NULL},
    {"clip_mesh_set", clip_mesh_set, METH_VARARGS, NULL},
    {"clip_points_set", clip_points_set, METH_VARARGS, NULL},
    {"clip_pressures_set", clip_pressures_set, METH_VARARGS, NULL},
    {"clip_pose_set", clip_pose_set, METH_VARARGS, NULL},
    {"clip_line_add", clip_line_add, METH_VARARGS, NULL},
    {"clip_blame_set", clip_blame_set, METH_VARARGS, NULL},
    {"clip_text", clip_text, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
