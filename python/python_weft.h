/* SPDX-License-Identifier: MIT */
/* What the files of the extension share. It is thin: weft/__init__.py has the classes that people see, this has calls
 * of the C API with their arguments checked, on the stable ABI of Python 3.11.
 *
 * Arrays come in by the buffer protocol, of any stride, as float or double (integers: 32 or 64 bits), or as sequences;
 * they are copied, so that nobody can free or change them during a call. Arrays go out into buffers of the caller's.
 * The GIL is released in every call that may take long. */
#ifndef PYTHON_WEFT_H
#define PYTHON_WEFT_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <weft/io.h>

/* ---- errors (python_module.c) ------------------------------------------------------------------------------------ */

/* Raises what the code stands for, with the library's text; NULL. */
PyObject *raise_weft(const weft_error *e);

/* ---- arrays (python_arrays.c) ------------------------------------------------------------------------------------ */

typedef struct array_in {
    void *items; /* packed doubles or int32; free it with array_in_free */
    int32_t n;   /* rows */
    bool given;  /* not None */
} array_in;

/* Rows of `columns` numbers; columns 1: also a flat array. Raises with the argument's name, and is false then. */
bool array_in_doubles(PyObject *o, const char *name, int columns, array_in *out);
bool array_in_ints(PyObject *o, const char *name, int columns, array_in *out);
void array_in_free(array_in *a);

/* The UTF-8 of a str, which must outlive it. It raises with the argument's name, and index if that is not −1. */
const char *text_in(PyObject *o, const char *name, Py_ssize_t index);

/* A buffer, or a tensor by DLPack as if it were one. */
typedef struct array_view {
    Py_buffer b;
    struct dl_managed *managed; /* NULL: a buffer */
    Py_ssize_t shape[3], strides[3];
} array_view;

typedef struct array_out {
    array_view view;
    void *items;
    bool is_open, is_float;
    int32_t n;
    size_t stride; /* bytes from row to row */
} array_out;

/* A writable buffer of n rows of `columns` doubles (or floats, if `floats`), or with kind 'i' int32, 'B' bytes.
 * n −1: as many as it has. */
bool array_out_open(PyObject *o, const char *name, char kind, int columns, int64_t n, bool floats, array_out *out);
void array_out_close(array_out *a);

/* ---- definitions (python_fields.c) ------------------------------------------------------------------------------- */

typedef struct field {
    const char *name;
    char kind; /* d double, i int32 or enum, l int64, b bool, 3 vec3, 2 vec2, 4 quat */
    size_t offset;
} field;

extern const field sim_fields[], fabric_fields[], model_fields[], adapt_fields[], grid_fields[], collider_fields[],
    attachment_fields[], tie_fields[], untangle_fields[], measures_fields[], form_fields[], sew_fields[],
    export_fields[], garment_fields[], stats_fields[], fit_fields[], landmark_fields[], placement_fields[];

/* Sets fields of a struct from a dict; an unknown name is a TypeError. */
bool fields_set(const field *fields, void *to, PyObject *dict, const char *what);
/* A dict of all fields. */
PyObject *fields_get(const field *fields, const void *from);

bool vec3_from(PyObject *o, const char *name, weft_vec3 *out);

/* ---- long calls (python_interrupt.c) ----------------------------------------------------------------------------- */

/* A call without the GIL, which Ctrl-C in the main thread ends soon. */
typedef struct long_call {
    weft_sim *sim; /* to be cancelled; or NULL */
    PyThreadState *saved;
    struct long_call *outer; /* that this one was called from within */
    bool stands;             /* our handler is before Python's */
    volatile int interrupted;
} long_call;

void long_begin(long_call *c, weft_sim *sim);
/* False: interrupted, and KeyboardInterrupt is raised. */
bool long_end(long_call *c);
/* For definitions with an allocator, with the call as its user: fails when interrupted. */
void *long_alloc(void *user, void *ptr, size_t old_size, size_t new_size);

/* A thing that one thread at a time works on, without the GIL; others wait for it. */
typedef struct shared {
    void *thing;
    PyThread_type_lock lock;
} shared;

