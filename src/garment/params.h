/* SPDX-License-Identifier: MIT */
/* Numbers of the folder that somebody has chosen: what each does, its unit, what was tried, and which test or bench
 * shows it. "Sizes" are lengths over weft_garment_def.size, that of the elements asked for. */
#ifndef WEFT_GARMENT_PARAMS_H
#define WEFT_GARMENT_PARAMS_H

/* ---- patterns: what is refused (pattern.c) ----------------------------------------------------------------------- */

/* Of curves, edges, points … in one panel, and of parts in one side of a seam. Real patterns have some hundred; this is
 * for files that are no patterns. test_pattern: wrong_seams_are_refused_by_panel_and_edge. */
#define PATTERN_MOST_ITEMS 100000
#define PATTERN_MOST_PANELS 10000
#define PATTERN_MOST_TEXT 1000 /* bytes of a name */
#define PATTERN_MOST_METRES 250.0

/* ---- curves and outlines ----------------------------------------------------------------------------------------- */

/* How far chords may be from their curve, m. Seam lengths are then right to a millionth. test_pattern:
 * lengths_and_areas_are_those_of_the_curves. */
#define OUTLINE_TOLERANCE 1e-6
/* Chords of one curve, whatever its size: a bound of memory. */
#define CURVE_MOST_CHORDS 4096
/* The end of a line, or a notch, this near to the outline is on it, m. Files give a tenth of a millimetre.
 * test_pattern: marks_outside_are_refused. */
#define OUTLINE_NEAR 2e-3
/* The end of a line this near to a node of the outline is that node, m: more than OUTLINE_NEAR, as the
 * break that the line made may have been one that was near already. */
#define OUTLINE_NODE_NEAR 4e-3

/* ---- division of edges (divide.c, divide_mend.c) ----------------------------------------------------------------- */

/* Breaks nearer to each other than this, in sizes, mean the same place. 0.4: two notches that far off shear a row of
 * elements by less than half its size. test_garment: breaks_are_carried_over_seams. */
#define DIVIDE_SAME_PLACE 0.4
/* An edge that turns by more than this at a point has a break there, rad; a chord of a digitised curve turns by
 * less. */
#define DIVIDE_SHARP_TURN 0.6
/* A piece shorter than this, in sizes, becomes one node: an element that small would have no mass to speak of. */
#define DIVIDE_SHORTEST 0.25
/* Turns make pieces shorter, but no shorter than the size over this. */
#define DIVIDE_FINEST 3
/* Times that breaks go over all seams until the sides agree; chains of seams take one each. test_garment:
 * chains_of_seams_share_their_divisions. */
#define DIVIDE_ROUNDS 64
/* Times that pieces of an outline which crosses itself are halved: 2^10 of the size. test_garment:
 * random_outlines_are_tiled. */
#define DIVIDE_MENDS 10
/* Points of a digitised line nearer than this, in sizes, are passed over: the mesh cannot follow. */
#define LINE_NEAREST 0.5

/* ---- meshes of panels (panel_grid.c, panel_mesh.c) --------------------------------------------------------------- */

/* How far points of the grid keep from the rim and from lines, in sizes. Tuned on seventeen real patterns at 5 to 25
 * mm: the least angles are best from 0.55 to 0.65. test_garment: random_outlines_are_tiled; test_pattern_file:
 * all_seventeen_patterns_are_read_and_meshed prints the angles. */
#define PANEL_RIM_DISTANCE 0.6
/* How far the rim keeps from the middle of a quad, in sizes: more than the radius of its circle, √½. */
#define PANEL_QUAD_DISTANCE 0.75
/* Triangles with a smaller (shortest side / radius of the circle)² get a point at the centre of their circle: 4 sin² of
 * 30°, after which what is poor is at the rim. */
