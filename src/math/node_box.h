/* SPDX-License-Identifier: MIT */
/* Boxes of many places at once. A kernel (math/kernel.h). */
#ifndef WEFT_MATH_NODE_BOX_H
#define WEFT_MATH_NODE_BOX_H

#include "math/box.h"

#include <stdint.h>

/* Boxes of n places x0, or with x1 of the straight ways there, enlarged and rounded outward. False: a coordinate is no
 * number or beyond BOX_MOST, and that box is any. */
typedef bool node_boxes_fn(const vec3 *x0, const vec3 *x1, int32_t n, double inflate, box *out);
node_boxes_fn node_boxes, node_boxes_plain, node_boxes_avx2;

#endif
