/* SPDX-License-Identifier: MIT */
/* The square grid inside a panel, along warp and weft. */
#ifndef WEFT_GARMENT_PANEL_GRID_H
#define WEFT_GARMENT_PANEL_GRID_H

#include "garment/panel_mesh.h"

enum { GRID_OUT = 0, GRID_NODE = 1 };

typedef struct panel_grid {
    mem *mem;
    vec2 low;
    double size;
    int32_t n_u, n_v;
    uint8_t *is_node; /* n_u · n_v: inside, and not too near to the rim or a line */
    uint8_t *is_quad; /* likewise, of the cell up and to the right */
    int32_t *number;  /* of each node in the triangulation; for its owner to fill */
} panel_grid;

bool panel_grid_create(panel_grid *g, mem *m, const panel_input *in);
void panel_grid_destroy(panel_grid *g);

static inline vec2 panel_grid_at(const panel_grid *g, int32_t i, int32_t j)
{
    return (vec2){g->low.u + i * g->size, g->low.v + j * g->size};
}

#endif
