/* SPDX-License-Identifier: MIT */
/* Whether a garment goes round the body: its width, as cut, at the heights of bust, waist and hips, where its panels
 * hang before they are sewn, over the body's girth there. */
#include "wear.h"

#include <math.h>
#include <string.h>

/* Not round a limb or the neck, nor a band, which may stretch. */
static bool is_trunk(const char *panel)
{
    static const char *const words[] = {"sleeve", "sl_",    "hood",     "cuff", "waistband",
                                        "rib",    "collar", "neckband", "wb_"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(panel, words[i]))
            return false;
    return true;
}

/* Where side a–b crosses the height y: the point of the cloth. */
static bool crossing(const weft_garment_data *g, int32_t a, int32_t b, double y, weft_vec2 *out)
{
    double from = g->positions[a].y - y, to = g->positions[b].y - y;
    if ((from < 0) == (to < 0))
        return false;
    double t = from / (from - to);
    *out = (weft_vec2){g->uv[a].u + t * (g->uv[b].u - g->uv[a].u), g->uv[a].v + t * (g->uv[b].v - g->uv[a].v)};
    return true;
}

/* Length of the cut through a face of n corners. */
static double cut_face(const weft_garment_data *g, const int32_t *v, int n, double y)
{
    weft_vec2 ends[4];
    int found = 0;
    for (int k = 0; k < n && found < 4; k++)
        found += crossing(g, v[k], v[(k + 1) % n], y, &ends[found]);
    return found < 2 ? 0 : hypot(ends[1].u - ends[0].u, ends[1].v - ends[0].v);
}

static double cut_at(const wear_garment *w, double y)
{
    const weft_garment_data *g = weft_garment_get(w->garment);
    double sum = 0;
    for (int32_t i = 0; i < g->n_triangles + g->n_quads; i++) {
        bool quad = i >= g->n_triangles;
        const int32_t *v = quad ? g->quads + 4 * (size_t)(i - g->n_triangles) : g->triangles + 3 * (size_t)i;
        if (is_trunk(weft_pattern_panel(w->pattern, g->face_panel[i])->name))
            sum += cut_face(g, v, 3 + quad, y);
    }
    return sum;
}

double wear_girth_ratio(const wear *w, int32_t i)
{
    /* Of the girth; else it is open there, or ends. At the bust armholes may take much of the width. */
    static const double least_cover[3] = {0.9, 0.6, 0.6};
    const weft_landmarks *l = weft_body_landmarks(w->body);
    const weft_section *places[3] = {&l->bust, &l->waist, &l->hip};
    double ratio = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double here = cut_at(&w->garments[i], places[k]->y) / places[k]->girth;
        if (here >= least_cover[k])
            ratio = fmin(ratio, here);
    }
    return ratio;
}
