/* SPDX-License-Identifier: MIT */
/* Makes the form: its shape is meshed coarsely, measured as a tape would, and its sections scaled by what is missing,
 * until the girths are right; then the mesh is made as fine as asked for and measured again. */
#include "garment/form.h"

#include "garment/body.h"
#include "garment/form_field.h"
#include "garment/isosurface.h"
#include "garment/params.h"

#include <string.h>

struct weft_form {
    mem mem;
    isosurface mesh;
    weft_landmarks landmarks;
    weft_form_data data;
};

typedef struct maker {
    weft_form *form;
    const weft_form_def *def;
    double scale[FORM_TUNED];
    double girth[FORM_TUNED]; /* as measured */
    double lift;              /* of the trunk's lower end */
    double size;
    bool with_arms;
    weft_error *error;
} maker;

weft_measures weft_measures_default(void)
{
    return (weft_measures){.struct_size = sizeof(weft_measures),
                           .height = 1.68,
                           .chest = 0.92,
                           .waist = 0.75,
                           .hips = 1.0,
                           .neck = 0.35,
                           .shoulder = 0.39,
                           .arm = 0.57,
                           .inseam = 0.78};
}

weft_form_def weft_form_def_default(void)
{
    return (weft_form_def){.struct_size = sizeof(weft_form_def),
                           .measures = weft_measures_default(),
                           .arm_angle = 45,
                           .n_triangles = 26000};
}

weft_result form_check_measures(const weft_measures *m, weft_error *error)
{
    const struct {
        const char *name;
        double value, low, high;
    } all[] = {{"height", m->height, 0.8, 2.5}, {"chest", m->chest, 0.4, 2},    {"waist", m->waist, 0.35, 2},
               {"hips", m->hips, 0.4, 2.2},     {"neck", m->neck, 0.2, 0.7},    {"shoulder", m->shoulder, 0.2, 0.7},
               {"arm", m->arm, 0.2, 1},         {"inseam", m->inseam, 0.3, 1.3}};
    if (m->struct_size != sizeof *m)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "weft_measures: struct_size is %zu, expected %zu",
                         m->struct_size, sizeof *m);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(all[i].value >= all[i].low && all[i].value <= all[i].high))
            return error_set(error, WEFT_ERROR_RANGE, -1, "%s is %g m, expected [%g, %g]", all[i].name, all[i].value,
                             all[i].low, all[i].high);
    if (m->inseam > 0.56 * m->height)
        return error_set(error, WEFT_ERROR_RANGE, -1, "inseam is %g m, which is more than 0.56 of the height of %g m",
                         m->inseam, m->height);
    return WEFT_OK;
}

static weft_result form_make_mesh(maker *m)
{
    form_field field;
    isosurface_destroy(&m->form->mesh);
    form_field_make(&field, &m->def->measures, m->with_arms ? m->def->arm_angle : -1, m->scale, m->lift);
    if (!isosurface_create(&m->form->mesh, &m->form->mem, form_field_at, &field, field.low, field.high, m->size))
        return error_memory(m->error);
    return WEFT_OK;
}

static weft_result form_make_body(maker *m, weft_body **out)
{
    const isosurface *s = &m->form->mesh;
    weft_body_def def = weft_body_def_default();
    def.alloc = m->def->alloc;
    def.alloc_user = m->def->alloc_user;
    def.n_vertices = s->n_vertices;
    def.vertices = s->vertices;
    def.n_triangles = s->n_triangles;
    def.triangles = s->triangles[0];
    return weft_body_create(&def, out, m->error);
}

/* Girth of the trunk's loop at a height. */
static weft_result measure_girth(maker *m, const weft_body *body, double y, double *girth)
{
    weft_slice s;
    mem *mm = &m->form->mem;
    *girth = 0;
    weft_result r = weft_body_slice(body, v3(0, y, 0), v3(0, 1, 0), &s, m->error);
    for (int32_t i = 0; r == WEFT_OK && i < s.n_loops; i++) {
        int32_t n = s.loop_start[i + 1] - s.loop_start[i];
        vec2 *work;
        if (!MEM_MAKE(mm, work, 2 * (int64_t)n)) {
            r = error_memory(m->error);
            break;
        }
        loop_measure l = loop_measure_of(s.points + s.loop_start[i], n, v3(1, 0, 0), v3(0, 0, 1), work);
        if (l.low[0] < 0 && l.high[0] > 0)
            *girth = max_of(*girth, l.girth);
        MEM_FREE(mm, work, 2 * (int64_t)n);
    }
    weft_body_slice_free(body, &s);
    return r;
}

static double wanted_girth(const maker *m, int tuned)
{
    const weft_measures *q = &m->def->measures;
    return tuned == 0 ? q->hips : tuned == 1 ? q->waist : tuned == 2 ? q->chest : q->neck;
}

