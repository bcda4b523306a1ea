/* SPDX-License-Identifier: MIT */
/* Between the files that make forces out of a surface. */
#ifndef WEFT_FORCE_BUILD_H
#define WEFT_FORCE_BUILD_H

#include "force/forces.h"

/* An a×b cell that stands for a quad: a along warp, b such that a b is its area. warp_first: sides 0 and 2 run along
 * warp. */
typedef struct cell {
    double a, b;
    bool warp_first;
} cell;

cell quad_cell(const surface *s, const element *el);
double quad_area(const surface *s, const element *el);
/* The spring law of a quad; false if springs cannot have it. */
bool quad_law(const surface *s, const cloth_material *m, int32_t ei, cell *c, spring_law *law);

/* Whether a face stretches by springs: where these cannot have the law, it is membrane. */
bool stretches_by_springs(const surface *s, const cloth_material *m, int32_t ei);

/* The fabric's stretch limit if the cloth keeps it by this method, else 0. */
double limit_of(const cloth_material *m, const weft_fabric *fb, weft_limit_method method);

/* bend_stiffness of triangle ti of s->bent, by its fabric. */
void build_bend_stiffness(const surface *s, const cloth_material *m, int32_t ti, const vec2 uv[6], int32_t present,
                          bend_par *out);

/* Each adds its elements; false without memory. */
bool build_springs(forces *f, const surface *s, const cloth_material *m, int32_t offset);
bool build_membrane(forces *f, const surface *s, const cloth_material *m, int32_t offset);
bool build_bending(forces *f, const surface *s, const cloth_material *m, int32_t offset);

/* Appends a zeroed item to one of the forces' arrays; NULL without memory. */
void *forces_push_item(forces *f, force_array *a, size_t size);

#endif
