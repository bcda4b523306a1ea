/* SPDX-License-Identifier: MIT */
/* The attack's judge of positions. It shares no code with the library.
 *
 * What it sees. In a frame: triangles that intersect, exactly, since positions are multiples of 2^-32 m (hanging nodes
 * of half of it) and products of three differences of such numbers fit into 128 bits; and points of triangles (corners,
 * middles) within the thickness of analytic colliders. Between two frames: vertices that go through triangles and edges
 * that go through edges when all go straight, which is what the library promises to have looked at in a step that was
 * done in one part; and cloth that is on the other side of a closed mesh than before, in how many parts it ever went.
 * Every crossing that is told is one by a margin: its place is well inside of both elements, its volume changes sign.
 *
 * What it does not see: passages through cloth and open meshes within a step that was done in several parts, or along
 * with a change of the mesh, if nothing intersects afterwards; crossings within a millionth of an element's rim; two
 * crossings of the same pair within a 16th of a step; what is nearer to analytic colliders than thickness between the
 * points that are looked at; pairs of triangles that a pulled seam joins, which may touch. */
#ifndef WEFT_TEST_ATTACK_JUDGE_H
#define WEFT_TEST_ATTACK_JUDGE_H

#include "attack/scene.h"

enum { ATTACK_MOST_OBJECTS = ATTACK_MOST_CLOTHS + ATTACK_MOST_COLLIDERS };

/* All triangles of a moment: cloths first, then mesh colliders. */
typedef struct attack_frame {
    int32_t n_nodes, n_triangles, n_objects, n_cloth_nodes;
    double (*x)[3];
    int64_t (*grid)[3]; /* x in units of 2^-34 m */
    int32_t (*triangles)[3];
    int32_t *object; /* of triangles */
    int32_t *same;   /* nodes that a pulled seam joins have the same number */
    int32_t first_node[ATTACK_MOST_OBJECTS + 1];
    int32_t collider_object[ATTACK_MOST_COLLIDERS]; /* -1: analytic */
    uint32_t revision;                              /* changes with the mesh of any cloth */
    double time;
    bool finite, on_grid, in_sight; /* within 64 m */
    int32_t bad_node;
} attack_frame;

attack_frame attack_frame_take(const attack_scene *s);
void attack_frame_free(attack_frame *f);

/* Two places that were found, and how many there are. */
typedef struct attack_found {
    int32_t count;
    int32_t a, b; /* triangles, or a node and a collider, of the first */
    double size;  /* distance where that says something */
    bool between[ATTACK_MOST_OBJECTS][ATTACK_MOST_OBJECTS];
} attack_found;

attack_found attack_find_intersections(const attack_frame *f);
/* Frames of the same mesh, straight ways in between. */
attack_found attack_find_passages(const attack_frame *from, const attack_frame *to);
/* Points nearer than thickness less `slack`; free nodes only. */
attack_found attack_find_near(const attack_scene *s, const attack_frame *f, double slack);
/* Nodes that were outside of an analytic collider, are outside, and were deep inside on the straight way. */
attack_found attack_find_analytic_passages(const attack_scene *s, const attack_frame *from, const attack_frame *to);
/* Whether a cloth (its first node) is inside of a closed mesh; object is that of the mesh. */
bool attack_is_inside(const attack_frame *f, int32_t cloth, int32_t object);

/* Closed triangles share a point, other than a corner or side that they have in common. */
bool attack_triangles_meet(int64_t a[3][3], int64_t b[3][3]);
/* Corners of vertex and triangle, or of two edges, before and after: they cross for certain. */
bool attack_vertex_passes(double from[4][3], double to[4][3]);
bool attack_edges_pass(double from[4][3], double to[4][3]);

/* Pairs of boxes that overlap, by sweeping along x; `ask` is told each once. */
typedef struct attack_box {
    double low[3], high[3];
    int32_t item;
} attack_box;
void attack_sweep(attack_box *boxes, int32_t n, void (*ask)(void *user, int32_t i, int32_t j), void *user);

#endif
