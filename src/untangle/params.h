/* SPDX-License-Identifier: MIT */
/* The numbers of untangling that somebody chose: what each does, its unit, what else was tried, and what shows it.
 *
 * Not here: what users set (include/weft/untangle.h), and sizes of blocks of work. "Shown by" names a test or a part of
 * `weft-bench ye`; docs/lab/ye.md has the figures. */
#ifndef WEFT_UNTANGLE_PARAMS_H
#define WEFT_UNTANGLE_PARAMS_H

/* ---- the order of strategies (untangle.c) ------------------------------------------------------------------------ */

/* Iterations without a better state before another strategy is taken up. Of smoothing: this many at first, and as many
 * more each time that all strategies have had their turn. Shown by --only random, test_untangle. */
#define UNTANGLE_PATIENCE 12
#define UNTANGLE_SMOOTH_PATIENCE 4
/* As many pairs on contours shorter than this part of the shortest so far count as progress. */
#define UNTANGLE_SHORTER 0.99
/* Rings around contours that are smoothed; and so many more each time, unless the shape is to be kept. More rings undo
 * more of the shape (docs/lab/ye.md, "What the repair does to the shape"). */
#define UNTANGLE_SMOOTH_RINGS 2
/* The gap, over the mean edge length, if none is given. */
#define UNTANGLE_GAP_OF_EDGE 0.02
/* Rounds in which triangles that merely touch are moved apart, and by what part of the gap: first, and more a round. */
#define UNTANGLE_PART_ROUNDS 24
#define UNTANGLE_PART_FIRST 0.25
#define UNTANGLE_PART_MORE 0.1

/* ---- moves that shorten contours (minimise.c, chord.c) ----------------------------------------------------------- */

/* Bound of the part of G along the normal, R being at most 2 long: it grows without bound as the edge comes to lie in
 * the plane. Tried 1, 2, 4 on the unit meshes: 1 is slow, 4 throws vertices about. Shown by --only units. */
#define UNTANGLE_VECTOR_BOUND 2.0
/* Most that a vertex moves in an iteration, in lengths of its edges (and a gap). */
#define UNTANGLE_MOST_MOVE 0.8
/* Rings of vertices that follow those that move, and what is left of the way from ring to ring: keeps triangles in
 * shape. */
#define UNTANGLE_FOLLOW_RINGS 2
#define UNTANGLE_FOLLOW 0.5
/* The same for a sheet that slips off a limb. Shown by test_untangle. */
#define UNTANGLE_SLIDE_RINGS 12
#define UNTANGLE_SLIDE_FOLLOW 0.9

/* ---- which part is where it should not be (intruder.c, slide.c, outside.c) --------------------------------------- */

/* What is in a collider comes out on its side if the mean of its unit ways out is at least so long. */
#define UNTANGLE_AGREED 0.4
/* Mean cosine between two sheets along a contour from which on they cross at a flat angle, and must agree which of them
 * goes where; at steeper angles both can have their way. Shown by --only random: three sheets clean in all of 50. */
#define UNTANGLE_FLAT_ANGLE 0.2
/* What a closed line cuts off a solid is a limb, not a dent, if its middle is farther from that of the line than this
 * many diameters of the line. Shown by test_untangle. */
#define UNTANGLE_LIMB 0.5
/* An open mesh has an inside only as far as this many edges from its surface. */
#define UNTANGLE_OPEN_MESH_EDGES 2
/* A sheet leaves a solid one way, along its own normal, if at least so many of its triangles or corners are inside, the
 * mean of their unit ways out is shorter than this (they disagree), and that of their unit normals, by area, is longer
 * than that (the sheet is flat there). Shown by --only capsule. */
#define UNTANGLE_PIERCED_LEAST 3
#define UNTANGLE_PIERCED_WAYS 0.6
#define UNTANGLE_PIERCED_NORMALS 0.5

/* ---- one direction for a group of contours (group.c) ------------------------------------------------------------- */

/* Size of patches, in rings of vertices; the inner half of them goes all the way, what is around follows. */
#define GROUP_RINGS 20
#define GROUP_CORE_RINGS 6
/* Contours on these first rings of both patches belong to the group. */
#define GROUP_NEAR_RINGS 3
/* A long contour is cut into windows of so many crossings, with patches of so many rings, if this part of them have a
 * way out that is shorter than that part of the patches' size, and if it is in the mean shorter than that part of the
 * way for all of the contour. */
#define GROUP_WINDOW 10
#define GROUP_WINDOW_RINGS 6
#define GROUP_MOSTLY 0.7
#define GROUP_LOCAL 0.7
#define GROUP_SHALLOW 0.5
/* The relative way in a step: what is left, and this more, but at most that, in edges. */
#define GROUP_MORE 0.2
#define GROUP_MOST 0.5
/* Ways across a straight line, in a loop, count as so much longer. Straight: the distance of its ends over its
 * length. */
#define GROUP_ACROSS 3.0
#define GROUP_STRAIGHT 0.7
/* A way that has not got shorter by this factor for so many steps is given up; cosine from which on two are the
 * same. */
#define GROUP_PROGRESS 0.97
#define GROUP_PATIENCE 8
#define GROUP_NEAR_WAYS 0.7

/* ---- rigid objects (bodies.c) ------------------------------------------------------------------------------------ */

/* Step of rigid objects, over the size of all of them, if none is given. Shown by --only rigid. */
#define UNTANGLE_RIGID_STEP 0.005

/* ---- contours (contour.c) ---------------------------------------------------------------------------------------- */

/* Pairs of triangles whose boxes overlap: so many a triangle, and so many besides, before it is called a mistake. */
#define UNTANGLE_OVERLAPS 128
#define UNTANGLE_MORE_OVERLAPS (INT64_C(1) << 22)

#endif
