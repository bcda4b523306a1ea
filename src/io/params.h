/* SPDX-License-Identifier: MIT */
/* Numbers of the folder that somebody has chosen: what each does, its unit, what was tried, and which test shows it.
 * Numbers that formats prescribe stand in the files that read or write these. */
#ifndef WEFT_IO_PARAMS_H
#define WEFT_IO_PARAMS_H

/* ---- scenes: what is refused (yaml_tree.c), so that a small file cannot take much memory or time ----------------- */

#define TREE_MOST_BYTES (16 << 20) /* of a file */
#define TREE_MOST_NODES 1000000
#define TREE_MOST_COPIES 100000 /* of nodes by aliases; test_scene: aliases_that_explode_are_refused */
#define TREE_MOST_KEYS 1000     /* of one map */
#define TREE_MOST_ANCHORS 1000
#define TREE_MOST_DEPTH 32

/* Nodes of a cloth that are looked at for selectors of all attachments together (scene_nodes.c). */
#define SELECTOR_MOST_LOOKS (1 << 25)
/* Bytes of a block of a scene's memory, and of things that get a block of their own (scene_arena.c). */
#define SCENE_ARENA_BLOCK 4096
#define SCENE_ARENA_LARGE 1024
/* Letters of a word for which a near one is looked for (nearest.c); longer ones have none. test_scene_number:
 * only_what_is_near_is_offered. */
#define NEAREST_LONGEST 63
/* Points of a collider nearer than this to where they should be are there, m (stage_collider.c): a restored run must
 * not be moved by rounding. test_stage: a_restored_run_has_its_meshes_in_place. */
#define STAGE_SAME_PLACE 1e-6

/* ---- meshes (mesh_triangulate.c) --------------------------------------------------------------------------------- */

/* Polygons of up to so many corners are cut without a heap call. */
#define TRIANGULATE_SMALL 64
/* Steps per corner after which a polygon ends in a fan. 4 n per corner are enough for any that does not cross itself,
 * so those up to 512 corners are always cut by ears; 100 000 corners take a second or two at worst.
 * test_mesh_triangulate: huge_polygons_end_in_time. */
#define TRIANGULATE_STEPS_PER_CORNER 2048
/* Sines of the angle at an ear's tip: fat ears are cut first, thinner than thin never. Straight sides in files of 6
 * digits bend by about 1e-6. test_mesh_triangulate: straight_sides_give_no_flat_triangles. */
#define TRIANGULATE_FAT 1e-3
#define TRIANGULATE_THIN 1e-12
/* So far outside the triangle, over its side, a corner counts as lying on it. */
#define TRIANGULATE_BORDER 1e-5

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* Frames kept in memory: two to sample between, and one more at either end for those who step to and fro. */
#define MOTION_KEPT 4
/* So near to a frame's time, in frames, is at that time: times come as numbers over fps, and from MDD as floats. */
#define MOTION_SAME_FRAME 1e-5
/* Digits of a number in the names of a sequence: what int32_t holds. */
#define SEQUENCE_MOST_DIGITS 9

/* ---- the cache (docs/cache.md) ----------------------------------------------------------------------------------- */

/* Whatever is packed takes at least 1/CACHE_RATIO of its size, so a reader may refuse what claims more. It is part of
 * the format: files written with another one may be refused. */
#define CACHE_RATIO 256
/* Bytes of the shape of a cloth that has split, and binary places of positions, that a reader takes for possible. */
#define CACHE_MOST_SHAPE (1u << 28)
#define CACHE_MOST_PLACES 1000u

/* ---- exports ----------------------------------------------------------------------------------------------------- */

/* Frames of a GLB file: an animation of n targets has n² weights, and viewers get slow long before. */
#define GLB_MOST_FRAMES 2000

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

/* Points of one DXF piece, and the largest coordinate, in units of the file. */
#define DXF_MOST_POINTS 100000
#define DXF_MOST_COORDINATE 1e9
/* Points of a DXF piece nearer than this are one, m. test_pattern_file: dxf_pieces_become_panels. */
#define DXF_SAME_POINT 1e-5
/* Where no turn points tell, an outline that turns by more than this has a corner, rad. */
#define DXF_SHARP 0.5
/* The same place of two layers: a turn point and the outline, m; ends of a mirror line and the outline, m; points of
 * the outline along the mirror line from their mirror images, m. */
#define DXF_TURN_NEAR 2e-4
#define DXF_MIRROR_NEAR 1e-3
#define DXF_MIRROR_ALONG 2e-3
/* Notches farther than this from the sew line are left out, m. */
#define DXF_NOTCH_NEAR 0.03
/* How far points may be from the chord that replaces them when a pattern is written, m. test_pattern_file:
 * what_is_written_is_read_again. */
#define PATTERN_WRITE_TOLERANCE 5e-5

#endif
