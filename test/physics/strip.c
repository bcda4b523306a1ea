/* SPDX-License-Identifier: MIT */
#include "physics/strip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define JITTER 0.25

const strip_model strip_models[STRIP_MODELS] = {
    {"quads, springs", STRIP_QUADS, WEFT_STRETCH_SPRINGS},
    {"quads, membrane", STRIP_QUADS, WEFT_STRETCH_MEMBRANE},
    {"triangles", STRIP_TRIANGLES, WEFT_STRETCH_MEMBRANE},
    {"irregular triangles", STRIP_IRREGULAR, WEFT_STRETCH_MEMBRANE},
};

int strip_node(const strip *p, int i, int j)
{
    return i + (p->def.n_length + 1) * j;
}

/* In [−1, 1), always the same sequence. */
static double lot(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static void place(strip *p, uint32_t *seed)
{
    const strip_def *d = &p->def;
    double ds = d->length / d->n_length, dt = d->width / d->n_width;
    for (int j = 0; j <= d->n_width; j++)
        for (int i = 0; i <= d->n_length; i++) {
            int k = strip_node(p, i, j);
            double a = JITTER * lot(seed), b = JITTER * lot(seed);
            bool loose = d->mesh == STRIP_IRREGULAR;
            bool along = loose && i > 0 && i < d->n_length && 2 * i != d->n_length;
            bool across = loose && j > 0 && j < d->n_width;
            p->s[k] = ds * (i + (along ? a : 0));
            p->t[k] = dt * (j + (across ? b : 0));
        }
}

static void fill(const strip *p, weft_vec3 *x, weft_vec2 *uv)
{
    const strip_def *d = &p->def;
    for (int k = 0; k < p->n; k++) {
        double s = p->s[k], t = p->t[k];
        x[k] = (weft_vec3){d->start.x + s * d->x.x + t * d->y.x, d->start.y + s * d->x.y + t * d->y.y,
                           d->start.z + s * d->x.z + t * d->y.z};
        uv[k] = d->along_weft ? (weft_vec2){-t, s} : (weft_vec2){s, t};
        if (d->biased)
            uv[k] = (weft_vec2){(s - t) / sqrt(2.0), (s + t) / sqrt(2.0)};
    }
}

static void mesh_quads(const strip *p, int32_t *out)
{
    for (int j = 0; j < p->def.n_width; j++)
        for (int i = 0; i < p->def.n_length; i++) {
            *out++ = strip_node(p, i, j);
            *out++ = strip_node(p, i + 1, j);
            *out++ = strip_node(p, i + 1, j + 1);
            *out++ = strip_node(p, i, j + 1);
        }
}

static void mesh_triangles(const strip *p, uint32_t *seed, int32_t *out)
{
    for (int j = 0; j < p->def.n_width; j++)
        for (int i = 0; i < p->def.n_length; i++) {
            int32_t q[4] = {strip_node(p, i, j), strip_node(p, i + 1, j), strip_node(p, i + 1, j + 1),
                            strip_node(p, i, j + 1)};
            int k = p->def.mesh == STRIP_IRREGULAR && lot(seed) > 0;
            for (int half = 0; half < 2; half++)
                for (int c = 0; c < 3; c++)
                    *out++ = q[(k + 2 * half + c) % 4];
        }
}

void strip_create(strip *p, weft_sim *sim, const strip_def *d)
{
    int cells = d->n_length * d->n_width, n = (d->n_length + 1) * (d->n_width + 1);
    *p = (strip){.def = *d, .n = n};
    p->s = malloc((size_t)n * sizeof *p->s);
    p->t = malloc((size_t)n * sizeof *p->t);
    p->at = malloc((size_t)n * sizeof *p->at);
    weft_vec2 *uv = malloc((size_t)n * sizeof *uv);
    int32_t *faces = malloc((size_t)cells * 6 * sizeof *faces);
    assert_true(p->s && p->t && p->at && uv && faces);
    uint32_t seed = 12345;
    place(p, &seed);
    fill(p, p->at, uv);
    weft_mesh_def md = weft_mesh_def_default();
    md.n_nodes = n;
    md.positions = p->at;
    md.uv = uv;
    if (d->mesh == STRIP_QUADS) {
        mesh_quads(p, faces);
        md.quads = faces;
        md.n_quads = cells;
    } else {
        mesh_triangles(p, &seed, faces);
        md.triangles = faces;
        md.n_triangles = 2 * cells;
    }
    md.model.stretch = d->stretch;
    md.model.bending = d->bending;
    md.model.limit = WEFT_LIMIT_NONE;
    md.model.adapt = d->adapt;
    md.model.fabrics = &d->fabric;
    md.model.n_fabrics = 1;
    weft_error e;
    weft_result r = weft_cloth_create_mesh(sim, &md, &p->cloth, &e);
    free(uv);
    free(faces);
    lab_ok(r, &e);
}

void strip_destroy(strip *p)
{
    free(p->s);
    free(p->t);
    free(p->at);
    *p = (strip){0};
}

void strip_look(strip *p, const weft_sim *sim)
{
    weft_error e;
    weft_cloth_info info;
    lab_ok(weft_cloth_get_info(sim, p->cloth, &info, &e), &e);
    weft_vec3 *all = malloc((size_t)info.n_nodes * sizeof *all);
    assert_non_null(all);
    lab_ok(weft_cloth_get_positions(sim, p->cloth, all, info.n_nodes, 0, &e), &e);
    memcpy(p->at, all, (size_t)p->n * sizeof *all);
    free(all);
}

double strip_share(const strip *p, int i, int j)
{
    int last = p->def.n_width;
    double below = p->t[strip_node(p, i, j > 0 ? j - 1 : 0)], above = p->t[strip_node(p, i, j < last ? j + 1 : last)];
    return 0.5 * (above - below) / p->def.width;
}

weft_vec3 strip_row(const strip *p, int i)
{
    weft_vec3 m = {0, 0, 0};
    for (int j = 0; j <= p->def.n_width; j++) {
        const weft_vec3 *x = &p->at[strip_node(p, i, j)];
        double share = strip_share(p, i, j);
        m = (weft_vec3){m.x + share * x->x, m.y + share * x->y, m.z + share * x->z};
    }
    return m;
}

weft_attachment_id strip_pin_row(const strip *p, weft_sim *sim, int i)
{
    int32_t *nodes = malloc((size_t)(p->def.n_width + 1) * sizeof *nodes);
    assert_non_null(nodes);
    for (int j = 0; j <= p->def.n_width; j++)
        nodes[j] = strip_node(p, i, j);
    weft_attachment_id id = lab_pin(sim, p->cloth, nodes, p->def.n_width + 1);
    free(nodes);
    return id;
}

weft_fabric strip_fabric(void)
{
    weft_fabric f = weft_fabric_default();
    f.density = 0.15;
    f.stretch_warp = 80;
    f.stretch_weft = 40;
    f.shear = 6;
    f.poisson = 0.2;
    f.bending_warp = 1e-3;
    f.bending_weft = 5e-4;
    return f;
}

double strip_modulus(bool along_weft)
{
    weft_fabric f = strip_fabric();
    return along_weft ? f.stretch_weft : f.stretch_warp;
}
