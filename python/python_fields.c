/* SPDX-License-Identifier: MIT */
/* Definitions as dicts: one table a struct, in the order of its header. */
#include "python_weft.h"

#include <stddef.h>
#include <string.h>

#define F(type, kind, name)                                                                                            \
    {                                                                                                                  \
#name, kind, offsetof(type, name)                                                                              \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        NULL, 0, 0                                                                                                     \
    }

const field sim_fields[] = {F(weft_sim_def, '3', gravity),
                            F(weft_sim_def, 'i', integrator),
                            F(weft_sim_def, 'i', n_threads),
                            F(weft_sim_def, 'd', newton_tolerance),
                            F(weft_sim_def, 'i', newton_limit),
                            F(weft_sim_def, 'd', linear_tolerance),
                            F(weft_sim_def, 'i', linear_limit),
                            F(weft_sim_def, 'i', halving_limit),
                            F(weft_sim_def, 'd', velocity_bound),
                            F(weft_sim_def, 'd', contact_radius),
                            F(weft_sim_def, 'd', contact_stiffness),
                            F(weft_sim_def, 'd', pair_radius),
                            F(weft_sim_def, 'i', contact),
                            F(weft_sim_def, 'i', response),
                            F(weft_sim_def, '3', wind),
                            F(weft_sim_def, 'd', air_density),
                            F(weft_sim_def, 'd', drag_normal),
                            F(weft_sim_def, 'd', drag_tangential),
                            F(weft_sim_def, 'd', air_viscosity),
                            F(weft_sim_def, 'i', world_scale),
                            END};
const field fabric_fields[] = {F(weft_fabric, 'd', density),         F(weft_fabric, 'd', stretch_warp),
                               F(weft_fabric, 'd', stretch_weft),    F(weft_fabric, 'd', shear),
                               F(weft_fabric, 'd', poisson),         F(weft_fabric, 'd', bending_warp),
                               F(weft_fabric, 'd', bending_weft),    F(weft_fabric, 'd', damping_stretch),
                               F(weft_fabric, 'd', damping_bending), F(weft_fabric, 'd', thickness),
                               F(weft_fabric, 'd', friction),        F(weft_fabric, 'd', dissipation),
                               F(weft_fabric, 'd', stretch_limit),   END};
const field model_fields[] = {F(weft_cloth_model, 'i', stretch),  F(weft_cloth_model, 'i', law),
                              F(weft_cloth_model, 'i', bending),  F(weft_cloth_model, 'i', limit),
                              F(weft_cloth_model, 'd', pressure), END};
const field adapt_fields[] = {F(weft_adapt, 'i', max_level),     F(weft_adapt, 'd', refine_angle),
                              F(weft_adapt, 'd', coarsen_angle), F(weft_adapt, 'd', coarsen_way),
                              F(weft_adapt, 'd', min_size),      F(weft_adapt, 'i', node_limit),
                              F(weft_adapt, 'd', interval),      END};
const field grid_fields[] = {
    F(weft_grid_def, 'i', n_warp),    F(weft_grid_def, 'i', n_weft),   F(weft_grid_def, 'd', size_warp),
    F(weft_grid_def, 'd', size_weft), F(weft_grid_def, '3', corner),   F(weft_grid_def, '3', axis_warp),
    F(weft_grid_def, '3', axis_weft), F(weft_grid_def, '3', velocity), END};
const field collider_fields[] = {
    F(weft_collider_def, 'i', kind),     F(weft_collider_def, 'd', radius),      F(weft_collider_def, 'd', height),
    F(weft_collider_def, '3', size),     F(weft_collider_def, '3', position),    F(weft_collider_def, '4', rotation),
    F(weft_collider_def, 'd', friction), F(weft_collider_def, 'd', dissipation), END};
const field attachment_fields[] = {
    F(weft_attachment_def, 'i', kind),         F(weft_attachment_def, 'd', stiffness),
    F(weft_attachment_def, '3', rod_point),    F(weft_attachment_def, '3', rod_direction),
    F(weft_attachment_def, 'd', rod_friction), F(weft_attachment_def, 'd', from),
    F(weft_attachment_def, 'd', until),        END};
const field tie_fields[] = {F(weft_tie_def, 'd', stiffness), F(weft_tie_def, 'd', length),
                            F(weft_tie_def, 'd', damping), END};
