/* SPDX-License-Identifier: MIT */
/* A skirt: front and back with two darts each, flared a little from the hips down, and a straight waistband. v is 0
 * at the waist. The band begins and ends at the middle of the back, so the back's waist is sewn in two parts. */
#include "garment/draft.h"

typedef struct skirt {
    double waist, hips, hem; /* half widths; the waist's with its dart */
    double hip_depth, length;
    double dart, dart_depth; /* width and depth of each */
} skirt;

static skirt skirt_of(const weft_measures *m)
{
    skirt s = {.hips = (m->hips + 0.03) / 4,
               .hip_depth = 0.12 * m->height,
               .length = 0.36 * m->height,
               .dart_depth = 0.065 * m->height};
    double spare = s.hips - (m->waist + 0.02) / 4;
    s.dart = spare <= 0.01 ? 0.006 : spare < 0.06 ? 0.5 * spare : 0.03;
    s.waist = (m->waist + 0.02) / 4 + s.dart;
    s.hem = s.hips + 0.035;
    return s;
}

/* Names end with the side that is at +u, then with that at −u. */
static void draw_skirt_panel(draft_path *p, const skirt *s, const char *const n[12])
{
    double middle = 0.55 * s->waist, half = 0.5 * s->dart, rise = 0.008;
    draft_begin(p, v2(-s->hem, -s->length));
    draft_edge(p, n[0]);
    draft_line(p, v2(s->hem, -s->length));
    draft_edge(p, n[1]);
    draft_line(p, v2(s->hips, -s->hip_depth));
    draft_cubic(p, v2(s->hips - 0.1 * (s->hem - s->hips), -0.66 * s->hip_depth),
                v2(s->waist + 0.25 * (s->hips - s->waist), -0.3 * s->hip_depth), v2(s->waist, rise));
    draft_edge(p, n[2]);
    draft_line(p, v2(middle + half, 0.5 * rise));
    draft_edge(p, n[3]);
    draft_line(p, v2(middle, -s->dart_depth));
    draft_edge(p, n[4]);
    draft_line(p, v2(middle - half, 0.5 * rise));
    draft_edge(p, n[5]);
    draft_cubic(p, v2(0.5 * middle, 0), v2(0.25 * middle, 0), v2(0, 0));
    draft_cubic(p, v2(-0.25 * middle, 0), v2(-0.5 * middle, 0), v2(-middle + half, 0.5 * rise));
    draft_edge(p, n[6]);
    draft_line(p, v2(-middle, -s->dart_depth));
    draft_edge(p, n[7]);
    draft_line(p, v2(-middle - half, 0.5 * rise));
    draft_edge(p, n[8]);
    draft_line(p, v2(-s->waist, rise));
    draft_edge(p, n[9]);
    draft_cubic(p, v2(-s->waist - 0.25 * (s->hips - s->waist), -0.3 * s->hip_depth),
                v2(-s->hips + 0.1 * (s->hem - s->hips), -0.66 * s->hip_depth), v2(-s->hips, -s->hip_depth));
    draft_line(p, v2(-s->hem, -s->length));
}

static weft_result sew_skirt(weft_pattern *p, weft_error *error)
{
    weft_result r =
        draft_add_seam(p, WEFT_SEAM_PLAIN, draft_part(p, "front", "side_l"), draft_part(p, "back", "side_l"), error);
    r = r < 0 ? r
              : draft_add_seam(p, WEFT_SEAM_PLAIN, draft_part(p, "front", "side_r"), draft_part(p, "back", "side_r"),
                               error);
    static const char *const panels[2] = {"front", "back"};
    for (int i = 0; r == WEFT_OK && i < 2; i++) {
        r = draft_add_seam(p, WEFT_SEAM_DART, draft_part(p, panels[i], "dart_la"), draft_part(p, panels[i], "dart_lb"),
                           error);
        r = r < 0 ? r
                  : draft_add_seam(p, WEFT_SEAM_DART, draft_part(p, panels[i], "dart_ra"),
                                   draft_part(p, panels[i], "dart_rb"), error);
    }
    if (r < 0)
        return r;
    weft_seam_part parts[7] = {draft_part(p, "back", "waist"),    draft_part(p, "back", "waist_l"),
                               draft_part(p, "front", "waist_l"), draft_part(p, "front", "waist"),
                               draft_part(p, "front", "waist_r"), draft_part(p, "back", "waist_r"),
                               draft_part(p, "back", "waist")};
    parts[0].from = 0.5;
    parts[6].to = 0.5;
    return draft_add_band(p, parts, 7, 0.03, error);
}

weft_result draft_skirt(weft_pattern *pattern, const weft_measures *m, weft_error *error)
{
    static const char *const front[12] = {"hem",   "side_l",  "waist_l", "dart_la", "dart_lb",
                                          "waist", "dart_ra", "dart_rb", "waist_r", "side_r"};
    static const char *const back[12] = {"hem",   "side_r",  "waist_r", "dart_ra", "dart_rb",
                                         "waist", "dart_la", "dart_lb", "waist_l", "side_l"};
    skirt s = skirt_of(m);
    draft_path p;
    draw_skirt_panel(&p, &s, front);
    weft_result r = draft_add_panel(pattern, "front", "skirt", &p, error);
    draw_skirt_panel(&p, &s, back);
    r = r < 0 ? r : draft_add_panel(pattern, "back", "skirt", &p, error);
    return r < 0 ? r : sew_skirt(pattern, error);
}
