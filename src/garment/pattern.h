/* SPDX-License-Identifier: MIT */
/* A pattern: copies of panels and seams. */
#ifndef WEFT_GARMENT_PATTERN_H
#define WEFT_GARMENT_PATTERN_H

#include "base/error.h"
#include "base/mem.h"
#include "math/vec.h"

#include <weft/pattern.h>

struct weft_pattern {
    mem mem;
    struct keep *kept; /* what panels and seams point to */
    weft_panel *panels;
    int32_t n_panels;
    int64_t room_panels;
    weft_seam *seams;
    int32_t n_seams;
    int64_t room_seams;
};

/* A name for messages. */
static inline const char *panel_name(const weft_pattern *p, int32_t panel)
{
    return p->panels[panel].name;
}

#endif