const field untangle_fields[] = {F(weft_untangle_def, 'i', method),
                                 F(weft_untangle_def, 'd', rigid_step),
                                 F(weft_untangle_def, 'd', thickness),
                                 F(weft_untangle_def, 'd', gap),
                                 F(weft_untangle_def, 'd', step),
                                 F(weft_untangle_def, 'b', average),
                                 F(weft_untangle_def, 'b', fixed_strategy),
                                 F(weft_untangle_def, 'b', keep_shape),
                                 F(weft_untangle_def, 'b', as_published),
                                 F(weft_untangle_def, 'i', max_iterations),
                                 F(weft_untangle_def, 'l', pair_limit),
                                 F(weft_untangle_def, 'i', n_threads),
                                 END};
const field measures_fields[] = {
    F(weft_measures, 'd', height), F(weft_measures, 'd', chest),  F(weft_measures, 'd', waist),
    F(weft_measures, 'd', hips),   F(weft_measures, 'd', neck),   F(weft_measures, 'd', shoulder),
    F(weft_measures, 'd', arm),    F(weft_measures, 'd', inseam), END};
const field form_fields[] = {F(weft_form_def, 'd', arm_angle), F(weft_form_def, 'i', n_triangles), END};
const field sew_fields[] = {F(weft_sew_def, 'd', speed),
                            F(weft_sew_def, 'd', tension),
                            F(weft_sew_def, 'd', within),
                            F(weft_sew_def, 'd', at_last),
                            F(weft_sew_def, 'd', hem),
                            F(weft_sew_def, 'd', step),
                            F(weft_sew_def, 'd', sew_time),
                            F(weft_sew_def, 'd', relax_time),
                            F(weft_sew_def, 'd', settle_time),
                            F(weft_sew_def, 'd', still),
                            F(weft_sew_def, '3', gravity),
                            F(weft_sew_def, 'd', sew_viscosity),
                            F(weft_sew_def, 'd', settle_viscosity),
                            F(weft_sew_def, 'd', end_viscosity),
                            END};
const field export_fields[] = {F(weft_export_def, 'i', format),
                               F(weft_export_def, 'i', cloth),
                               F(weft_export_def, 'i', from),
                               F(weft_export_def, 'i', to),
                               F(weft_export_def, 'i', every),
                               F(weft_export_def, 'i', axes),
                               F(weft_export_def, 'd', scale),
                               F(weft_export_def, 'd', fps),
                               F(weft_export_def, 'b', force),
                               F(weft_export_def, 'b', as_triangles),
                               END};
const field garment_fields[] = {F(weft_garment_def, 'd', size), F(weft_garment_def, 'd', seam_ratio),
                                F(weft_garment_def, 'd', turn), END};

const field fit_fields[] = {F(weft_fit_def, 'd', clearance), F(weft_fit_def, 'd', gap),
                            F(weft_fit_def, 'b', ignore_hints), END};
#define SECTION(name)                                                                                                  \
    F(weft_landmarks, 'd', name.y), F(weft_landmarks, 'd', name.girth), F(weft_landmarks, '3', name.centre),           \
        F(weft_landmarks, 'd', name.width), F(weft_landmarks, 'd', name.depth)
const field landmark_fields[] = {F(weft_landmarks, 'd', low),
                                 F(weft_landmarks, 'd', high),
                                 F(weft_landmarks, 'd', crotch),
                                 F(weft_landmarks, 'd', armpit),
                                 SECTION(hip),
                                 SECTION(waist),
                                 SECTION(bust),
                                 SECTION(neck),
                                 F(weft_landmarks, 'd', neck_base),
                                 F(weft_landmarks, '3', shoulder[0]),
                                 F(weft_landmarks, '3', shoulder[1]),
                                 F(weft_landmarks, '3', elbow[0]),
                                 F(weft_landmarks, '3', elbow[1]),
                                 F(weft_landmarks, '3', wrist[0]),
                                 F(weft_landmarks, '3', wrist[1]),
                                 F(weft_landmarks, '2', arm_radius),
                                 F(weft_landmarks, '2', wrist_radius),
                                 F(weft_landmarks, 'b', has_arms),
                                 END};
const field placement_fields[] = {F(weft_placement, 'i', kind),          F(weft_placement, '9', rotation),
                                  F(weft_placement, '3', translation),   F(weft_placement, '2', centre),
                                  F(weft_placement, 'd', radius),        F(weft_placement, 'd', angle),
                                  F(weft_placement, 'd', rate),          F(weft_placement, 'd', k),
                                  F(weft_placement, 'd', rho),           F(weft_placement, '3', limb.joint[0]),
                                  F(weft_placement, '3', limb.joint[1]), F(weft_placement, '3', limb.joint[2]),
                                  F(weft_placement, '3', limb.outside),  F(weft_placement, 'd', limb.start),
                                  F(weft_placement, 'd', limb.length),   F(weft_placement, 'd', limb.top),
                                  F(weft_placement, 'd', limb.hem),      F(weft_placement, '2', limb.radius),
                                  F(weft_placement, '2', limb.middle),   F(weft_placement, '2', limb.width),
                                  F(weft_placement, 'd', limb.span),     END};

