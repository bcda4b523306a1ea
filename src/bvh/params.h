/* SPDX-License-Identifier: MIT */
/* The numbers of the hierarchy that somebody chose: what each does, its unit, what else was tried, and what shows it.
 *
 * Not here: lengths of arrays that only bound a proof (bvh_simple.h), codes, and margins of rounding, which are derived
 * where they are used. "Shown by" names a test (test_…) or a bench (`weft-bench …`); docs/lab/collisions.md has the
 * experiments. But for BVH_LEVEL none decides which pairs touch; some decide the zones, and with them the order of
 * pairs: another one gives other bits. */
#ifndef WEFT_BVH_PARAMS_H
#define WEFT_BVH_PARAMS_H

/* ---- zones (bvh_draft.c, bvh_layout.c, bvh_adjacency.c) ---------------------------------------------------------- */

/* A zone of so many triangles or fewer is not divided. As many as a row of boxes has faces (math/box_row.h). Shown by
 * `weft-bench volino`. */
#define BVH_LEAF 8
/* What is left over in a round of grouping joins a group of fewer members than this. */
#define BVH_MOST_MEMBERS 5
/* A vertex with more zones than this around it tells nothing of which zones are neighbours: they count as strangers,
 * which is never wrong, only slow. */
#define BVH_RING_ZONES 32
/* Lists of neighbours up to this length are searched from end to end, longer ones by halving. */
#define BVH_SHORT_LIST 16

/* ---- refit (bvh_refit.c, bvh_cones.c) ---------------------------------------------------------------------------- */

/* What one task fits: nodes, pairs of leaves, leaves by themselves, zones; cones of zones. Shown by `weft-bench volino
 * --only boxes`. */
#define BVH_REFIT_NODES 4096
#define BVH_REFIT_PAIRS 512
#define BVH_REFIT_APART 128
#define BVH_REFIT_ZONES 1024
#define BVH_CONE_ZONES 1024

/* ---- the walk (bvh_candidates.c, bvh_walk.c) --------------------------------------------------------------------- */

/* The walk is unrolled until there are so many tasks, or none is of more triangles than the second; never more than the
 * third, for which there is room. */
#define BVH_ENOUGH_TASKS 256
#define BVH_SMALL_TASK 64
#define BVH_MOST_TASKS 1024
/* Zones of one surface that are not neighbours any more are tried once whether contours tell them apart: between so
 * many triangles, if their boxes overlap by less than this part of the smaller along an axis whose cosine against their
 * common direction is less than the last. A guess, made to be cheap. */
#define BVH_KIN_LEAST (2 * BVH_LEAF)
#define BVH_KIN_MOST (4 * BVH_LEAF)
#define BVH_SIDE_OVERLAP 0.25f
#define BVH_SIDE_COS 0.75
/* Pairs that a task takes room for at once. */
#define BVH_BLOCK 2048
/* Leaves whose boxes are kept, for either side of a pair: 384 kB with the largest. */
#define BVH_KEPT_LEAVES 64
/* Pairs whose distance one task measures (bvh_clearance.c). */
#define BVH_CLEARANCE_PAIRS 4096

/* ---- contours (bvh_simple.c, bvh_quick.c, bvh_apart.c, bvh_patches.c) -------------------------------------------- */

/* For thickness: the cosine of the steepest slope that is skipped. The two cosines of angles between contour edges
 * follow from it (bvh_simple.c). Less of a slope skips less, more leaves longer ways on the surface unseen. Shown by
 * test_bvh_thickness. */
#define BVH_LEVEL 0.8
#define BVH_OPEN_COS 0.21875
#define BVH_FILLED_COS 0.625
/* Contours of so many edges are tried as stars; of two zones, half as many: larger ones hardly ever are. */
#define BVH_STAR_EDGES 16
/* A contour of so many edges is cut into blocks of the second number of edges, a longer one into blocks of the third,
 * or more where there would be too many of them, up to the last. Few edges, for a window of two blocks should not turn
 * far. Shown by `weft-bench volino`. */
#define BVH_SHORT_CONTOUR 48
#define BVH_SHORT_BLOCK 2
#define BVH_LONG_BLOCK 3
#define BVH_MOST_BLOCK 64
/* Pairs of blocks of one loop that are near each other; with more of them it is not told simple here. */
#define BVH_NEAR_BLOCKS 256
/* Pieces of a patch's contour; a patch with more is not proven. */
#define BVH_PATCH_PIECES 128
/* All triangles of a zone are stamped, not only those along its contour, where it has no more than so many for each
 * edge of that: as soon written in a row as one by itself. */
#define BVH_STAMP_ALL 8

#endif
