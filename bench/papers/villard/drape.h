/* SPDX-License-Identifier: MIT */
/* The end of a run as a shape to compare with another: on a uniform mesh, with its folds and its distance. */
#ifndef BENCH_DRAPE_H
#define BENCH_DRAPE_H

#include <weft/weft.h>

typedef struct drape {
    weft_uniform mesh;
    weft_vec2 centre; /* of the material */
    double side;      /* the longer extent of the material, m */
} drape;

/* The cloth on its uniform mesh of a level; it must have material coordinates. */
weft_result drape_take(const weft_sim *sim, weft_cloth_id cloth, int32_t level, drape *out, weft_error *error);
void drape_free(drape *d);

/* As an OBJ file, with material coordinates. */
bool drape_write(const drape *d, const char *path);

/* Folds of the hem: how often, along the border, the distance from the vertical axis through the origin has a maximum
 * that stands out by `least` of the side (in going round, up and down by that much). Any share from *from to *to counts
 * as many: the farther apart these are, the clearer the folds. */
int32_t drape_folds(const drape *d, double least, double *from, double *to);

/* Distances of the nodes of a from the surface of b, and the other way round: mean and 95th percentile, m. a is turned
 * about the vertical axis through the origin by `turn` rad first. False: out of memory. */
bool drape_distance(const drape *a, const drape *b, double turn, double *mean, double *most);

#endif
