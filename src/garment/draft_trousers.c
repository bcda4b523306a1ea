/* SPDX-License-Identifier: MIT */
/* Straight trousers: two fronts, two backs with a dart each, a waistband. v is 0 at the waist; the middle of the body
 * is at u = 0 of the left front, its side at +u. The back is wider by 2 cm, reaches farther between the legs and
 * rises higher behind. */
#include "garment/draft.h"

typedef struct leg {
    double waist; /* width at the waist, with a dart if there is one */
    double hips;  /* width at the hips */
    double reach; /* how far the crotch goes beyond the middle */
    double rise;  /* of the middle above the waist line */
    double lean;  /* how far the middle at the waist leans to the side */
    double dart, dart_depth;
    double hip_depth, crotch_depth, length;
    double hem; /* width */
} leg;

/* From the waist to the crotch by the form's own proportions. */
static double crotch_depth_of(const weft_measures *m)
{
    double neck = 0.85 * m->height;
    return (0.648 - 0.466) / (0.85 - 0.466) * (neck - m->inseam) + 0.015;
}

static leg leg_of(const weft_measures *m, bool is_back)
{
    double quarter = (m->waist + 0.02) / 4, depth = crotch_depth_of(m);
    leg l = {.hips = (m->hips + 0.05) / 4 + (is_back ? 0.01 : -0.01),
             .reach = is_back ? 0.095 * m->hips : 0.048 * m->hips,
             .rise = is_back ? 0.018 : 0,
             .lean = is_back ? 0.025 : 0.006,
             .hip_depth = 0.62 * depth,
             .crotch_depth = depth,
             .length = depth + m->inseam - 0.035,
             .hem = is_back ? 0.24 * m->hips : 0.21 * m->hips};
    l.dart = is_back && l.hips - l.lean - quarter > 0.02 ? 0.02 : 0;
    l.dart_depth = 0.065 * m->height;
    l.waist = quarter + l.dart;
    return l;
}

/* The top from the side (+u) to the middle, with its dart in the middle of it. */
static void draw_waist(draft_path *p, const leg *l)
{
    vec2 side = p->at, middle = v2(l->lean, l->rise), d = v2_sub(middle, side);
    double share = l->dart / v2_len(d);
    draft_edge(p, "waist");
    if (l->dart > 0) {
        double down = l->dart_depth / v2_len(d); /* across the waist, so that both legs are equally long */
        vec2 tip = v2_madd(v2_madd(side, 0.5, d), down, v2(-d.v, d.u));
        draft_line(p, v2_madd(side, 0.5 - 0.5 * share, d));
        draft_edge(p, "dart_a");
        draft_line(p, tip);
        draft_edge(p, "dart_b");
        draft_line(p, v2_madd(side, 0.5 + 0.5 * share, d));
        draft_edge(p, "waist_in");
    }
    draft_line(p, middle);
}

static void draw_leg(draft_path *p, const leg *l)
{
    double centre = 0.5 * (l->hips - l->reach), half = 0.5 * l->hem, top = l->lean + l->waist;
    vec2 tip = v2(-l->reach, -l->crotch_depth), cuff_in = v2(centre - half, -l->length),
         cuff_out = v2(centre + half, -l->length);
    draft_begin(p, cuff_in);
    draft_edge(p, "hem");
    draft_line(p, cuff_out);
    draft_edge(p, "outseam");
    draft_cubic(p, v2(cuff_out.u + 0.15 * (l->hips - cuff_out.u), -0.75 * l->length), v2(l->hips, -0.55 * l->length),
                v2(l->hips, -l->hip_depth));
    draft_cubic(p, v2(l->hips, -0.66 * l->hip_depth), v2(top + 0.3 * (l->hips - top), -0.3 * l->hip_depth), v2(top, 0));
    draw_waist(p, l);
    draft_edge(p, "crotch");
    draft_line(p, v2(0, -0.55 * l->crotch_depth));
    draft_cubic(p, v2(-0.03 * l->reach, -0.85 * l->crotch_depth), v2(-0.35 * l->reach, -l->crotch_depth), tip);
    draft_edge(p, "inseam");
    draft_cubic(p, v2(tip.u + 0.55 * (cuff_in.u - tip.u), tip.v - 0.2 * (l->length - l->crotch_depth)),
                v2(cuff_in.u - 0.1 * (cuff_in.u - tip.u), tip.v - 0.55 * (l->length - l->crotch_depth)), cuff_in);
}

/* The back's inseam is a little longer; its hem is moved until both are equal. */
static void draw_matching_back(draft_path *p, leg *back, const draft_path *front)
{
    double low = -0.05, high = 0.05, wanted = draft_length(front, "inseam"), level = back->crotch_depth;
    for (int i = 0; i < 50; i++) {
        back->crotch_depth = level + 0.5 * (low + high);
        draw_leg(p, back);
        if (draft_length(p, "inseam") > wanted)
            low = 0.5 * (low + high);
        else
            high = 0.5 * (low + high);
    }
}

static weft_result sew_trousers(weft_pattern *p, bool has_darts, weft_error *error)
{
    static const char *const pairs[][4] = {
        {"front_l", "outseam", "back_l", "outseam"}, {"front_r", "outseam", "back_r", "outseam"},
        {"front_l", "inseam", "back_l", "inseam"},   {"front_r", "inseam", "back_r", "inseam"},
        {"front_l", "crotch", "front_r", "crotch"},  {"back_l", "crotch", "back_r", "crotch"}};
    weft_result r = WEFT_OK;
    for (size_t i = 0; r == WEFT_OK && i < sizeof pairs / sizeof *pairs; i++)
        r = draft_add_seam(p, WEFT_SEAM_PLAIN, draft_part(p, pairs[i][0], pairs[i][1]),
                           draft_part(p, pairs[i][2], pairs[i][3]), error);
    for (int i = 0; r == WEFT_OK && has_darts && i < 2; i++) {
        const char *panel = i == 0 ? "back_l" : "back_r";
        r = draft_add_seam(p, WEFT_SEAM_DART, draft_part(p, panel, "dart_a"), draft_part(p, panel, "dart_b"), error);
    }
    if (r < 0)
        return r;
    /* From the middle of the back by the left side round to the middle of the back again. */
    weft_seam_part parts[6];
    int32_t n = 0;
    if (has_darts)
        parts[n++] = draft_part(p, "back_l", "waist_in");
    parts[n++] = draft_part(p, "back_l", "waist");
    parts[n++] = draft_part(p, "front_l", "waist");
    parts[n++] = draft_part(p, "front_r", "waist");
    parts[n++] = draft_part(p, "back_r", "waist");
    if (has_darts)
        parts[n++] = draft_part(p, "back_r", "waist_in");
    return draft_add_band(p, parts, n, 0.035, error);
}

weft_result draft_trousers(weft_pattern *pattern, const weft_measures *m, weft_error *error)
{
    leg front = leg_of(m, false), back = leg_of(m, true);
    draft_path f, b;
    draw_leg(&f, &front);
    draw_matching_back(&b, &back, &f);
    weft_result r = draft_add_panel(pattern, "front_l", "leg", &f, error);
    draft_mirror(&f);
    r = r < 0 ? r : draft_add_panel(pattern, "front_r", "leg", &f, error);
    r = r < 0 ? r : draft_add_panel(pattern, "back_r", "leg", &b, error);
    draft_mirror(&b);
    r = r < 0 ? r : draft_add_panel(pattern, "back_l", "leg", &b, error);
    return r < 0 ? r : sew_trousers(pattern, back.dart > 0, error);
}
