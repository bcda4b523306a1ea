/* SPDX-License-Identifier: MIT */
/* One strip of fabric, meshed and modelled in several ways.
 *
 * Node (i, j) is i + (n_length + 1) · j, i along the length. An irregular mesh has the same numbering, its nodes moved
 * by up to a quarter of the spacing and its diagonals drawn by lot; nodes on borders and on the middle line across stay
 * on these, so that they can be held. */
#ifndef WEFT_TEST_PHYSICS_STRIP_H
#define WEFT_TEST_PHYSICS_STRIP_H

#include "physics/lab.h"

/* The strip of the tests, m, and how far it is pulled. */
#define STRIP_LENGTH 0.3
#define STRIP_WIDTH 0.1
#define STRIP_STRAIN 0.01

/* Its fabric: unlike along warp and weft, stiff enough to bend as a plate does. */
weft_fabric strip_fabric(void);
/* Its stretch modulus along weft or warp, N/m. */
double strip_modulus(bool along_weft);

typedef enum strip_mesh { STRIP_QUADS, STRIP_TRIANGLES, STRIP_IRREGULAR } strip_mesh;

typedef struct strip_def {
    strip_mesh mesh;
    weft_stretch_model stretch;
    weft_bending_model bending;
    double length, width;  /* m */
    int n_length, n_width; /* cells; n_length even */
    bool along_weft;       /* the length runs along weft, else along warp */
    bool biased;           /* halfway between them */
    weft_vec3 start;       /* where node (0, 0) is */
    weft_vec3 x, y;        /* unit vectors along length and width */
    weft_fabric fabric;
    weft_adapt adapt; /* all zero: the mesh stays as it is */
} strip_def;

typedef struct strip {
    strip_def def;
    int n;
    weft_cloth_id cloth;
    double *s, *t; /* where each node is along length and width at rest, m */
    weft_vec3 *at; /* where each node is */
} strip;

/* The models compared. */
typedef struct strip_model {
    const char *name;
    strip_mesh mesh;
    weft_stretch_model stretch;
} strip_model;

#define STRIP_MODELS 4
extern const strip_model strip_models[STRIP_MODELS];

/* Flat, without a stretch limit. */
void strip_create(strip *p, weft_sim *sim, const strip_def *d);
void strip_destroy(strip *p);

int strip_node(const strip *p, int i, int j);
/* Reads the positions of the first mesh's nodes into `at`. */
void strip_look(strip *p, const weft_sim *sim);
/* What node j of the row at i has of the width; they sum to 1. */
double strip_share(const strip *p, int i, int j);
/* Mean of `at` over the width of the row at i. */
weft_vec3 strip_row(const strip *p, int i);
/* Pins the row of nodes at i. */
weft_attachment_id strip_pin_row(const strip *p, weft_sim *sim, int i);

#endif
