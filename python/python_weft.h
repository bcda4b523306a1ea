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

typedef struct array_out {
    Py_buffer view;
    bool is_open, is_float;
    int32_t n;
    size_t stride; /* bytes from row to row */
} array_out;

/* A writable buffer of n rows of `columns` doubles (or floats, if `floats`), or with kind 'i' int32, 'B' bytes. */
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
    export_fields[], garment_fields[];

/* Sets fields of a struct from a dict; an unknown name is a TypeError. */
bool fields_set(const field *fields, void *to, PyObject *dict, const char *what);
/* A dict of all fields. */
PyObject *fields_get(const field *fields, const void *from);

bool vec3_from(PyObject *o, const char *name, weft_vec3 *out);

/* ---- types (python_sim.c, python_files.c) ------------------------------------------------------------------------ */

typedef struct sim_object {
    PyObject_HEAD weft_sim *sim;
    weft_stage *stage; /* that owns the simulation; NULL: it is the object's own */
    PyObject *scene;   /* that the stage reads */
    PyObject *force, *log, *sizes;
    PyThreadState *saved; /* while a call runs without the GIL */
    unsigned long runner; /* thread of the call that runs; 0: none */
    bool raised;          /* a callback has raised: what it raised is kept in the three below */
    PyObject *raised_type, *raised_value, *raised_trace;
    weft_step_stats stats;
} sim_object;

/* Of a Sim that is open and not at work in another thread; raises else, and is NULL. */
sim_object *sim_from(PyObject *o);
/* Releases the GIL for a call of the simulation, which callbacks may interrupt. */
void sim_begin(sim_object *s);
/* Takes it again; false: a callback has raised. */
bool sim_end(sim_object *s);
PyObject *sim_wrap(weft_sim *sim, weft_stage *stage, PyObject *scene);

#define SIM_OF(o) sim_object *s = sim_from(o)
#define ID(type, number) ((type){(int32_t)((number)&0xffffffff), (uint32_t)((uint64_t)(number) >> 32)})
#define NUMBER(id) PyLong_FromLongLong((long long)(uint32_t)(id).index | ((long long)(id).generation << 32))

/* The result of a call as an integer (a warning is more than 0), or what it raises. */
PyObject *done(weft_result r, const weft_error *e);
/* Keeps a callback for sizes as long as the simulation, and puts it into the definition. */
bool keep_size(sim_object *s, PyObject *function, weft_adapt *adapt);
bool same_rows(const array_in *a, const char *name, int32_t n);
bool fabrics_from(PyObject *list, weft_fabric **out, int32_t *n);

bool python_sim_ready(PyObject *module);
bool python_files_ready(PyObject *module);
extern PyMethodDef python_sim_methods[], python_cloth_methods[], python_hold_methods[], python_tool_methods[],
    python_file_methods[];

#endif
