/* SPDX-License-Identifier: MIT */
/* Attachments hold nodes; ties pull nodes together. */
#ifndef WEFT_ATTACHMENT_H
#define WEFT_ATTACHMENT_H

#include <weft/collider.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_attachment_kind {
    WEFT_ATTACH_PIN = 0,      /* held in place, or moved by keys */
    WEFT_ATTACH_ROD = 1,      /* slides along a rod, with friction (Villard 2002 §6.1) */
    WEFT_ATTACH_COLLIDER = 2, /* moves with a collider */
    WEFT_ATTACH_SOFT = 3,     /* pulled by a spring towards where a pin would hold it */
    WEFT_ATTACH_CLAMP = 4 /* a line of border nodes held as by a pin, and the direction in which the cloth leaves it */
} weft_attachment_kind;

typedef struct weft_attachment_def {
    size_t struct_size;
    weft_attachment_kind kind;
    weft_cloth_id cloth;
    const int32_t *nodes; /* read during the call only */
    int32_t n_nodes;
    /* PIN, CLAMP and SOFT: where the nodes are held, m; NULL: where they are now. */
    const weft_vec3 *targets;
    /* PIN, CLAMP and SOFT: moves the targets: x ↦ position + rotation · (x − position of the first key), relative to
     * the first key's rotation; between keys as weft_key says. NULL: held still. */
    const weft_key *keys;
    int32_t n_keys;
    double stiffness;          /* SOFT: N/m; [1e-6, 1e7]; 100 */
    const double *weights;     /* SOFT: times stiffness, per node; each [0, 1e3]; NULL: 1 */
    weft_vec3 rod_point;       /* ROD: a point of it, m. Nodes are put on it at the first step */
    weft_vec3 rod_direction;   /* ROD: (1, 0, 0) */
    double rod_friction;       /* ROD: k_f; [0, 10]; 0.2 */
    weft_collider_id collider; /* COLLIDER */
    /* It holds in steps that begin at `from` or later and before `until`, s; finite, but for infinity as `until`;
     * (0, infinity). Without targets, what is held from later on is held where it is then. */
    double from, until;
} weft_attachment_def;

WEFT_API weft_attachment_def weft_attachment_def_default(void);
/* A CLAMP holds nodes along the cloth's free border, each with a neighbour along the border that is held, too: the
 * cloth bends from that line on as if it went on straight behind it. The direction is that of the faces there when the
 * clamp takes hold, and turns with its keys; new targets leave it. Nodes within the cloth, single ones and sewn ones
 * are refused by number, and clamped nodes are not sewn.
 *
 * A node may be in one PIN, CLAMP, ROD or COLLIDER attachment at a time. Nodes that a cloth gets between two neighbours
 * of one such attachment are held with them, those of a rod slide along it. A node that hangs
 * (weft_cloth_info.n_active) follows others and can only be in a SOFT one. */
WEFT_API weft_result weft_attachment_create(weft_sim *sim, const weft_attachment_def *def, weft_attachment_id *out,
                                            weft_error *error);
WEFT_API weft_result weft_attachment_remove(weft_sim *sim, weft_attachment_id id, weft_error *error);
/* Nodes that it holds from now on, too, after those that it has: where they are now, or (PIN and SOFT) at targets if
 * these are not NULL. Not of a CLAMP. */
WEFT_API weft_result weft_attachment_add_nodes(weft_sim *sim, weft_attachment_id id, const int32_t *nodes,
                                               const weft_vec3 *targets, int32_t n, weft_error *error);
/* Nodes that it no longer holds. The others keep their order; it may be left without any. Not of a CLAMP. */
WEFT_API weft_result weft_attachment_drop_nodes(weft_sim *sim, weft_attachment_id id, const int32_t *nodes, int32_t n,
                                                weft_error *error);
/* Its nodes now: numbers change where a cloth adapts. out NULL asks for the count. */
WEFT_API weft_result weft_attachment_get_nodes(const weft_sim *sim, weft_attachment_id id, int32_t *out, int32_t *n,
                                               weft_error *error);
/* PIN, CLAMP and SOFT: new targets in the order of its nodes, reached at the end of the next step. Drops keys. */
WEFT_API weft_result weft_attachment_set_targets(weft_sim *sim, weft_attachment_id id, const weft_vec3 *targets,
                                                 int32_t n, weft_error *error);
/* What the cloth exerted on it during the last step: the sum, N; and each node's, if per_node is not NULL (n of
 * them). */
WEFT_API weft_result weft_attachment_get_force(const weft_sim *sim, weft_attachment_id id, weft_vec3 *force,
                                               weft_vec3 *per_node, int32_t n, weft_error *error);

/* Springs between pairs of nodes, of one cloth or of two: seams that pull shut, laces, buttons. */
typedef struct weft_tie_def {
    size_t struct_size;
    weft_cloth_id cloth_a, cloth_b;
    const int32_t *nodes_a; /* pair i is nodes_a[i] and nodes_b[i]; read during the call only */
    const int32_t *nodes_b;
    int32_t n_pairs;
    double stiffness; /* N/m; [1e-6, 1e7]; 100 */
    double length;    /* at rest, m; [0, 1e3]; 0 */
    double damping;   /* relaxation time, s; [0, 10]; 0.01 */
} weft_tie_def;

WEFT_API weft_tie_def weft_tie_def_default(void);
WEFT_API weft_result weft_tie_create(weft_sim *sim, const weft_tie_def *def, weft_tie_id *out, weft_error *error);
/* Other springs in place of those it has: the stiffness (N/m; [0, 1e7]) and the length (m; [0, 1e3]) of each pair. What
 * a tie does from step to step is so made by its owner, at no cost. That the length at its making was 0 goes on
 * counting: such pairs may touch. */
WEFT_API weft_result weft_tie_set_pull(weft_sim *sim, weft_tie_id id, const double *stiffness, const double *length,
                                       int32_t n, weft_error *error);
/* Sews for good: the nodes of each pair, and all that are joined by others, become one and go to their common centre of
 * mass, with its velocity. Pairs farther apart than `within` (m) are refused by number, and nothing is done. Nodes must
 * not hang. The way to the centre is not looked at: what is not near enough may come to lie in something. Of a cloth
 * that adapts, the two sides of a seam split and merge together from then on; when something has split already, its
 * ties can be neither welded nor, if they are welded, removed. */
WEFT_API weft_result weft_tie_weld(weft_sim *sim, weft_tie_id id, double within, weft_error *error);
WEFT_API weft_result weft_tie_remove(weft_sim *sim, weft_tie_id id, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
