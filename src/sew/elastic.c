/* SPDX-License-Identifier: MIT */
/* Elastics: a spring between each two nodes that follow each other along an edge or a line of a panel, shorter at rest
 * than the fabric is there. They pull from welding on: a waistband that was drawn in while its seams are still open is
 * gathered somewhere below the waist, and holds the panels that are to be sewn to it there. */
#include "sew/params.h"
#include "sew/sew.h"

static weft_result add_elastic(weft_sew *w, const weft_garment_data *g, const sew_elastic *el, weft_error *e)
{
    int32_t n = el->n - 1;
    weft_tie_def tie = weft_tie_def_default();
    if (n < 1)
        return WEFT_OK;
    if (!ARRAY_PUSH(&w->mem, w->elastics, w->n_elastics, w->room_elastics, (sew_pull){.n = n}))
        return error_memory(e);
    sew_pull *p = &w->elastics[w->n_elastics - 1];
    if (!MEM_MAKE(&w->mem, p->stiffness, n) || !MEM_MAKE(&w->mem, p->length, n))
        return error_memory(e);
    for (int32_t k = 0; k < n; k++)
        p->length[k] = el->ratio * rest_distance(g, el->nodes[k], el->nodes[k + 1]);
    tie.cloth_a = tie.cloth_b = w->cloth;
    tie.nodes_a = el->nodes;
    tie.nodes_b = el->nodes + 1;
    tie.n_pairs = n;
    tie.length = SEW_TIE_LENGTH;
    weft_result r = weft_tie_create(w->sim, &tie, &p->tie, e);
    return r < 0 ? r : weft_tie_set_pull(w->sim, p->tie, p->stiffness, p->length, n, e); /* 0: not yet */
}

weft_result sew_pull_elastics(weft_sew *w, weft_error *e)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r == WEFT_OK && i < w->n_elastics; i++) {
        const sew_pull *p = &w->elastics[i];
        for (int32_t k = 0; k < p->n; k++)
            p->stiffness[k] = SEW_ELASTIC_FORCE / p->length[k];
        r = weft_tie_set_pull(w->sim, p->tie, p->stiffness, p->length, p->n, e);
    }
    return r;
}

void sew_free_elastics(weft_sew *w, mem *m)
{
    for (int32_t i = 0; i < w->n_elastics; i++) {
        MEM_FREE(m, w->elastics[i].stiffness, w->elastics[i].n);
        MEM_FREE(m, w->elastics[i].length, w->elastics[i].n);
    }
    MEM_FREE(m, w->elastics, w->room_elastics);
}

weft_result sew_add_elastics(weft_sew *w, const weft_sew_def *def, weft_error *e)
{
    const weft_garment_data *g = weft_garment_get(def->garment);
    weft_result r = WEFT_OK;
    for (int32_t pi = 0; r == WEFT_OK && pi < g->n_panels; pi++) {
        const weft_panel *p = weft_pattern_panel(def->pattern, pi);
        for (int32_t k = 0; r == WEFT_OK && k < p->n_edges; k++) {
            int32_t ei = g->panels[pi].first_edge + k, at = g->edge_start[ei];
            sew_elastic el = {g->edge_nodes + at, g->edge_start[ei + 1] - at, p->edges[k].elastic};
            if (el.ratio != 1)
                r = add_elastic(w, g, &el, e);
        }
    }
    for (int32_t i = 0; r == WEFT_OK && i < g->n_lines; i++) {
        const weft_line *l = &weft_pattern_panel(def->pattern, g->lines[i].panel)->lines[g->lines[i].line];
        sew_elastic el = {g->line_nodes + g->lines[i].first, g->lines[i].n, l->value};
        if (l->kind == WEFT_LINE_ELASTIC)
            r = add_elastic(w, g, &el, e);
    }
    return r;
}