/* Measures all girths; *worst is the largest error. */
static weft_result measure_girths(maker *m, double *worst)
{
    weft_body *body = NULL;
    weft_result r = form_make_body(m, &body);
    *worst = 0;
    for (int t = 0; r == WEFT_OK && t < FORM_TUNED; t++) {
        r = measure_girth(m, body, form_tuned_height(&m->def->measures, t), &m->girth[t]);
        if (t == 0 && r == WEFT_OK) /* hips are measured where they are fullest */
            m->girth[t] = weft_body_landmarks(body)->hip.girth;
        *worst = max_of(*worst, fabs(m->girth[t] - wanted_girth(m, t)));
    }
    if (r == WEFT_OK) {
        m->form->landmarks = *weft_body_landmarks(body);
        /* Landmarks are 5 mm apart. */
        *worst = max_of(*worst, 0.15 * fabs(m->form->landmarks.crotch - m->def->measures.inseam));
    }
    weft_body_destroy(body);
    return r;
}

static weft_result tune_girths(maker *m, int rounds, double *worst)
{
    weft_result r = form_make_mesh(m);
    r = r < 0 ? r : measure_girths(m, worst);
    for (int i = 0; r == WEFT_OK && *worst > FORM_GIRTH_GOOD && i < rounds; i++) {
        for (int t = 0; t < FORM_TUNED; t++) {
            double ratio = m->girth[t] > 0 ? wanted_girth(m, t) / m->girth[t] : 1;
            m->scale[t] *= min_of(max_of(ratio, FORM_SCALE_LEAST), FORM_SCALE_MOST);
        }
        double low = m->def->measures.inseam - m->form->landmarks.crotch;
        if (fabs(low) > 0.006 && fabs(m->lift + low) < 0.08)
            m->lift += low;
        r = form_make_mesh(m);
        r = r < 0 ? r : measure_girths(m, worst);
    }
    return r;
}

/* Triangles go with the square of the lattice's constant. */
static weft_result refine_form(maker *m)
{
    weft_result r = WEFT_OK;
    for (int i = 0; r == WEFT_OK && i < 3; i++) {
        double ratio = (double)m->form->mesh.n_triangles / m->def->n_triangles;
        if (ratio > 0.99 && ratio < 1.01)
            break;
        m->size *= sqrt(ratio);
        r = form_make_mesh(m);
    }
    return r;
}

static weft_result check_girths(const maker *m)
{
    static const char *const names[FORM_TUNED] = {"hips", "waist", "chest", "neck"};
    for (int t = 0; t < FORM_TUNED; t++)
        if (fabs(m->girth[t] - wanted_girth(m, t)) > FORM_GIRTH_FAIR)
            return error_set(m->error, WEFT_ERROR_DEGENERATE, -1,
                             "no form has these measures: %s of %.0f mm came out as %.0f mm", names[t],
                             1e3 * wanted_girth(m, t), 1e3 * m->girth[t]);
    return WEFT_OK;
}

/* A tape goes under the arms: the trunk is tuned without them. */
static weft_result form_build(maker *m)
{
    double worst = 0;
    for (int t = 0; t < FORM_TUNED; t++)
        m->scale[t] = 1;
    m->size = FORM_COARSE * m->def->measures.height / 1.68;
    weft_result r = tune_girths(m, FORM_ROUNDS, &worst);
    m->size *= FORM_FINER;
    r = r < 0 ? r : tune_girths(m, FORM_FINE_ROUNDS, &worst);
    r = r < 0 ? r : check_girths(m);
    m->with_arms = true;
    r = r < 0 ? r : form_make_mesh(m);
    r = r < 0 ? r : refine_form(m);
    weft_body *body = NULL;
    r = r < 0 ? r : form_make_body(m, &body);
    if (r == WEFT_OK)
        m->form->landmarks = *weft_body_landmarks(body);
    weft_body_destroy(body);
    return r;
}

weft_result weft_form_create(const weft_form_def *def, weft_form **out, weft_error *error)
{
    if (!def || !out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "def or out is NULL");
    *out = NULL;
    if (def->struct_size != sizeof *def)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "weft_form_def: struct_size is %zu, expected %zu",
                         def->struct_size, sizeof *def);
    if (!(def->arm_angle >= 0 && def->arm_angle <= 70) || def->n_triangles < 2000 || def->n_triangles > 1000000)
        return error_set(error, WEFT_ERROR_RANGE, -1,
                         "arm_angle is %g, expected [0, 70]; n_triangles is %d, expected [2000, 1000000]",
                         def->arm_angle, def->n_triangles);
    weft_result r = form_check_measures(&def->measures, error);
    if (r < 0)
        return r;
    mem m;
    mem_init(&m, def->alloc, def->alloc_user);
    weft_form *form = mem_array(&m, 1, sizeof *form);
    if (!form)
        return error_memory(error);
    form->mem = m;
    form->mesh.mem = &form->mem;
    maker k = {.form = form, .def = def, .error = error};
    r = form_build(&k);
    if (r < 0) {
        weft_form_destroy(form);
        return r;
    }
    form->data = (weft_form_data){form->mesh.n_vertices, form->mesh.n_triangles, form->mesh.vertices,
                                  form->mesh.triangles[0], &form->landmarks};
    *out = form;
    return WEFT_OK;
}

void weft_form_destroy(weft_form *form)
{
    if (!form)
        return;
    isosurface_destroy(&form->mesh);
    mem m = form->mem;
    mem_free(&m, form, 1, sizeof *form);
}

const weft_form_data *weft_form_get(const weft_form *form)
{
    return form ? &form->data : NULL;
}
