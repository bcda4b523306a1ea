/* SPDX-License-Identifier: MIT */
/* Arrays in and out. What has no buffer but speaks DLPack (tensors of frameworks) is read by that, on the CPU. */
#include "python_weft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 0x10000000

/* ---- DLPack: https://dmlc.github.io/dlpack/latest/c_api.html ----------------------------------------------------- */

typedef struct dl_tensor {
    void *data;
    int32_t device_type, device;
    int32_t ndim;
    uint8_t code, bits; /* 0: int, 1: unsigned, 2: float, 6: bool */
    uint16_t lanes;
    int64_t *shape, *strides; /* strides in items; NULL: contiguous */
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *context;
    void (*free)(struct dl_managed *);
} dl_managed;

static const char *dl_format(const dl_tensor *t)
{
    static const char *const formats[][4] = {
        {"b", "h", "i", "q"}, {"B", "H", "I", "Q"}, {"", "e", "f", "d"}, {"", "", "", ""}};
    int size = t->bits == 8 ? 0 : t->bits == 16 ? 1 : t->bits == 32 ? 2 : 3;
    if (t->code == 6 && t->bits == 8)
        return "?";
    return formats[t->code < 3 && t->lanes == 1 ? t->code : 3][size];
}

static bool dl_is_on_cpu(PyObject *o, const char *name)
{
    int type = 0, device;
    PyObject *d = PyObject_CallMethod(o, "__dlpack_device__", NULL);
    bool ok = d && PyTuple_Check(d) && PyArg_ParseTuple(d, "ii", &type, &device);
    if (d && !PyTuple_Check(d))
        PyErr_Format(PyExc_TypeError, "%s has no DLPack device: (type, number) is needed", name);
    Py_XDECREF(d);
    if (ok && type != 1 && type != 3) /* 3: memory of the host that CUDA has pinned */
        PyErr_Format(PyExc_BufferError, "%s is on a device of type %d: copy it to the CPU", name, type);
    return ok && (type == 1 || type == 3);
}

static bool dl_open(PyObject *o, const char *name, array_view *v)
{
    PyObject *capsule = dl_is_on_cpu(o, name) ? PyObject_CallMethod(o, "__dlpack__", NULL) : NULL;
    dl_managed *m = capsule ? PyCapsule_GetPointer(capsule, "dltensor") : NULL;
    bool ok = m && PyCapsule_SetName(capsule, "used_dltensor") == 0;
    Py_XDECREF(capsule);
    if (!ok)
        return false;
    const dl_tensor *t = &m->tensor;
    v->managed = m;
    v->b = (Py_buffer){.buf = (char *)t->data + t->byte_offset, .ndim = t->ndim, .itemsize = t->bits / 8};
    v->b.format = (char *)(uintptr_t)dl_format(t);
    v->b.shape = v->shape;
    v->b.strides = v->strides;
    Py_ssize_t packed = v->b.itemsize;
    for (int i = t->ndim < 3 ? t->ndim - 1 : -1; i >= 0; i--) {
        v->shape[i] = (Py_ssize_t)t->shape[i];
        v->strides[i] = t->strides ? (Py_ssize_t)t->strides[i] * v->b.itemsize : packed;
        packed *= v->shape[i];
    }
    return true;
}

static bool has_dlpack(PyObject *o)
{
    return !PyObject_CheckBuffer(o) && PyObject_HasAttrString(o, "__dlpack__") &&
           PyObject_HasAttrString(o, "__dlpack_device__");
}

static bool view_open(PyObject *o, const char *name, int flags, array_view *v)
{
    *v = (array_view){0};
    if (has_dlpack(o))
        return dl_open(o, name, v);
    return PyObject_GetBuffer(o, &v->b, flags) == 0;
}

static void view_close(array_view *v)
{
    if (!v->managed)
        PyBuffer_Release(&v->b);
    else if (v->managed->free)
        v->managed->free(v->managed);
}

/* ---- in ---------------------------------------------------------------------------------------------------------- */

/* The one letter of a format in native byte order; 0: another. */
static char format_letter(const Py_buffer *v)
{
    const char *f = v->format ? v->format : "B";
    if (*f == '@' || *f == '=' || *f == '<')
        f++;
    return f[0] && !f[1] ? f[0] : 0;
}

static bool is_integer(char letter)
{
    return letter && strchr("bBhHiIlLqQ?", letter) != NULL;
}

