/* SPDX-License-Identifier: MIT */
/* Hems and seam allowances.
 *
 * A panel ends at its sew line, but cloth goes on: along a seam the allowance of each side is turned back, along a
 * border a hem is turned in twice. A tight armhole or crotch hangs on that doubled edge; a single layer there would be
 * stretched by twice as much as real ones are. So each side along an outline has a spring of a strip of the allowance's
 * width, of one more layer at a seam and of two at a border, with the mean of the two moduli of the fabric: edges that
 * run across the threads are taped. The sides of a seam are held to the length of the shorter one: what is gathered is
 * held by what it is gathered to.
 *
 * Bands (cuffs, collars, waistbands) and what is sewn to them are meant to be stretched, and edges with an elastic are
 * shortened: they have no hems. */
#include "sew/sew.h"

#include "garment/role.h"
#include "sew/params.h"

/* The segment of an outline that begins at a node. */
typedef struct hem_side {
    int32_t to; /* -1: none */
    double length, layers;
} hem_side;

static void find_hem_sides(const weft_sew_def *d, const weft_garment_data *g, hem_side *sides)
{
    for (int32_t vi = 0; vi < g->n_nodes; vi++)
        sides[vi] = (hem_side){.to = -1};
    for (int32_t pi = 0; pi < g->n_panels; pi++) {
        const weft_panel *p = weft_pattern_panel(d->pattern, pi);
        bool band = role_is_band(weft_pattern_panel(d->pattern, pi));
        for (int32_t k = 0; k < p->n_edges; k++) {
            int32_t ei = g->panels[pi].first_edge + k;
            for (int32_t i = g->edge_start[ei]; i + 1 < g->edge_start[ei + 1]; i++) {
                int32_t a = g->edge_nodes[i], b = g->edge_nodes[i + 1];
                sides[a] = (hem_side){b, rest_distance(g, a, b), band || p->edges[k].elastic != 1 ? 0 : SEW_HEM_LAYERS};
            }
        }
    }
}

/* Of two nodes that follow each other along a seam, the one at which the segment between them begins; -1: there is
 * none, they are of two panels or on both sides of a dart's mouth. */
static int32_t segment_start(const hem_side *sides, int32_t a, int32_t b)
{
    return sides[a].to == b ? a : sides[b].to == a ? b : -1;
}

static void join_hem_sides(const weft_sew *w, hem_side *sides)
{
    for (int32_t k = 1; k < w->n_pairs; k++) {
        const weft_seam_pair *p = &w->pairs[k - 1], *q = p + 1;
        int32_t a = p->seam == q->seam ? segment_start(sides, p->a, q->a) : -1;
        int32_t b = a >= 0 ? segment_start(sides, p->b, q->b) : -1;
        if (b < 0)
            continue;
        sides[a].length = sides[b].length = min_of(sides[a].length, sides[b].length);
        sides[a].layers = sides[b].layers = sides[a].layers > 0 && sides[b].layers > 0 ? SEW_SEAM_LAYERS : 0;
    }
}

static double hem_modulus(const weft_sew_def *d, int32_t panel)
{
    weft_fabric plain = weft_fabric_default();
    const weft_fabric *f = d->model.fabrics ? d->model.fabrics : &plain;
    f += d->model.panel_fabric ? d->model.panel_fabric[panel] : 0;
    return 0.5 * (f->stretch_warp + f->stretch_weft);
}

/* In the order of the nodes, which is that of the panels. */
static int32_t list_hem_sides(const weft_sew_def *d, const weft_garment_data *g, const hem_side *sides, int32_t *nodes,
                              double *stiffness, double *length)
{
    int32_t n = 0;
    for (int32_t pi = 0; pi < g->n_panels; pi++)
        for (int32_t vi = g->panels[pi].first_node; vi < g->panels[pi].first_node + g->panels[pi].n_nodes; vi++) {
            const hem_side *s = &sides[vi];
            if (s->to < 0 || s->layers == 0 || !(s->length > 0))
                continue;
            nodes[n] = vi;
            nodes[g->n_nodes + n] = s->to;
            length[n] = s->length;
            stiffness[n++] = hem_modulus(d, pi) * d->hem * s->layers / s->length;
        }
    return n;
}

static weft_result tie_hem_sides(weft_sew *w, const int32_t *nodes, const double *stiffness, const double *length,
                                 int32_t n, weft_error *e)
{
    if (n == 0)
        return WEFT_OK;
    weft_tie_def tie = weft_tie_def_default();
    weft_tie_id id = {0};
    tie.cloth_a = tie.cloth_b = w->cloth;
    tie.nodes_a = nodes;
    tie.nodes_b = nodes + w->n_nodes;
    tie.n_pairs = n;
    tie.length = SEW_TIE_LENGTH;
    weft_result r = weft_tie_create(w->sim, &tie, &id, e);
    return r < 0 ? r : weft_tie_set_pull(w->sim, id, stiffness, length, n, e);
}

weft_result sew_add_hems(weft_sew *w, const weft_sew_def *d, weft_error *e)
{
    const weft_garment_data *g = weft_garment_get(d->garment);
    hem_side *sides = NULL;
    int32_t *nodes = NULL;
    double *stiffness = NULL, *length = NULL;
    weft_result r = WEFT_OK;
    if (d->hem == 0)
        return r;
    if (!MEM_MAKE(&w->mem, sides, g->n_nodes) || !MEM_MAKE(&w->mem, nodes, 2 * (int64_t)g->n_nodes) ||
        !MEM_MAKE(&w->mem, stiffness, g->n_nodes) || !MEM_MAKE(&w->mem, length, g->n_nodes))
        r = error_memory(e);
    else {
        find_hem_sides(d, g, sides);
        join_hem_sides(w, sides);
        r = tie_hem_sides(w, nodes, stiffness, length, list_hem_sides(d, g, sides, nodes, stiffness, length), e);
    }
    MEM_FREE(&w->mem, sides, g->n_nodes);
    MEM_FREE(&w->mem, nodes, 2 * (int64_t)g->n_nodes);
    MEM_FREE(&w->mem, stiffness, g->n_nodes);
    MEM_FREE(&w->mem, length, g->n_nodes);
    return r;
}
