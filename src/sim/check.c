/* SPDX-License-Identifier: MIT */
/* Checks of arguments: numbers and vectors in their range, sizes of structs; the text names what is wrong. */
#include "sim/check.h"

weft_result check_number(const char *field, double x, double lo, double hi, weft_error *e)
{
    if (!isfinite(x))
        return error_set(e, WEFT_ERROR_NOT_FINITE, -1, "%s is not finite", field);
    if (x < lo || x > hi)
        return error_set(e, WEFT_ERROR_RANGE, -1, "%s is %g, it must be in [%g, %g]", field, x, lo, hi);
    return WEFT_OK;
}

weft_result check_integer(const char *field, int64_t x, int64_t lo, int64_t hi, weft_error *e)
{
    if (x < lo || x > hi)
        return error_set(e, WEFT_ERROR_RANGE, -1, "%s is %lld, it must be in [%lld, %lld]", field, (long long)x,
                         (long long)lo, (long long)hi);
    return WEFT_OK;
}

weft_result check_vector(const char *field, vec3 v, double most, weft_error *e)
{
    if (!v3_is_finite(v))
        return error_set(e, WEFT_ERROR_NOT_FINITE, -1, "%s is not finite", field);
    if (v3_len(v) > most)
        return error_set(e, WEFT_ERROR_RANGE, -1, "%s has the length %g, at most %g can be", field, v3_len(v), most);
    return WEFT_OK;
}

weft_result check_direction(const char *field, vec3 v, weft_error *e)
{
    weft_result r = check_vector(field, v, 1e100, e);
    if (r == WEFT_OK && !(v3_len(v) > 1e-100))
        return error_set(e, WEFT_ERROR_RANGE, -1, "%s has no direction", field);
    return r;
}

weft_result check_struct_size(const char *name, size_t found, size_t wanted, weft_error *e)
{
    if (found != wanted)
        return error_set(e, WEFT_ERROR_STRUCT_SIZE, -1,
                         "struct_size of %s is %llu, this library's is %llu: start from its default function", name,
                         (unsigned long long)found, (unsigned long long)wanted);
    return WEFT_OK;
}

weft_result check_vectors(const char *name, const vec3 *a, int32_t n, double most, weft_error *e)
{
    for (int32_t i = 0; a && i < n; i++) {
        if (!v3_is_finite(a[i]))
            return error_set(e, WEFT_ERROR_NOT_FINITE, i, "%s of node %d is not finite", name, i);
        if (v3_max_abs(a[i]) > most)
            return error_set(e, WEFT_ERROR_RANGE, i, "%s of node %d is (%g, %g, %g), beyond ±%g", name, i, a[i].x,
                             a[i].y, a[i].z, most);
    }
    return WEFT_OK;
}
