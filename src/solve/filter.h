/* SPDX-License-Identifier: MIT */
/* What attachments leave free: each degree of freedom may move anywhere, along a line, or not at all. */
#ifndef WEFT_SOLVE_FILTER_H
#define WEFT_SOLVE_FILTER_H

#include "math/vec.h"

typedef enum freedom { FREEDOM_ALL = 0, FREEDOM_NONE = 1, FREEDOM_LINE = 2 } freedom;

typedef struct filter {
    freedom kind;
    const vec3 *axis; /* LINE: unit vector, the caller's */
} filter;

/* The part of v that is free. */
static inline vec3 filter_apply(const filter *f, vec3 v)
{
    switch (f->kind) {
    case FREEDOM_NONE: return v3_zero();
    case FREEDOM_LINE: return v3_scale(v3_dot(*f->axis, v), *f->axis);
    default: return v;
    }
}

#endif
