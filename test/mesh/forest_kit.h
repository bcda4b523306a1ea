/* SPDX-License-Identifier: MIT */
/* What the tests of the forest share: shapes of roots, stitched or not, leaves followed through the replace callback,
 * and positions by halving. */
#ifndef TEST_SURFACE_FOREST_KIT_H
#define TEST_SURFACE_FOREST_KIT_H

#include "sim/kit.h"
#include "mesh/forest.h"

typedef enum forest_shape {
    SHAPE_GRID,       /* 3 × 2 quads */
    SHAPE_MIXED,      /* quads and triangles, shuffled */
    SHAPE_TORUS,      /* quads, closed */
    SHAPE_SPHERE,     /* triangles, closed */
    SHAPE_DISC,       /* triangles round one node */
    SHAPE_TUBE,       /* 3 × 2 quads, left border stitched to the right one */
    SHAPE_THIN_TUBE,  /* one quad round, so each is its own neighbour */
    SHAPE_MOEBIUS,    /* stitched the other way */
    SHAPE_MIXED_TUBE, /* quads and triangles */
    SHAPE_ONE_TORUS,  /* one quad, all four corners stitched together */
    SHAPE_DART,       /* two borders that meet in a corner stitched to each other */
    SHAPE_PILLOW,     /* two panels stitched all round */
    SHAPE_COUNT
} forest_shape;

typedef struct forest_kit {
    kit_memory kit;
    mem mem;
    surface *roots;
    forest f;
    /* followed through the replace callback */
    int32_t n_leaves, *leaves, *place; /* place of a leaf in leaves; -1: none */
    int32_t n_splits, *splits;         /* elements that split since forest_kit_forget, in their order */
    int64_t n_nodes;                   /* alive */
    vec3 *x;
    int32_t capacity;
} forest_kit;

const char *forest_kit_name(forest_shape shape);
/* Root nodes lie on multiples of 2^-32 m, at random within 256 m. */
void forest_kit_start(forest_kit *k, forest_shape shape, uint64_t seed);
void forest_kit_start_mesh(forest_kit *k, const kit_mesh *m, int32_t grid_columns, uint64_t seed);
void forest_kit_end(forest_kit *k);
void forest_kit_forget(forest_kit *k);

int32_t forest_kit_edge(const forest *f, int32_t a, int32_t b);
/* A leaf below a level, at random; -1: none was met. */
int32_t forest_kit_leaf(forest_kit *k, int32_t below, uint64_t *random);
/* Refines a leaf or merges a family, at random, so that the forest stays near `size` leaves. */
void forest_kit_operate(forest_kit *k, int32_t size, int32_t most_level, uint64_t *random);
/* Whether the leaves that were followed are those of the forest. */
bool forest_kit_same_leaves(const forest_kit *k);

/* The shape; to be freed. */
uint8_t *forest_kit_encode(const forest *f, int64_t *n_bytes);

#endif
