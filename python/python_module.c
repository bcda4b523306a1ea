/* SPDX-License-Identifier: MIT */
/* The module weft._weft: its functions, and errors. */
#include "python_weft.h"

static PyObject *error_maker; /* of weft/__init__.py: (code, element, text) -> exception */

PyObject *raise_weft(const weft_error *e)
{
    PyObject *made;
    if (PyErr_Occurred())
        return NULL;
    if (e->code == WEFT_ERROR_MEMORY)
        return PyErr_NoMemory();
    made = error_maker ? PyObject_CallFunction(error_maker, "iis", (int)e->code, (int)e->element, e->text) : NULL;
    if (made)
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_RuntimeError, e->text);
    Py_XDECREF(made);
    return NULL;
}

static PyObject *set_error_maker(PyObject *module, PyObject *maker)
{
    (void)module;
    Py_XDECREF(error_maker);
    Py_INCREF(maker);
    error_maker = maker;
    Py_RETURN_NONE;
}

static PyObject *version(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    return PyUnicode_FromString(weft_version());
}

static PyObject *result_name(PyObject *module, PyObject *args)
{
    int code;
    (void)module;
    return PyArg_ParseTuple(args, "i", &code) ? PyUnicode_FromString(weft_result_name((weft_result)code)) : NULL;
}

static PyMethodDef module_methods[] = {{"set_error_maker", set_error_maker, METH_O, NULL},
                                       {"version", version, METH_NOARGS, NULL},
                                       {"result_name", result_name, METH_VARARGS, NULL},
                                       {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_weft", "Calls of the C library.", -1, module_methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__weft(void);
PyMODINIT_FUNC PyInit__weft(void)
{
    PyMethodDef *const parts[] = {
        python_sim_methods,     python_cloth_methods, python_hold_methods,      python_tool_methods,
        python_scene_methods,   python_file_methods,  python_cache_methods,     python_pattern_methods,
        python_garment_methods, python_sew_methods,   python_interrupt_methods, python_clip_methods,
    };
    PyObject *module = PyModule_Create(&definition);
    bool ok = module != NULL;
    for (size_t i = 0; ok && i < sizeof parts / sizeof *parts; i++)
        ok = PyModule_AddFunctions(module, parts[i]) == 0;
    if (ok && python_sim_ready(module))
        return module;
    Py_XDECREF(module);
    return NULL;
}