#define KIND(type) _Generic((type){0}, double : 'd', int64_t : 'l', default : 'i')
#define STATS_FIELD(type, name, adds, column, unit, text) F(weft_step_stats, KIND(type), name),
const field stats_fields[] = {WEFT_STEP_STATS(STATS_FIELD) END};

static bool numbers_from(PyObject *o, const char *name, int n, double *out)
{
    bool ok = PySequence_Check(o) && !PyUnicode_Check(o) && PySequence_Size(o) == n;
    for (int i = 0; ok && i < n; i++) {
        PyObject *item = PySequence_GetItem(o, i);
        out[i] = item ? PyFloat_AsDouble(item) : 0;
        ok = item && !PyErr_Occurred();
        Py_XDECREF(item);
    }
    if (!ok) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be %d numbers", name, n);
    }
    return ok;
}

bool vec3_from(PyObject *o, const char *name, weft_vec3 *out)
{
    double v[3];
    if (!numbers_from(o, name, 3, v))
        return false;
    *out = (weft_vec3){v[0], v[1], v[2]};
    return true;
}

static bool set_integer(char *at, char kind, PyObject *value, const char *name)
{
    int64_t l = PyLong_Check(value) ? PyLong_AsLongLong(value) : 0;
    int32_t i = (int32_t)l;
    if (!PyLong_Check(value) || PyErr_Occurred() || (kind == 'i' && i != l)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be an integer of %d bits", name, kind == 'i' ? 32 : 64);
        return false;
    }
    memcpy(at, kind == 'i' ? (void *)&i : (void *)&l, kind == 'i' ? sizeof i : sizeof l);
    return true;
}

static bool set_field(const field *f, char *at, PyObject *value)
{
    double d[9];
    int truth;
    switch (f->kind) {
    case 'i':
    case 'l': return set_integer(at, f->kind, value, f->name);
    case 'b':
        truth = PyObject_IsTrue(value);
        *(bool *)at = truth > 0;
        return truth >= 0;
    case 'd':
        d[0] = PyFloat_AsDouble(value);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "%s must be a number", f->name);
            return false;
        }
        memcpy(at, d, sizeof *d);
        return true;
    default:
        if (!numbers_from(value, f->name, f->kind - '0', d))
            return false;
        memcpy(at, d, (size_t)(f->kind - '0') * sizeof *d);
        return true;
    }
}

static const field *find_field(const field *fields, PyObject *key)
{
    const field *f = fields;
    while (f->name && !(PyUnicode_Check(key) && PyUnicode_CompareWithASCIIString(key, f->name) == 0))
        f++;
    return f->name ? f : NULL;
}

bool fields_set(const field *fields, void *to, PyObject *dict, const char *what)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!dict || dict == Py_None)
        return true;
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%s must be given by names", what);
        return false;
    }
    while (PyDict_Next(dict, &at, &key, &value)) {
        const field *f = find_field(fields, key);
        if (!f) {
            PyErr_Format(PyExc_TypeError, "%s has nothing called %R", what, key);
            return false;
        }
        if (!set_field(f, (char *)to + f->offset, value))
            return false;
    }
    return true;
}

static PyObject *field_value(const field *f, const char *at)
{
    const double *d = (const double *)(const void *)at;
    switch (f->kind) {
    case 'i': return PyLong_FromLong(*(const int32_t *)(const void *)at);
    case 'l': return PyLong_FromLongLong(*(const int64_t *)(const void *)at);
    case 'b': return PyBool_FromLong(*(const bool *)at);
    case 'd': return PyFloat_FromDouble(*d);
    case '2': return Py_BuildValue("(dd)", d[0], d[1]);
    case '3': return Py_BuildValue("(ddd)", d[0], d[1], d[2]);
    case '9': return Py_BuildValue("(ddddddddd)", d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8]);
    default: return Py_BuildValue("(dddd)", d[0], d[1], d[2], d[3]);
    }
}

PyObject *fields_get(const field *fields, const void *from)
{
    PyObject *dict = PyDict_New();
    for (const field *f = fields; dict && f->name; f++) {
        PyObject *v = field_value(f, (const char *)from + f->offset);
        if (!v || PyDict_SetItemString(dict, f->name, v) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(v);
    }
    return dict;
}
