/* SPDX-License-Identifier: MIT */
/* Gives bytes to a reader of patterns. What it accepts can be measured and, if it passes its checks, cut into a mesh
 * whose elements tile the panels. */
#ifndef WEFT_FUZZ_PATTERN_TRY_H
#define WEFT_FUZZ_PATTERN_TRY_H

#include <weft/io/pattern.h>

#include <math.h>
#include <stdlib.h>

static inline void pattern_must(bool holds)
{
    if (!holds)
        abort();
}

/* Not more elements than a fuzzer has time for. */
static inline bool pattern_is_small(const weft_pattern *p)
{
    double area = 0, length = 0;
    for (int32_t i = 0; i < weft_pattern_panel_count(p); i++) {
        weft_panel_info info;
        pattern_must(weft_pattern_panel_info(p, i, &info, NULL) == WEFT_OK);
        pattern_must(isfinite(info.area) && info.perimeter >= 0);
        area += (info.high.u - info.low.u) * (info.high.v - info.low.v);
        length += info.perimeter;
    }
    return area < 2 && length < 20;
}

static inline void pattern_cut(const weft_pattern *p)
{
    weft_garment *g = NULL;
    weft_garment_def def = weft_garment_def_default();
    weft_error error = {0};
    def.size = 0.05;
    def.seam_ratio = 1000;
    if (weft_garment_create(p, &def, &g, &error) != WEFT_OK) {
        pattern_must(error.text[0] != '\0' && !g);
        return;
    }
    const weft_garment_data *d = weft_garment_get(g);
    for (int32_t i = 0; i < 3 * d->n_triangles; i++)
        pattern_must(d->triangles[i] >= 0 && d->triangles[i] < d->n_nodes);
    for (int32_t i = 0; i < d->n_pairs; i++)
        pattern_must(d->pairs[i].a != d->pairs[i].b);
    weft_garment_destroy(g);
}

static inline void pattern_try(weft_pattern_format format, const uint8_t *data, size_t size)
{
    weft_pattern *p = NULL;
    weft_error error = {0};
    if (weft_pattern_parse(format, "input", data, size, &p, &error) == WEFT_OK) {
        pattern_must(weft_pattern_panel_count(p) > 0);
        if (weft_pattern_panel_count(p) < 20 && pattern_is_small(p))
            pattern_cut(p);
    } else
        pattern_must(error.text[0] != '\0' && !p);
    weft_pattern_destroy(p);
}

#endif