/* Takes the thing over, or frees it: NULL with what it raises. */
PyObject *shared_new(void *thing, const char *name, void (*destroy)(void *));
shared *shared_from(PyObject *capsule, const char *name);
/* Between the two there is no GIL, and nobody else at the thing. */
PyThreadState *shared_begin(shared *s);
void shared_end(shared *s, PyThreadState *saved);

/* ---- types (python_sim.c, python_files.c) ------------------------------------------------------------------------ */

typedef struct sim_object {
    PyObject_HEAD weft_sim *sim;
    weft_stage *stage; /* that owns the simulation; NULL: it is the object's own */
    PyObject *scene;   /* that the stage reads */
    PyObject *force, *log, *sizes;
    unsigned long runner; /* thread of the call that runs; 0: none */
    bool raised;          /* a callback has raised: what it raised is kept in the three below */
    PyObject *raised_type, *raised_value, *raised_trace;
    bool late;              /* an interrupt came when its step was done: the next one would be cancelled */
    struct sewing *sewings; /* that work on it (python_sew.c) */
    weft_step_stats stats;
} sim_object;

/* Of a Sim that is open and not at work in another thread; raises else, and is NULL. */
sim_object *sim_from(PyObject *o);

/* A call of the simulation without the GIL, which callbacks may interrupt; also from within one. */
typedef struct sim_call {
    sim_object *s;
    unsigned long outer; /* runner before */
    long_call call;
} sim_call;

sim_call *sim_begin(sim_object *s, sim_call *c);
/* Takes the GIL again; false: a callback has raised, or Ctrl-C. */
bool sim_end(sim_call *c);
/* The same, with the result of the call: as `done`. */
PyObject *sim_done(sim_call *c, weft_result r, const weft_error *e);
PyObject *sim_wrap(weft_sim *sim, weft_stage *stage, PyObject *scene);
/* Frees the sewings of a simulation that ends. */
void sewings_close(sim_object *s);

#define SIM_OF(o) sim_object *s = sim_from(o)
#define ID(type, number) ((type){(int32_t)((number)&0xffffffff), (uint32_t)((uint64_t)(number) >> 32)})
#define NUMBER(id) PyLong_FromLongLong((long long)(uint32_t)(id).index | ((long long)(id).generation << 32))

/* The result of a call as an integer (a warning is more than 0), or what it raises. */
PyObject *done(weft_result r, const weft_error *e);
/* Keeps a callback for sizes as long as the simulation, and puts it into the definition. */
bool keep_size(sim_object *s, PyObject *function, weft_adapt *adapt);
bool same_rows(const array_in *a, const char *name, int32_t n);
/* Triangles name nodes that there are. */
bool triangles_fit(const array_in *t, int32_t n_nodes);

/* (model, adapt, size, fabrics, face_fabric, face_panel, panel_fabric) */
typedef struct model_in {
    weft_cloth_model model;
    weft_fabric *fabrics;
    array_in face_fabric, face_panel, panel_fabric;
} model_in;

/* n_faces −1: it is not known. */
bool model_from(sim_object *s, PyObject *o, int64_t n_faces, model_in *m);
void model_in_free(model_in *m);
bool fabrics_from(PyObject *list, weft_fabric **out, int32_t *n);
/* n rows of category, mask and itself; NULL where None is given. */
bool filters_from(PyObject *rows, const char *name, int32_t n, weft_filter **out);
PyObject *bytes_of(const void *p, int64_t n, size_t size);
/* The same, or None for NULL. */
PyObject *bytes_or_none(const void *p, int64_t n, size_t size);
/* Puts a value that is given away; false, if it is NULL, too. */
bool dict_put(PyObject *dict, const char *key, PyObject *value);

/* Of panels (python_garment.c); the joint's name stays the dict's. */
PyObject *placement_dict(const weft_placement *p);
bool placement_from(PyObject *dict, weft_placement *out);
/* Polygons cut into triangles, as bytes. */
PyObject *mesh_triangles(const weft_mesh *m);

bool python_sim_ready(PyObject *module);
extern PyMethodDef python_sim_methods[], python_cloth_methods[], python_hold_methods[], python_tool_methods[],
    python_scene_methods[], python_file_methods[], python_cache_methods[], python_pattern_methods[],
    python_garment_methods[], python_sew_methods[], python_clip_methods[], python_interrupt_methods[];

#endif
