/* SPDX-License-Identifier: MIT */
/* Ribs: the knitted bands of sweatshirts. Patterns do not say what a panel is cut of, but a rib can be told by its
 * length: it is drafted shorter than the edge it is sewn to, by a tenth to a quarter as a rule, and shorter than the
 * body is round, and is stretched on both. Woven cloth eases in by some per cent only; where it is gathered, the edge
 * is longer by a half and more. */
#include "garment/params.h"
#include "garment/pattern.h"
#include "garment/role.h"

/* Whether all parts of a seam's side are of the panel; none: no part is. */
static bool side_is_of_panel(const weft_seam_part *parts, int32_t n, int32_t panel, bool none)
{
    for (int32_t i = 0; i < n; i++)
        if ((parts[i].panel == panel) == none)
            return false;
    return true;
}

bool weft_pattern_is_rib(const weft_pattern *pattern, int32_t panel)
{
    if (!weft_pattern_panel(pattern, panel) || !role_is_band(weft_pattern_panel(pattern, panel)))
        return false;
    for (int32_t i = 0; i < pattern->n_seams; i++) {
        const weft_seam *s = &pattern->seams[i];
        bool a = side_is_of_panel(s->a, s->n_a, panel, false) && side_is_of_panel(s->b, s->n_b, panel, true);
        bool b = side_is_of_panel(s->b, s->n_b, panel, false) && side_is_of_panel(s->a, s->n_a, panel, true);
        double length_a, length_b;
        if ((!a && !b) || weft_pattern_seam_lengths(pattern, i, &length_a, &length_b, NULL) < 0)
            continue;
        double shorter = 1 - (a ? length_a / length_b : length_b / length_a);
        if (shorter >= RIB_SHORTER_LEAST && shorter <= RIB_SHORTER_MOST)
            return true;
    }
    return false;
}
