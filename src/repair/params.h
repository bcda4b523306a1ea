/* SPDX-License-Identifier: MIT */
/* The numbers of repair that somebody chose. "Shown by" is `weft-bench repair`. */
#ifndef WEFT_REPAIR_PARAMS_H
#define WEFT_REPAIR_PARAMS_H

/* The simulation's numbers are for edges of about a centimetre: the mesh is scaled, by a power of two, until its mean
 * edge is in [this, twice this), m. */
#define REPAIR_EDGE 0.0078125
/* Objects at most: each is a cloth or a collider of its own. Beyond, by contours. */
#define REPAIR_OBJECTS 256
/* Time step, s; and the air that takes away speed: N·s/m³, beside a density of 0.15 kg/m² a velocity is gone after
 * about 0.15 / REPAIR_AIR s. */
#define REPAIR_STEP (1.0 / 60)
#define REPAIR_AIR 10.0
/* While cloth is parted: what is moved stays where it was put, and what holds it together follows slowly. In thin air
 * the cloth takes back within a step whatever stretches it: deep dents in bodies, a bottle's neck do not come free. */
#define REPAIR_THICK_AIR 1e4
/* Stretch, N/m; shear over stretch; and bending over stretch and the square of the mean edge: stiff cloth keeps its
 * angles, and parts as a whole rather than in dents. */
#define REPAIR_STRETCH 500.0
#define REPAIR_SHEAR 0.4
#define REPAIR_BENDING 0.003
/* Of what is in colliders, vertices farther than so many rings and so many metres from there are held, for so many
 * steps; if it is not free by then, or distorted, all goes from the start without. */
#define REPAIR_NEAR_RINGS 5
#define REPAIR_NEAR 0.05
#define REPAIR_FAR_STEPS 40
/* Every node is drawn back to where it began, so weakly that the air would let it come in about so many seconds: what
 * had to make way returns as far as there is room. */
#define REPAIR_RETURN 0.3
/* Relaxing goes on as long as the mean way gets shorter by this factor between two looks. */
#define REPAIR_RETURNING 0.99
/* What has a known side, and what is shallow, goes back in stages once nothing crosses: all that does not intrude is
 * drawn to where it began by springs of so much of the stretch stiffness a node, then of half as much, and so on, until
 * lengths and angles are within bounds, a little tighter than those asked for in the end; so many stages of so many
 * steps at most. Layers 1 to 8 end 9 mm off their original in the mean with springs that begin at 0.006, 5 with 0.06;
 * 13 with one as weak as those above. */
#define REPAIR_BACK 0.06
#define REPAIR_BACK_WEAKER 0.5
#define REPAIR_BACK_STAGES 10
#define REPAIR_BACK_STEPS 10
#define REPAIR_BACK_LENGTHS 0.07
#define REPAIR_BACK_ANGLES 0.905
/* Of what has no known side: its place matters less than its shape. By the bounds above crossed sheets end 6 mm from
 * where they were for 17, but stretched by 5 % at the 95th percentile. */
#define REPAIR_BACK_SHALLOW_LENGTHS 0.02
#define REPAIR_BACK_SHALLOW_ANGLES 0.97
/* Where every contour cuts off a part, none more than this fraction of the vertices, contours are shortened first, for
 * so many steps at most, and no longer than so many without progress: groups would take a tube that is in another out
 * of it lengthwise, by 70 mm for 1. */
#define REPAIR_SHALLOW 0.15
#define REPAIR_SHALLOW_STEPS 100
#define REPAIR_SHALLOW_PATIENCE 40
/* Steps of relaxing at most, how often edges are looked at meanwhile, and when it is enough: at most so much change of
 * length at the 5th and 95th percentile, and of the shortest and the longest edge. */
#define REPAIR_RELAX_STEPS 120
#define REPAIR_RELAX_LOOK 5
#define REPAIR_RELAXED 0.03
#define REPAIR_RELAXED_ONE 0.25
/* Steps at most while anything crosses: three attempts, each of so many by groups of contours, then by contours. */
#define REPAIR_STEPS 480
#define REPAIR_GROUP_STEPS 120
#define REPAIR_CONTOUR_STEPS 40
/* An attempt is given up if so many steps have not brought the pairs that cross below this part of what they were at
 * its last progress. Knots that tangle for good do so within 20 steps, and took 10 to 20 s until that was given up. */
#define REPAIR_PATIENCE 32
#define REPAIR_PROGRESS 0.9
/* If more than this part of what intersected is left, nothing is gained that is worth another shape: the input comes
 * out. */
#define REPAIR_GAINED 0.1
/* The same cloth: how much area may differ, lengths at the 5th and 95th percentile; what part of the angles is to be
 * nearer than 20° (its cosine) to what they were; and the bounds of any edge. */
#define REPAIR_AREA 0.02
#define REPAIR_LENGTHS 0.08
#define REPAIR_ANGLES 0.9
#define REPAIR_ANGLE_COSINE 0.9396926207859084
#define REPAIR_SHORTEST 0.6
#define REPAIR_LONGEST 1.5
/* A vertex that has gone less than this, over the mean edge, has not moved. */
#define REPAIR_UNMOVED 1e-6

#endif
