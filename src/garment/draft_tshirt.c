/* SPDX-License-Identifier: MIT */
/* A T-shirt: front and back with the origin at the side of the neck's height, 10 cm of ease at the chest, and sleeves
 * whose width is found such that their caps are as long as the armholes. */
#include "garment/draft.h"

/* What front and back share. */
typedef struct shirt {
    double half;      /* half the width at chest and hem */
    double length;    /* from the neck's side to the hem */
    double tip, drop; /* the shoulder point: from the middle, and below the neck's side */
    double armhole;   /* height of its lower end, below the neck's side */
    double neck;      /* half its width */
} shirt;

static shirt shirt_of(const weft_measures *m)
{
    return (shirt){.half = (m->chest + 0.10) / 4,
                   .length = 0.385 * m->height,
                   .tip = 0.5 * m->shoulder,
                   .drop = 0.11 * m->shoulder,
                   .armhole = 0.043 + m->chest / 5.0,
                   .neck = m->neck / 6 + 0.02};
}

/* Seen from outside; on the front the wearer's left is at +u, on the back the right. */
static void draw_shirt_body(draft_path *p, const shirt *s, double neck_depth, double scoop, const char *const names[8])
{
    double depth = s->armhole - s->drop, in = s->tip - scoop;
    draft_begin(p, v2(-s->half, -s->length));
    draft_edge(p, names[0]);
    draft_line(p, v2(s->half, -s->length));
    draft_edge(p, names[1]);
    draft_line(p, v2(s->half, -s->armhole));
    draft_edge(p, names[2]);
    draft_cubic(p, v2(in + 0.25 * (s->half - in), -s->armhole), v2(in, -s->drop - 0.55 * depth), v2(s->tip, -s->drop));
    draft_edge(p, names[3]);
    draft_line(p, v2(s->neck, 0));
    draft_edge(p, names[4]);
    draft_cubic(p, v2(s->neck, -0.6 * neck_depth), v2(0.55 * s->neck, -neck_depth), v2(0, -neck_depth));
    draft_cubic(p, v2(-0.55 * s->neck, -neck_depth), v2(-s->neck, -0.6 * neck_depth), v2(-s->neck, 0));
    draft_edge(p, names[5]);
    draft_line(p, v2(-s->tip, -s->drop));
    draft_edge(p, names[6]);
    draft_cubic(p, v2(-in, -s->drop - 0.55 * depth), v2(-in - 0.25 * (s->half - in), -s->armhole),
                v2(-s->half, -s->armhole));
    draft_edge(p, names[7]);
    draft_line(p, v2(-s->half, -s->length));
}

/* The left sleeve: its front is at −u. v is 0 at the underarm. */
static void draw_sleeve(draft_path *p, double width, double cap, double length)
{
    double w = 0.5 * width, hem = 0.95 * w;
    draft_begin(p, v2(-hem, -length));
    draft_edge(p, "hem");
    draft_line(p, v2(hem, -length));
    draft_edge(p, "under_back");
    draft_line(p, v2(w, 0));
    draft_edge(p, "cap_back");
    draft_cubic(p, v2(0.55 * w, 0.10 * cap), v2(0.55 * w, cap), v2(0, cap));
    draft_edge(p, "cap_front");
    draft_cubic(p, v2(-0.55 * w, cap), v2(-0.55 * w, 0.10 * cap), v2(-w, 0));
    draft_edge(p, "under_front");
    draft_line(p, v2(-hem, -length));
}

/* The width at which the cap is as long as both armholes and 1 % more to ease in. */
static double sleeve_width(double armholes, double cap, double length)
{
    double low = 0.05, high = 1.5;
    draft_path p;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        draw_sleeve(&p, middle, cap, length);
        if (draft_length(&p, "cap_back") + draft_length(&p, "cap_front") < 1.01 * armholes)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static weft_result sew_tshirt(weft_pattern *p, weft_error *error)
{
    static const char *const pairs[][4] = {{"front", "side_l", "back", "side_l"},
                                           {"front", "side_r", "back", "side_r"},
                                           {"front", "shoulder_l", "back", "shoulder_l"},
                                           {"front", "shoulder_r", "back", "shoulder_r"},
                                           {"sleeve_l", "cap_front", "front", "armhole_l"},
                                           {"sleeve_l", "cap_back", "back", "armhole_l"},
                                           {"sleeve_r", "cap_front", "front", "armhole_r"},
                                           {"sleeve_r", "cap_back", "back", "armhole_r"},
                                           {"sleeve_l", "under_front", "sleeve_l", "under_back"},
                                           {"sleeve_r", "under_front", "sleeve_r", "under_back"}};
    weft_result r = WEFT_OK;
    for (size_t i = 0; r == WEFT_OK && i < sizeof pairs / sizeof *pairs; i++)
        r = draft_add_seam(p, WEFT_SEAM_PLAIN, draft_part(p, pairs[i][0], pairs[i][1]),
                           draft_part(p, pairs[i][2], pairs[i][3]), error);
    return r;
}

weft_result draft_tshirt(weft_pattern *pattern, const weft_measures *m, weft_error *error)
{
    static const char *const front[8] = {"hem",  "side_l",     "armhole_l", "shoulder_l",
                                         "neck", "shoulder_r", "armhole_r", "side_r"};
    static const char *const back[8] = {"hem",  "side_r",     "armhole_r", "shoulder_r",
                                        "neck", "shoulder_l", "armhole_l", "side_l"};
    shirt s = shirt_of(m);
    draft_path f, b, sleeve;
    draw_shirt_body(&f, &s, m->neck / 6 + 0.045, 0.03, front);
    draw_shirt_body(&b, &s, 0.025, 0.018, back);
    double armholes = draft_length(&f, "armhole_l") + draft_length(&b, "armhole_l"), cap = 0.13 * m->chest / 0.92;
    draw_sleeve(&sleeve, sleeve_width(armholes, cap, 0.2 * m->arm), cap, 0.2 * m->arm);
    weft_result r = draft_add_panel(pattern, "front", "body", &f, error);
    r = r < 0 ? r : draft_add_panel(pattern, "back", "body", &b, error);
    r = r < 0 ? r : draft_add_panel(pattern, "sleeve_l", "arm", &sleeve, error);
    draft_mirror(&sleeve);
    r = r < 0 ? r : draft_add_panel(pattern, "sleeve_r", "arm", &sleeve, error);
    return r < 0 ? r : sew_tshirt(pattern, error);
}
