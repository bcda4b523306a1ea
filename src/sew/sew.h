/* SPDX-License-Identifier: MIT */
/* The inside of a sewing. */
#ifndef WEFT_SEW_SEW_H
#define WEFT_SEW_SEW_H

#include "base/array.h"
#include "base/error.h"
#include "math/vec.h"

#include <weft/sew.h>

/* A seam as pairs of the garment's nodes, in a row in weft_sew.pairs. */
typedef struct sew_seam {
    char *name; /* or NULL */
    int32_t name_size;
    int32_t first, n;
    int32_t stage;
    bool waits; /* is not drawn at all before its stage */
    double length[2];
    double gap, gap_pulled;
    weft_tie_id tie;
    bool welded;
} sew_seam;

/* An edge or a line with an elastic in it. */
typedef struct sew_elastic {
    const int32_t *nodes;
    int32_t n;
    double ratio;
} sew_elastic;

/* Its springs. */
typedef struct sew_pull {
    weft_tie_id tie;
    int32_t n;
    double *stiffness, *length;
} sew_pull;

struct weft_sew {
    mem mem;
    weft_sim *sim;
    weft_cloth_id cloth;
    weft_sew_def def; /* pointers in it are not to be used */
    weft_sew_state state;
    sew_seam *seams;
    int32_t n_seams, n_nodes, n_pairs;
    weft_seam_pair *pairs; /* by seam */
    double *share;         /* length of seam that is each pair's, m */
    double *stiffness, *length;
    sew_pull *elastics;
    int32_t n_elastics;
    int64_t room_elastics;
    vec3 *x;
    int64_t room_x;
    double mass;
    double near_time;             /* for how long the seams of the stage have been nearly shut, s */
    double friction, dissipation; /* of the body when it is not slippery */
    bool is_slippery;             /* the body has no friction, nothing has weight */
    bool has_cloth;
};

/* Of two nodes of one panel, as it is cut, m. */
static inline double rest_distance(const weft_garment_data *g, int32_t a, int32_t b)
{
    double u = g->uv[a].u - g->uv[b].u, v = g->uv[a].v - g->uv[b].v;
    return sqrt(u * u + v * v);
}

/* From settling on folds get their detail (sew_adapt.c). */
weft_result sew_check_adapt(const weft_sew_def *d, weft_error *e);
weft_result sew_begin_adapting(weft_sew *w, weft_error *e);
/* Per node of the cloth, the next that is sewn to it; NULL: nothing has split. */
const int32_t *sew_partners(const weft_sew *w, int32_t *n);

/* Untangles what intersects after welding. */
weft_result sew_mend(weft_sew *w, weft_error *e);

/* The springs along elastic edges and lines; at first they do not pull. */
weft_result sew_add_elastics(weft_sew *w, const weft_sew_def *def, weft_error *e);
weft_result sew_pull_elastics(weft_sew *w, weft_error *e);
void sew_free_elastics(weft_sew *w, mem *m);
/* Those of hems and seam allowances. */
weft_result sew_add_hems(weft_sew *w, const weft_sew_def *def, weft_error *e);

#endif