static double number_at(const char *at, char letter, Py_ssize_t size)
{
    double d;
    float f;
    int64_t q = 0;
    int32_t i;
    switch (letter) {
    case 'd': memcpy(&d, at, sizeof d); return d;
    case 'f': memcpy(&f, at, sizeof f); return (double)f;
    default: break;
    }
    if (size == 8) {
        memcpy(&q, at, sizeof q);
        return (double)q;
    }
    if (size == 4) {
        memcpy(&i, at, sizeof i);
        return letter == 'I' || letter == 'L' ? (double)(uint32_t)i : (double)i;
    }
    if (size == 2) {
        int16_t h;
        memcpy(&h, at, sizeof h);
        return letter == 'H' ? (double)(uint16_t)h : (double)h;
    }
    return letter == 'b' ? (double)*(const signed char *)at : (double)*(const unsigned char *)at;
}

static bool put_number(array_in *out, bool ints, int64_t place, double d, const char *name)
{
    if (!ints) {
        ((double *)out->items)[place] = d;
        return true;
    }
    if (!(d >= -2147483648.0 && d <= 2147483647.0)) {
        PyErr_Format(PyExc_ValueError, "%s[%lld] does not fit 32 bits", name, (long long)place);
        return false;
    }
    ((int32_t *)out->items)[place] = (int32_t)d;
    return true;
}

static bool make_rows(array_in *out, bool ints, int64_t n, int columns, const char *name)
{
    if (n > MOST_ROWS) {
        PyErr_Format(PyExc_ValueError, "%s has %lld rows, at most %d are possible", name, (long long)n, MOST_ROWS);
        return false;
    }
    out->n = (int32_t)n;
    out->items = malloc((size_t)(n * columns + 1) * (ints ? sizeof(int32_t) : sizeof(double)));
    if (!out->items)
        PyErr_NoMemory();
    return out->items != NULL;
}

static bool shape_fits(const Py_buffer *v, int columns)
{
    if (v->ndim == 2)
        return v->shape[1] == columns;
    return v->ndim == 1 && columns == 1;
}

static bool take_buffer(const Py_buffer *v, const char *name, bool ints, int columns, array_in *out)
{
    char letter = format_letter(v);
    if (!(is_integer(letter) || (!ints && (letter == 'd' || letter == 'f')))) {
        PyErr_Format(PyExc_TypeError, "%s has items of format '%s', %s are needed", name, v->format ? v->format : "B",
                     ints ? "integers" : "float64 or float32");
        return false;
    }
    if (!shape_fits(v, columns)) {
        if (v->ndim == 2)
            PyErr_Format(PyExc_ValueError, "%s has the shape (%zd, %zd), (n, %d) is needed", name, v->shape[0],
                         v->shape[1], columns);
        else
            PyErr_Format(PyExc_ValueError, "%s has %d dimensions, the shape (n, %d) is needed", name, v->ndim, columns);
        return false;
    }
    if (!make_rows(out, ints, v->shape[0], columns, name))
        return false;
    Py_ssize_t across = v->ndim == 2 ? v->strides[1] : 0;
    for (Py_ssize_t i = 0; i < v->shape[0]; i++)
        for (int k = 0; k < columns; k++) {
            double d = number_at((const char *)v->buf + i * v->strides[0] + k * across, letter, v->itemsize);
            if (!put_number(out, ints, (int64_t)i * columns + k, d, name))
                return false;
        }
    return true;
}

static bool take_item(PyObject *item, const char *name, bool ints, int64_t place, array_in *out)
{
    double d = item ? PyFloat_AsDouble(item) : -1;
    if (!item || (d == -1 && PyErr_Occurred())) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s[%lld] is not a number", name, (long long)place);
        return false;
    }
    if (ints && !PyLong_Check(item)) {
        PyErr_Format(PyExc_TypeError, "%s[%lld] is not an integer", name, (long long)place);
        return false;
    }
    return put_number(out, ints, place, d, name);
}

static bool take_row(PyObject *row, const char *name, bool ints, int columns, int64_t i, array_in *out)
{
    if (columns == 1)
        return take_item(row, name, ints, i, out);
    if (!row || !PySequence_Check(row) || PySequence_Size(row) != columns) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s[%lld] is no row of %d numbers", name, (long long)i, columns);
        return false;
    }
    for (int k = 0; k < columns; k++) {
        PyObject *item = PySequence_GetItem(row, k);
        bool ok = take_item(item, name, ints, i * columns + k, out);
        Py_XDECREF(item);
        if (!ok)
            return false;
    }
    return true;
}

