/* SPDX-License-Identifier: MIT */
/* Clamps: attachments that hold a line of border nodes in place, as pins do, and the direction in which the cloth
 * leaves it (force/clamp.h). The direction is a normal at each node: that of the faces there when the clamp takes hold,
 * turned by its keys since then. Nodes that come between two others have the mean of theirs. */
#ifndef WEFT_SIM_CLAMP_H
#define WEFT_SIM_CLAMP_H

#include "sim/model.h"
#include "sim/substep.h"

/* Whether the nodes are lines along the cloth's free borders, whose faces have directions. */
weft_result clamp_check(const weft_sim *s, weft_cloth_id id, const int32_t *nodes, int32_t n, weft_error *e);
/* Whether some clamp holds this node: then it must not be sewn. */
bool clamp_holds_node(const definitions *d, weft_cloth_id id, int32_t node);

/* The normals of a clamp's nodes, of the cloth at q (all nodes), as they were at the first key. */
void clamp_catch(const definitions *d, attachment *a, const vec3 *q, double time);

/* With the model's forces and held_between made: elements for all clamps. False without memory. */
bool clamps_make(model *m);
/* The normals that an attachment's elements have from its nodes. False without memory. */
bool clamps_take_normals(model *m, int32_t owner);
/* Where q1 of held nodes is known: the frames at the substep's end, and what damping needs of those before, with the
 * weights and the rate of assembly_prepare. */
void clamps_turn(model *m, double end);
void clamps_prepare(model *m, const state *st, bool two, double rate);

#endif
