/* SPDX-License-Identifier: MIT */
/* Sharing of edges' angles between their triangles (bend.h). */
#include <string.h>

#include "force/params.h"
#include "solve/assembly_inside.h"
#include "solve/params.h"

void assembly_find_angles(assembly *a, const int32_t *items, int32_t n)
{
    bend_element *all = a->forces->list[FORCE_BEND].items;
    for (int32_t i = 0; i < n; i += 4) {
        int32_t at[4];
        double theta[4][3];
        int m = pack_of(items + i, n - i, at);
        const bend_element *const e[4] = {&all[at[0]], &all[at[1]], &all[at[2]], &all[at[3]]};
        a->four->bend_angles(a->x, e, theta);
        for (int k = 0; k < m; k++)
            memcpy(all[at[k]].theta, theta[k], sizeof theta[k]);
    }
}

static void angle_batch(void *run, const batch *b, double energy[FORCE_KINDS])
{
    assembly *a = run;
    (void)energy;
    assembly_find_angles(a, a->items + b->begin[FORCE_BEND], b->begin[FORCE_BEND + 1] - b->begin[FORCE_BEND]);
}

static void change_piece(void *context, int32_t piece)
{
    assembly *a = context;
    tilt_edge *tilts = a->forces->tilts.items;
    const bend_element *bends = a->forces->list[FORCE_BEND].items;
    int32_t begin = piece * ASSEMBLY_SHARE_PIECE, end = begin + ASSEMBLY_SHARE_PIECE;
    for (int32_t k = begin; k < end && k < a->forces->tilts.n; k++) {
        tilt_edge *s = &tilts[k];
        if (s->a < 0)
            continue;
        const bend_element *ba = &bends[s->a], *bb = &bends[s->b];
        s->change = BEND_TILT_FACTOR * bend_imbalance(&ba->par, ba->theta, s->i, &bb->par, bb->theta, s->j);
    }
}

static void apply_tilt(bend_element *bends, const tilt_edge *s)
{
    if (s->a < 0)
        return;
    bends[s->a].par.tilt[s->i] = s->tilt;
    bends[s->b].par.tilt[s->j] = -s->tilt;
}

/* What the border's angle adds to the moments of the other two, and they to its (build_clamp.c). Where the clamp does
 * not hold, the border's angle is that of least energy. */
void assembly_couple_clamps(assembly *a)
{
    clamp_element *all = a->forces->list[FORCE_CLAMP].items;
    for (int32_t i = 0; i < a->forces->list[FORCE_CLAMP].n; i++) {
        clamp_element *e = &all[i];
        if (e->bend < 0)
            continue;
        bend_element *b = (bend_element *)a->forces->list[FORCE_BEND].items + e->bend;
        const double *q = b->par.q[e->side];
        double moment = 0;
        for (int j = 0; j < 3; j++)
            moment += j == e->side ? 0 : q[j] * bend_bent(&b->par, b->theta, j);
        vec3 x[3];
        gather_nodes(a->x, e->node, 3, x);
        b->par.tilt[e->side] = e->par.k > 0 ? 2 * clamp_angle(x, &e->par) : moment / q[e->side];
        e->par.rest = 0.5 * moment / q[e->side];
    }
}

void assembly_sweep_tilts(assembly *a, const vec3 *q)
{
    if (a->forces->tilts.n == 0 && a->forces->list[FORCE_CLAMP].n == 0)
        return;
    if (assembly_move(a, q) || !a->has_angles)
        assembly_run(a, false, angle_batch, a);
    a->has_angles = true;
    assembly_sweep_tilts_by_angles(a);
}

void assembly_sweep_tilts_by_angles(assembly *a)
{
    tilt_edge *tilts = a->forces->tilts.items;
    assembly_couple_clamps(a);
    pool_for(a->pool, (a->forces->tilts.n + ASSEMBLY_SHARE_PIECE - 1) / ASSEMBLY_SHARE_PIECE, change_piece, a);
    for (int32_t k = 0; k < a->forces->tilts.n; k++) {
        tilts[k].tilt += tilts[k].change;
        apply_tilt(a->forces->list[FORCE_BEND].items, &tilts[k]);
    }
}

void assembly_get_tilts(const assembly *a, int32_t begin, int32_t n, double *out)
{
    const tilt_edge *tilts = a->forces->tilts.items;
    for (int32_t k = 0; k < n; k++)
        out[k] = tilts[begin + k].tilt;
}

void assembly_set_tilts(assembly *a, int32_t begin, int32_t n, const double *in)
{
    tilt_edge *tilts = a->forces->tilts.items;
    for (int32_t k = 0; k < n; k++) {
        tilts[begin + k].tilt = in[k];
        apply_tilt(a->forces->list[FORCE_BEND].items, &tilts[begin + k]);
    }
}
