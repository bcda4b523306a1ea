/* SPDX-License-Identifier: MIT */
/* The forest: quads and triangles that split into four, again and again (villard2002 §4).
 *
 *     v3 ── m2 ── v2         quads: child k lies at corner k, its sides run as the parent's; the centre node is the
 *     │  3  │  2  │          middle of the drawn diagonal, so child k has the diagonal k mod 2 and every child lies in
 *     m3 ── c ── m1          the parent's two planes;
 *     │  0  │  1  │          triangles: child k lies at corner k, child 3 in the middle.
 *     v0 ── m0 ── v1
 *
 * Edges form a forest of their own: an edge has a middle node and two halves as soon as an element beside it has split.
 * The middle of an edge one of whose elements is a leaf hangs: it is virtual and follows the edge's ends. All other
 * nodes are active.
 *
 * Borders may be stitched to each other, in pairs of edges. Partner edges split and merge together, so one of them may
 * have a middle that no element of its own side has as a corner: that middle hangs, and once the stitches are closed
 * its partner does, too. For the balance, the nodes of a ring of partners are one point.
 *
 * Every node but those of the roots is the middle of two older nodes, so that positions, material coordinates and rest
 * shapes are all made by halving: exactly, on the grid of positions, down to level 12.
 *
 * Invariants (forest_is_valid):
 *  1. indices are in range, parents and children agree, the children of an element are four in a row;
 *  2. an edge has at most two elements, of its own level, which run through it in opposite directions, and none only if
 *     its parent's partner alone needs it;
 *  3. an edge has a middle and halves if and only if an element beside it or beside its partner has split;
 *  4. leaves that share a point differ by one level at most, so the ends of an edge with a hanging middle are active;
 *  5. every node that a split made is a corner of a leaf or hangs, and the lists of corners hold just the leaves;
 *  6. partner edges are split alike, their halves and middles are partners, their ends are in one ring;
 *  7. every slot is in use or in a list of free slots.
 *
 * Cost: refining or merging touches the element, its sides and the leaves at its corners; nothing grows with the mesh.
 * Sources: villard2002 §4, §4.2; the balance over vertices and the replace callback follow the manner of p4est. */
#ifndef WEFT_MESH_FOREST_H
#define WEFT_MESH_FOREST_H

#include "mesh/surface.h"

#define FOREST_MAX_LEVEL 12

typedef struct forest_node {
    int32_t parent[2]; /* whose middle it is; -1: a root's node */
    int32_t edge;      /* the edge it is the middle of; -1: a quad's centre or a root's node. Free slot: the next one */
    int32_t corner;    /* first of the list of leaf corners at this node: 4 · element + k; -1: none */
    int32_t partner;   /* next node stitched to this one, a ring; itself if there is none; -1: a free slot */
} forest_node;

typedef struct forest_edge {
    int32_t node[2];     /* node[0] → node[1] in the direction of element[0], against element[1]; -1: a free slot */
    int32_t element[2];  /* of this edge's own level, leaf or not; -1: none (border, or the neighbour is coarser) */
    int32_t middle;      /* node; -1: not split */
    int32_t half;        /* first of two halves in a row: half from node[0], half + 1 to node[1]; -1: not split */
    int32_t parent;      /* -1: of a root, or inside an element. Free slot: the next one */
    int32_t partner;     /* stitched to this one; -1: none */
    bool partner_turned; /* the partner's node[0] lies at this one's node[1] */
} forest_edge;

typedef struct forest_element {
    int32_t node[4];
    int32_t edge[4];        /* side i runs from node i to node i + 1 */
    int32_t corner_next[4]; /* leaves: list of the corners at a node, 4 · element + k */
    int32_t corner_past[4];
    int32_t n;        /* 3 or 4; 0: a free slot */
    int32_t level;    /* root: 0 */
    int32_t parent;   /* root: -1. Free slot: the next one */
    int32_t child;    /* first of four in a row; -1: a leaf */
    int32_t root;     /* index of its root element */
    int32_t diagonal; /* quads: 0 from node 0 to node 2, 1 from node 1 to node 3 */
} forest_element;

/* Called after each split or merge: elements that went and that came (leaves both), nodes that came and that went. The
 * arrays are valid during the call only. The parents of a node that went can still be read, and neither they nor the
 * parents of a node that came are among the nodes listed. Nodes that were there before may begin or cease to hang: they
 * are middles of the sides of the element that is not a child. The forest must not be changed by the callee. */