#define PANEL_POOR 1.0
/* What such a point keeps from others, in sizes: less would make elements too small for the steps of the simulation. */
#define PANEL_APART 0.45
/* Passes over all triangles, and triangles walked through from a poor one to the centre of its circle. */
#define PANEL_ROUNDS 6
#define PANEL_WALK 64
/* Triangles with all corners on the outline are turned if that leaves none below this, as PANEL_POOR (25°), and no side
 * longer than this, in sizes. test_garment: no_triangle_of_a_rectangle_has_all_corners_on_the_outline. */
#define PANEL_FAIR 0.7
#define PANEL_LONGEST 1.9

/* ---- bodies and the form (body_landmarks.c, form.c, isosurface.c) ------------------------------------------------ */

/* Horizontal slices of a body: 5 mm apart on a grown-up. test_body_file: landmarks_from_slices_are_those_of_the_files
 * (girths within 1 %, heights within 5 mm). */
#define LANDMARK_LEVELS 320
/* Slices across an arm. */
#define LANDMARK_ARM_STEPS 40
/* Girths of the form are tuned until all are this good, m, in at most so many rounds with a coarse mesh and then with a
 * finer one; beyond the second number the measures are refused. test_body: the_form_is_closed_and_to_measure. */
#define FORM_GIRTH_GOOD 1e-3
#define FORM_GIRTH_FAIR 3e-3
#define FORM_ROUNDS 20
#define FORM_FINE_ROUNDS 6
/* Lattice constant of the coarse mesh, m, of a form of 1.68 m, and by what it is multiplied for the finer one. */
#define FORM_COARSE 0.03
#define FORM_FINER 0.55
/* Sections are scaled by no more than this in a round, or its inverse. */
#define FORM_SCALE_MOST 1.25
#define FORM_SCALE_LEAST 0.8
/* Cuts nearer to a lattice point than this share of a long and of a short edge are moved onto it (Labelle and Shewchuk
 * 2007, section 3: their proof needs these bounds). test_body: surfaces_of_functions_are_closed_and_near. */
#define ISOSURFACE_NEAR_LONG 0.24999
#define ISOSURFACE_NEAR_SHORT 0.41189
/* Steps towards a zero on an edge, and a value that is one. */
#define ISOSURFACE_STEPS 12
#define ISOSURFACE_ZERO 1e-9

/* ---- placement (place_fit.c, place_self.c, rib.c) ---------------------------------------------------------------- */

/* Distances beyond this are not measured, m. */
#define PLACE_FARTHEST 0.1
/* Halves stand this far from the middle of the body, m. */
#define PLACE_HALF_GAP 0.01
/* Panels keep this from each other, m, or the clearance if that is less. */
#define PLACE_PANELS_APART 1e-3
/* Moves that are tried, nearest first: so many steps of so many metres. test_body:
 * panels_in_the_body_are_moved_out_or_refused; test_body_file: panels_of_real_patterns_start_clear_of_a_real_body. */
#define PLACE_STEP 0.01        /* outwards, along a limb, its radius */
#define PLACE_STEP_WIDER 0.005 /* radius of a ring or sleeve; down, of a cone */
#define PLACE_MOVES_FLAT 60    /* half a metre and a little */
#define PLACE_MOVES_WIDER 25   /* rings */
#define PLACE_MOVES_ALONG 12   /* rings up and down, sleeves along the arm */
#define PLACE_MOVES_LIMB 8     /* each radius of a sleeve */
/* What is left of a limb before its last joint for cuffs and hands, m; sleeves longer than LEAST are pushed together
 * until they fit, to no less than SHORTEST of their length. */
#define PLACE_LIMB_END 0.05
#define PLACE_LIMB_LEAST 0.1
#define PLACE_LIMB_SHORTEST 0.5
/* A band shorter than what it is sewn to by this share is a rib. Woven cloth eases in by some per cent; what is
 * gathered is longer by a half and more. test_pattern: bands_shorter_than_what_they_are_sewn_to_are_ribs. */
#define RIB_SHORTER_LEAST 0.05
#define RIB_SHORTER_MOST 0.3

#endif
