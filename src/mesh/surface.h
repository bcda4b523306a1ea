/* SPDX-License-Identifier: MIT */
/* The surface of one cloth: elements, nodes, edges, drawn triangles, rest shape, and the map T.
 *
 * An element is a quad or a triangle. It is drawn as one or two triangles; a quad is cut along one diagonal, and
 * neighbouring root quads of a grid alternate (union jack). It is made once from the roots, and again from the leaves
 * of a forest (forest.h) whenever these have changed. Where a leaf is coarser than its neighbours, nodes hang in the
 * middle of its sides; its triangles are cut there, so that the drawn triangles always conform.
 *
 * For bending there is a second set of triangles. A node that hangs lies on a chord of the curved surface, and
 * triangles at it show curvature that is not there; so this set is the drawn one with each such node drawn into one end
 * of its edge. On the coarse side the pieces become the whole triangle again, on the fine side two triangles become
 * one:
 *
 *     R───S───T           R───S───T
 *     │ \ | / │           │ \   / │
 *     P───M───Q     →     P───────Q
 *     │      /│           │      /│
 *
 * Nodes are those of the roots, with their numbers, then the others in the order in which the leaves name them: the
 * numbers depend on the shape of the forest, not on how it came about.
 *
 * Invariants (surface_is_valid):
 *  1. every index is in range; the nodes of an element differ;
 *  2. an edge has one or two elements; two run through it in opposite directions;
 *  3. an edge with a hanging middle has one element, and two halves that have one element each, on the other side, or
 *     none if it is stitched to what is finer;
 *  4. every element side has its edge, and every drawn triangle side its neighbour, mutually;
 *  5. the drawn triangles of an element stand together, have its corners and the middles of its sides as nodes, and are
 *     as many as cover it;
 *  6. the triangles for bending have active nodes only, which differ, and mutual neighbours;
 *  7. each row of T has one entry or two; partners have as many. */
#ifndef WEFT_MESH_SURFACE_H
#define WEFT_MESH_SURFACE_H

#include "base/error.h"
#include "base/mem.h"
#include "math/vec.h"

typedef struct element {
    int32_t node[4];
    int32_t edge[4]; /* edge i runs from node i to node i+1 */
    int32_t fabric;
    int32_t panel;
    int32_t leaf;    /* of the forest; roots: its own number */
    int8_t n;        /* 3 or 4 */
    int8_t level;    /* root: 0 */
    int8_t diagonal; /* quads: 0 from node 0 to node 2, 1 from node 1 to node 3 */
    bool smooth;     /* a corner hangs, or one of an element of this level beside it: threads are broken here */
} element;

typedef struct edge {
    int32_t node[2];    /* node[0] → node[1] in the direction of element[0] */
    int32_t element[2]; /* element[1] is -1 at a border, and where levels meet */
} edge;

/* What an edge has where levels meet. */
typedef struct edge_split {
    int32_t middle;  /* the node that hangs in it; -1: none */
    int32_t half[2]; /* with a middle: the edges from node[0] to it and from it to node[1], on the finer side */
    int32_t whole;   /* the edge of which this one is a half; -1: none */
} edge_split;

typedef struct triangle {
    int32_t node[3];
    int32_t neighbour[3]; /* over the side opposite node i; -1 at a border */
    int32_t element;
} triangle;

/* One row of T: x_node is q_dof, or the mean of two. */
typedef struct node_row {
    int32_t dof[2]; /* dof[1] is -1 where there is only one */
} node_row;

/* Of each entry. */
static inline double row_weight(const node_row *r)
{
    return r->dof[1] < 0 ? 1.0 : 0.5;
}

typedef struct surface {
    mem *mem;
    int32_t n_nodes, n_dofs, n_elements, n_edges, n_triangles;
    vec2 *uv;   /* NULL: rest is the 3D shape below */
    vec3 *rest; /* NULL: rest is flat, in uv */
    element *elements;
    edge *edges;
    edge_split *splits; /* of each edge; NULL: the surface of the roots, where no node hangs */
    triangle *triangles;
    triangle *bent; /* the same surface between active nodes alone (below); `triangles` itself where none hangs */
    int32_t n_bent;
    node_row *rows;
    int32_t *origin; /* node of the forest that each node is; NULL: the surface of the roots, where they are the same */
    int32_t *partner; /* next of the nodes that closed stitches make one with each, a ring; NULL: the forest has none */
    int32_t capacity_edges, capacity_triangles;
    uint32_t revision;
} surface;

static inline edge_split surface_split(const surface *s, int32_t ei)
{
    return s->splits ? s->splits[ei] : (edge_split){-1, {-1, -1}, -1};
}

static inline bool surface_is_border(const surface *s, int32_t ei)
{
    edge_split p = surface_split(s, ei);
    return s->edges[ei].element[1] < 0 && p.whole < 0 && p.half[0] < 0;
}

/* Elements are the triangles, then the quads. All arrays are copied; indices and coordinates are checked here. */
typedef struct surface_input {
    int32_t n_nodes, n_triangles, n_quads;
    const int32_t *triangles, *quads;
    const vec2 *uv;                /* or NULL */
    const vec3 *rest;              /* or NULL; one of the two is given */
    const int32_t *fabric, *panel; /* per element, or NULL */
    int32_t grid_columns;          /* quads in a row of a grid, whose diagonals then alternate; 0: not a grid */
} surface_input;

weft_result surface_create(mem *m, const surface_input *in, surface **out, weft_error *e);
void surface_destroy(surface *s);

bool surface_is_valid(const surface *s);

/* Nodes of the k-th drawn triangle of an element, k < n − 2. */
void surface_cut(const element *el, int k, int32_t out[3]);

/* Rest coordinates of a drawn triangle's nodes in its own plane, u along warp. Orientation is that of the triangle. */
void surface_triangle_rest(const surface *s, int32_t ti, vec2 out[3]);

/* The same of a triangle for bending, with the apexes of its neighbours unfolded into its plane: out[3 + i] over the
 * side opposite node i; nodes likewise (-1 where there is none). The bits of the result tell which neighbours exist. */
int32_t surface_triangle_patch(const surface *s, int32_t ti, vec2 out[6], int32_t nodes[6]);

/* Area of a drawn triangle at rest, m². */
double surface_area(const surface *s, int32_t ti);

/* Rest length of an edge or any other segment between two nodes of one element. */
double surface_rest_length(const surface *s, int32_t vi, int32_t vj);

/* Whether no edge between drawn triangles is bent at rest, but for the noise of coordinates. */
bool surface_is_flat(const surface *s);

#endif
