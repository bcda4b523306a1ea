/* SPDX-License-Identifier: MIT */
/* Arrays in and out. */
#include "python_weft.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 0x10000000

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
    Py_buffer v;
    bool ok;
    *out = (array_in){0};
    if (!o || o == Py_None)
        return true;
    out->given = true;
    if (PyObject_CheckBuffer(o)) {
        if (PyObject_GetBuffer(o, &v, PyBUF_FORMAT | PyBUF_STRIDES) < 0)
            return false;
        ok = take_buffer(&v, name, ints, columns, out);
        PyBuffer_Release(&v);
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

static bool out_fits(const Py_buffer *v, int columns, int64_t n)
{
    if (columns == 1 && v->ndim == 1)
        return v->shape[0] == n;
    return v->ndim == 2 && v->shape[0] == n && v->shape[1] == columns;
}

static bool check_out(array_out *out, const char *name, char kind, int columns, int64_t n, bool floats)
{
    const Py_buffer *v = &out->view;
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
    if (!PyObject_CheckBuffer(o)) {
        PyErr_Format(PyExc_TypeError, "%s must be a writable array", name);
        return false;
    }
    if (PyObject_GetBuffer(o, &out->view, PyBUF_FORMAT | PyBUF_STRIDES | PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s is read-only, or has no memory that can be written to", name);
        return false;
    }
    out->is_open = true;
    if (check_out(out, name, kind, columns, n, floats))
        return true;
    array_out_close(out);
    return false;
}

void array_out_close(array_out *a)
{
    if (a->is_open)
        PyBuffer_Release(&a->view);
    a->is_open = false;
}
