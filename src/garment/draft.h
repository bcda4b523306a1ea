/* SPDX-License-Identifier: MIT */
/* Drawing of panels, as drafts do it: from point to point, edge after edge, counter-clockwise. */
#ifndef WEFT_GARMENT_DRAFT_H
#define WEFT_GARMENT_DRAFT_H

#include "base/error.h"
#include "garment/curve.h"

#include <weft/form.h>

enum { DRAFT_MOST = 40 };

typedef struct draft_path {
    weft_curve curves[DRAFT_MOST];
    weft_edge edges[DRAFT_MOST];
    weft_notch notches[4];
    int32_t n_curves, n_edges, n_notches;
    vec2 at; /* where the last curve ends */
} draft_path;

void draft_begin(draft_path *p, vec2 start);
/* What follows belongs to this edge. Names are kept as pointers. */
void draft_edge(draft_path *p, const char *name);
void draft_line(draft_path *p, vec2 to);
void draft_cubic(draft_path *p, vec2 c0, vec2 c1, vec2 to);
/* Seen in a mirror: u → −u, edges and curves in the opposite order, so that it runs counter-clockwise again. */
void draft_mirror(draft_path *p);
/* Length of the curves of an edge. */
double draft_length(const draft_path *p, const char *edge);

weft_result draft_add_panel(weft_pattern *pattern, const char *name, const char *label, const draft_path *p,
                            weft_error *error);

/* An edge by the names of panel and edge, all of it. The names must be there. */
weft_seam_part draft_part(const weft_pattern *pattern, const char *panel, const char *edge);
weft_result draft_add_seam(weft_pattern *pattern, weft_seam_kind kind, weft_seam_part a, weft_seam_part b,
                           weft_error *error);
/* A rectangle "waistband" whose edge "sewn" is joined to the parts, and its ends to each other. */
weft_result draft_add_band(weft_pattern *pattern, const weft_seam_part *parts, int32_t n, double height,
                           weft_error *error);

/* The drafts. */
weft_result draft_tshirt(weft_pattern *pattern, const weft_measures *m, weft_error *error);
weft_result draft_skirt(weft_pattern *pattern, const weft_measures *m, weft_error *error);
weft_result draft_trousers(weft_pattern *pattern, const weft_measures *m, weft_error *error);

#endif