static bool take_sequence(PyObject *o, const char *name, bool ints, int columns, array_in *out)
{
    Py_ssize_t n = PySequence_Check(o) && !PyUnicode_Check(o) ? PySequence_Size(o) : -1;
    if (n < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be an array or a sequence", name);
        return false;
    }
    if (!make_rows(out, ints, n, columns, name))
        return false;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *row = PySequence_GetItem(o, i);
        bool ok = take_row(row, name, ints, columns, i, out);
        Py_XDECREF(row);
        if (!ok)
            return false;
    }
    return true;
}

static bool array_in_take(PyObject *o, const char *name, bool ints, int columns, array_in *out)
{
    array_view v;
    bool ok;
    *out = (array_in){0};
    if (!o || o == Py_None)
        return true;
    out->given = true;
    if (PyObject_CheckBuffer(o) || has_dlpack(o)) {
        if (!view_open(o, name, PyBUF_FORMAT | PyBUF_STRIDES, &v))
            return false;
        ok = take_buffer(&v.b, name, ints, columns, out);
        view_close(&v);
    } else {
        ok = take_sequence(o, name, ints, columns, out);
    }
    if (!ok)
        array_in_free(out);
    return ok;
}

bool array_in_doubles(PyObject *o, const char *name, int columns, array_in *out)
{
    return array_in_take(o, name, false, columns, out);
}

bool array_in_ints(PyObject *o, const char *name, int columns, array_in *out)
{
    return array_in_take(o, name, true, columns, out);
}

void array_in_free(array_in *a)
{
    free(a->items);
    *a = (array_in){0};
}

const char *text_in(PyObject *o, const char *name, Py_ssize_t index)
{
    Py_ssize_t n = 0;
    const char *text = o && PyUnicode_Check(o) ? PyUnicode_AsUTF8AndSize(o, &n) : NULL;
    char place[32] = "";
    if (index >= 0)
        snprintf(place, sizeof place, "[%ld]", (long)index);
    if (!text && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s%s must be a str", name, place);
    if (!text || strlen(text) == (size_t)n)
        return text;
    PyErr_Format(PyExc_ValueError, "%s%s: there may be no NUL in it", name, place);
    return NULL;
}

static bool out_fits(const Py_buffer *v, int columns, int64_t n)
{
    if (columns == 1 && v->ndim == 1)
        return v->shape[0] == n;
    return v->ndim == 2 && v->shape[0] == n && v->shape[1] == columns;
}

static bool check_out(array_out *out, const char *name, char kind, int columns, int64_t n, bool floats)
{
    const Py_buffer *v = &out->view.b;
    char letter = format_letter(v);
    bool int32 = kind == 'i' && v->itemsize == 4 && (letter == 'i' || letter == 'l');
    if (!(int32 || (kind != 'i' && letter == kind) || (floats && letter == 'f'))) {
        PyErr_Format(PyExc_TypeError, "%s has items of format '%s', %s is needed", name, v->format ? v->format : "B",
                     kind == 'd'   ? floats ? "float64 or float32" : "float64"
                     : kind == 'i' ? "int32"
                                   : "uint8");
        return false;
    }
    if (!out_fits(v, columns, n)) {
        PyErr_Format(PyExc_ValueError, "%s must have the shape (%lld, %d)", name, (long long)n, columns);
        return false;
    }
    if ((columns > 1 && v->strides[1] != v->itemsize) || v->strides[0] < columns * v->itemsize ||
        (!floats && v->strides[0] != columns * v->itemsize)) {
        PyErr_Format(PyExc_ValueError, "%s must be %s", name,
                     floats ? "contiguous along its rows, with a positive stride" : "contiguous");
        return false;
    }
    out->is_float = letter == 'f';
    out->stride = (size_t)v->strides[0];
    out->n = (int32_t)n;
    return true;
}

bool array_out_open(PyObject *o, const char *name, char kind, int columns, int64_t n, bool floats, array_out *out)
{
    *out = (array_out){0};
    if (!PyObject_CheckBuffer(o) && !has_dlpack(o)) {
        PyErr_Format(PyExc_TypeError, "%s must be a writable array", name);
        return false;
    }
    if (!view_open(o, name, PyBUF_FORMAT | PyBUF_STRIDES | PyBUF_WRITABLE, &out->view)) {
        if (!PyObject_CheckBuffer(o))
            return false;
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s is read-only, or has no memory that can be written to", name);
        return false;
    }
    out->is_open = true;
    out->items = out->view.b.buf;
    if (n < 0)
        n = out->view.b.ndim > 0 ? out->view.b.shape[0] : 0;
    if (check_out(out, name, kind, columns, n, floats))
        return true;
    array_out_close(out);
    return false;
}

void array_out_close(array_out *a)
{
    if (a->is_open)
        view_close(&a->view);
    a->is_open = false;
}
