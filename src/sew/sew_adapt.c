/* SPDX-License-Identifier: MIT */
/* Garments that adapt: elements split only when all seams are welded, so that both sides of a seam do so together. A
 * seam that is open then could not be welded any more: with one, or with one of three layers, the mesh stays as it was
 * cut. */
#include "sew/sew.h"

#include "sim/adapt.h"
#include "sim/sim.h"

weft_result sew_check_adapt(const weft_sew_def *d, weft_error *e)
{
    return adapt_check(&d->model.adapt, e);
}

weft_result sew_begin_adapting(weft_sew *w, weft_error *e)
{
    if (w->def.model.adapt.max_level == 0 || w->state.n_welded < w->n_seams)
        return WEFT_OK;
    weft_result r = weft_cloth_set_adapt(w->sim, w->cloth, &w->def.model.adapt, e);
    return r == WEFT_ERROR_NON_MANIFOLD ? WEFT_OK : r;
}

const int32_t *sew_partners(const weft_sew *w, int32_t *n)
{
    const cloth *c = sim_get_cloth(w->sim, w->cloth, NULL);
    *n = c ? c->surface->n_nodes : 0;
    return c ? c->surface->partner : NULL;
}
