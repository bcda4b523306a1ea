/* SPDX-License-Identifier: MIT */
/* Ctrl-C during long calls. Python's own handler only notes the signal, and KeyboardInterrupt comes when its
 * interpreter goes on, which would be after the call. So while a call is at work in the main thread, and what Python
 * has for SIGINT is its default, our handler stands before Python's: it also cancels the simulation, or makes the
 * call's next wish for memory fail, so that the call returns soon. A handler of the user's own is called when the step
 * is done. */
#define _POSIX_C_SOURCE 200809L
#include "python_weft.h"

#include <signal.h>
#include <stdlib.h>

static long_call *volatile at_work; /* the innermost of the main thread */
static struct sigaction pythons;    /* handler, while at_work is not NULL */
static unsigned long main_thread;
static PyObject *getsignal, *default_handler;

/* (ident of the main thread, signal.getsignal, signal.default_int_handler) */
static PyObject *set_main_thread(PyObject *module, PyObject *args)
{
    PyObject *get, *handler;
    (void)module;
    if (!PyArg_ParseTuple(args, "kOO", &main_thread, &get, &handler))
        return NULL;
    Py_INCREF(get);
    Py_INCREF(handler);
    Py_XDECREF(getsignal);
    Py_XDECREF(default_handler);
    getsignal = get;
    default_handler = handler;
    Py_RETURN_NONE;
}

static void on_interrupt(int number)
{
    for (long_call *c = at_work; c; c = c->outer) {
        c->interrupted = 1;
        if (c->sim)
            weft_sim_cancel(c->sim);
    }
    pythons.sa_handler(number);
}

static bool raises_by_default(void)
{
    PyObject *handler = getsignal ? PyObject_CallFunction(getsignal, "i", SIGINT) : NULL;
    bool is = handler && handler == default_handler;
    Py_XDECREF(handler);
    PyErr_Clear();
    return is;
}

static void stand_before(long_call *c)
{
    struct sigaction ours;
    c->outer = at_work;
    if (!c->outer) {
        if (!raises_by_default() || sigaction(SIGINT, NULL, &ours) != 0 || (ours.sa_flags & SA_SIGINFO))
            return;
        pythons = ours;
        ours.sa_handler = on_interrupt;
        at_work = c;
        c->stands = sigaction(SIGINT, &ours, NULL) == 0;
        if (!c->stands)
            at_work = NULL;
        return;
    }
    c->stands = true;
    at_work = c;
}

void long_begin(long_call *c, weft_sim *sim)
{
    *c = (long_call){.sim = sim};
    if (PyThread_get_thread_ident() == main_thread)
        stand_before(c);
    c->saved = PyEval_SaveThread();
}

bool long_end(long_call *c)
{
    PyEval_RestoreThread(c->saved);
    if (c->stands) {
        at_work = c->outer;
        if (!c->outer)
            sigaction(SIGINT, &pythons, NULL);
    }
    return !c->interrupted || PyErr_CheckSignals() == 0;
}

void *long_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return ((long_call *)user)->interrupted ? NULL : realloc(ptr, new_size);
}

/* ---- things that threads share ----------------------------------------------------------------------------------- */

static void shared_free(PyObject *capsule)
{
    shared *s = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    void (*destroy)(void *) = (void (*)(void *))PyCapsule_GetContext(capsule);
    destroy(s->thing);
    PyThread_free_lock(s->lock);
    free(s);
}

PyObject *shared_new(void *thing, const char *name, void (*destroy)(void *))
{
    shared *s = calloc(1, sizeof *s);
    PyThread_type_lock lock = s ? PyThread_allocate_lock() : NULL;
    PyObject *capsule = lock ? PyCapsule_New(s, name, shared_free) : PyErr_NoMemory();
    if (!capsule) {
        destroy(thing);
        if (lock)
            PyThread_free_lock(lock);
        free(s);
        return NULL;
    }
    *s = (shared){thing, lock};
    PyCapsule_SetContext(capsule, (void *)destroy);
    return capsule;
}

shared *shared_from(PyObject *capsule, const char *name)
{
    return PyCapsule_GetPointer(capsule, name);
}

PyThreadState *shared_begin(shared *s)
{
    PyThreadState *saved = PyEval_SaveThread();
    PyThread_acquire_lock(s->lock, WAIT_LOCK);
    return saved;
}

void shared_end(shared *s, PyThreadState *saved)
{
    PyThread_release_lock(s->lock);
    PyEval_RestoreThread(saved);
}

PyMethodDef python_interrupt_methods[] = {{"set_main_thread", set_main_thread, METH_VARARGS, NULL},
                                          {NULL, NULL, 0, NULL}};