typedef struct forest_change {
    int32_t n_out, n_in, n_nodes_out, n_nodes_in;
    const int32_t *out, *in, *nodes_out, *nodes_in;
} forest_change;
typedef void (*forest_replace_fn)(void *user, const forest_change *change);

typedef struct forest {
    mem *mem;
    forest_node *nodes;
    forest_edge *edges;
    forest_element *elements;
    int32_t n_nodes, n_edges, n_elements; /* slots in use, holes included */
    int32_t capacity_nodes, capacity_edges, capacity_elements;
    int32_t free_node, free_edges, free_elements; /* lists of free slots, edges in twos, elements in fours; -1: empty */
    int32_t n_free_edges, n_free_elements;        /* twos and fours in these lists */
    int32_t n_roots, n_root_nodes, n_root_edges;
    int32_t n_leaves, n_live_nodes;
    uint32_t revision;         /* counts splits and merges */
    forest_replace_fn replace; /* NULL: none */
    void *replace_user;
    bool closed;  /* stitches are shut: what hangs on one side hangs on both */
    int64_t work; /* corners looked at by all refining and merging so far: what their cost is proportional to */
} forest;

/* One root for each element of a surface of roots, in its order; its nodes and edges keep their numbers. */
bool forest_create(forest *f, mem *m, const surface *roots);
void forest_destroy(forest *f);
/* False: out of memory; *to is then empty. */
bool forest_copy(forest *to, const forest *from);
bool forest_is_valid(const forest *f);

/* Stitches edge a to edge b; turned: a's node[0] lies at b's node[1]. They split and merge alike. False, and nothing
 * done: they are not two borders without partners, or something has split already. */
bool forest_stitch(forest *f, int32_t a, int32_t b, bool turned);

/* The nodes of two roots are one point, with no edge that is stitched beside it. Only while nothing has split. */
void forest_join(forest *f, int32_t vi, int32_t vj);

static inline bool forest_is_leaf(const forest *f, int32_t ei)
{
    return f->elements[ei].child < 0;
}

/* Whether a node hangs: it is the middle of an edge that a leaf has as a side; with closed stitches, as below. */
bool forest_hangs(const forest *f, int32_t vi);
/* Whether it or a node stitched to it hangs: what counts once the stitches are closed. */
bool forest_hangs_closed(const forest *f, int32_t vi);

/* Splits a leaf, and before it every leaf that would be two levels coarser than a neighbour. An element that has split
 * already is fine. False: out of memory (splits done so far stand, the forest is valid) or, with no split at all, the
 * leaf is at FOREST_MAX_LEVEL. */
bool forest_refine(forest *f, int32_t ei);

/* Splits the biggest leaves at a node (villard's second technique); results as above. */
bool forest_refine_at(forest *f, int32_t vi);

/* Whether the four children of ei are leaves and may merge: no leaf would then be two levels finer than a neighbour. */
bool forest_can_merge(const forest *f, int32_t ei);
/* Merges the children of ei; only if forest_can_merge. Never needs memory. */
void forest_merge(forest *f, int32_t ei);

/* Leaves at a node: those with a corner there, and those on whose side it hangs; with partners, also at the nodes it is
 * stitched to. Calls visit for each once, in an order that depends on the forest's history. */
void forest_around(const forest *f, int32_t vi, void (*visit)(void *user, int32_t leaf), void *user);
/* The smallest level among them; FOREST_MAX_LEVEL + 1: there is none. */
int32_t forest_least_level(const forest *f, int32_t vi);

/* The drawn triangles of a leaf, hanging middles of its sides included: 1 to 6. Corners are counter-clockwise. */
#define FOREST_MOST_DRAWN 6
int32_t forest_draw(const forest *f, int32_t ei, int32_t out[FOREST_MOST_DRAWN][3]);

/* The next leaf after `leaf` (-1: the first) of the roots in order, children in order; -1 behind the last. This order
 * depends on the shape of the forest alone, not on how it came about. */
int32_t forest_next_leaf(const forest *f, int32_t leaf);

/* The shape as bits, in the order of the walk, parents first: 1 split, 0 leaf; the lowest bit of a byte is its first.
 * out NULL asks for the number of bytes. */
int64_t forest_encode(const forest *f, uint8_t *out);
/* Splits a forest of roots into this shape; false: the bits do not fit or are not balanced, something has split
 * already, or out of memory; the forest is then valid, in some shape. */
bool forest_decode(forest *f, const uint8_t *bits, int64_t n_bytes);

#endif
