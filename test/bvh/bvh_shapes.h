/* SPDX-License-Identifier: MIT */
/* Moving surfaces of a hundred triangles or so that are made to fool tests by normals. */
#ifndef TEST_TREE_TREE_SHAPES_H
#define TEST_TREE_TREE_SHAPES_H

#include "bvh/bvh_kit.h"

typedef enum bvh_shape {
    SHAPE_WILD,     /* a sheet, every node thrown about */
    SHAPE_WAVY,     /* a sheet that is dented */
    SHAPE_IN_PLANE, /* a flat sheet whose nodes move in its plane */
    SHAPE_CLASP,    /* a flat strip bent in its plane until its ends lie over each other (volino1994, figure 1b) */
    SHAPE_SPIRAL,   /* a flat strip along a spiral that tightens */
    SHAPE_RAMP,     /* a winding stair that is pressed flat */
    SHAPE_TONGUE,   /* a sheet with a tongue that leaves its edge, goes round and covers it */
    SHAPE_HINGE,    /* two fans with one common vertex, one turned over the other */
    SHAPE_TWICE,    /* a ring of triangles that winds twice round its vertex */
    SHAPE_MOEBIUS,  /* a strip glued with a half turn, pressed flat */
    SHAPE_FLIPPED,  /* a sheet some of whose triangles are turned over */
    SHAPE_THREE,    /* three sheets at one edge, two of them closing */
    SHAPE_HOLE,     /* a sheet with a hole that closes */
    SHAPE_LAYERS,   /* two sheets over each other that change places */
    SHAPE_TEETH,    /* a flat strip with teeth along its border that lean over their neighbours in the plane */
    SHAPE_FLAPS,    /* a strip that comes to lie over itself, with flaps turned under here and there at its border */
    BVH_N_SHAPES
} bvh_shape;

const char *bvh_shape_name(bvh_shape shape);
bvh_mesh bvh_shape_make(bvh_shape shape, uint64_t seed);

#endif
