/* SPDX-License-Identifier: MIT */
/* The surface of one cloth: root elements, nodes, edges, drawn triangles, rest shape, and the map T.
 *
 * An element is a quad or a triangle. It is drawn as one or two triangles; a quad is cut along one diagonal, and
 * neighbouring root quads of a grid alternate (union jack). Only roots exist so far; level and parent are there because
 * elements will split into four.
 *
 * Invariants (surface_is_valid):
 *  1. every index is in range; the nodes of an element differ;
 *  2. an edge has one or two elements; two run through it in opposite directions;
 *  3. every element side has its edge, and every drawn triangle side its neighbour, mutually;
 *  4. the drawn triangles of an element cover it, in its orientation;
 *  5. each row of T has one entry of weight 1 or two of weight ½. */
#ifndef WEFT_SURFACE_SURFACE_H
#define WEFT_SURFACE_SURFACE_H

#include "base/error.h"
#include "base/mem.h"
#include "math/vec.h"

typedef struct element {
    int32_t node[4];
    int32_t edge[4]; /* edge i runs from node i to node i+1 */
    int32_t n;       /* 3 or 4 */
    int32_t fabric;
    int32_t panel;
    int32_t level;    /* root: 0 */
    int32_t parent;   /* root: -1 */
    int32_t diagonal; /* quads: 0 from node 0 to node 2, 1 from node 1 to node 3 */
} element;

typedef struct edge {
    int32_t node[2];    /* node[0] → node[1] in the direction of element[0] */
    int32_t element[2]; /* element[1] is -1 at a border */
} edge;

typedef struct triangle {
    int32_t node[3];
    int32_t neighbour[3]; /* over the side opposite node i; -1 at a border */
    int32_t element;
} triangle;

/* One row of T: x_node = Σ weight · q_dof. */
typedef struct node_row {
    int32_t dof[2]; /* dof[1] is -1 where there is only one */
    double weight[2];
} node_row;

typedef struct surface {
    mem *mem;
    int32_t n_nodes, n_dofs, n_elements, n_edges, n_triangles;
    vec2 *uv;   /* NULL: rest is the 3D shape below */
    vec3 *rest; /* NULL: rest is flat, in uv */
    element *elements;
    edge *edges;
    triangle *triangles;
    node_row *rows;
    double *area; /* of each drawn triangle at rest, m² */
    int32_t capacity_edges, capacity_triangles;
    uint32_t revision;
} surface;

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

/* The same with the apexes of its neighbours unfolded into its plane: out[3 + i] over the side opposite node i; nodes
 * likewise (-1 where there is none). The bits of the result tell which neighbours exist. */
int32_t surface_triangle_patch(const surface *s, int32_t ti, vec2 out[6], int32_t nodes[6]);

/* Rest length of an edge or any other segment between two nodes of one element. */
double surface_rest_length(const surface *s, int32_t vi, int32_t vj);

/* Whether no edge between drawn triangles is bent at rest, but for the noise of coordinates. */
bool surface_is_flat(const surface *s);

#endif
