/* SPDX-License-Identifier: MIT */
/* Checks of definitions: each returns a result that names the field. */
#ifndef WEFT_SIM_CHECK_H
#define WEFT_SIM_CHECK_H

#include "base/error.h"
#include "math/vec.h"

/* Finite and within [lo, hi]. */
weft_result check_number(const char *field, double x, double lo, double hi, weft_error *e);
weft_result check_integer(const char *field, int64_t x, int64_t lo, int64_t hi, weft_error *e);
/* Finite and no longer than `most`. */
weft_result check_vector(const char *field, vec3 v, double most, weft_error *e);
/* One a node (a may be NULL): finite, no coordinate beyond ±most. */
weft_result check_vectors(const char *name, const vec3 *a, int32_t n, double most, weft_error *e);
/* A direction: finite and not zero. */
weft_result check_direction(const char *field, vec3 v, weft_error *e);
weft_result check_struct_size(const char *name, size_t found, size_t wanted, weft_error *e);

#endif
