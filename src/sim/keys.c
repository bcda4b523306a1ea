/* SPDX-License-Identifier: MIT */
/* Poses between keys: places by straight lines, turns by the shortest way. */
#include "sim/keys.h"

#include <string.h>

weft_result keys_check(const weft_key *in, int32_t n, weft_error *e)
{
    for (int32_t i = 0; i < n; i++) {
        const weft_key *k = &in[i];
        weft_quat r = k->rotation;
        double len = r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w;
        if (!isfinite(k->time) || !v3_is_finite(k->position) || !isfinite(len))
            return error_set(e, WEFT_ERROR_NOT_FINITE, i, "key %d has a time, position or rotation that is not finite",
                             i);
        if (!(len > 1e-100))
            return error_set(e, WEFT_ERROR_RANGE, i, "key %d has a rotation of length zero", i);
        if (i > 0 && !(k->time > in[i - 1].time))
            return error_set(e, WEFT_ERROR_RANGE, i, "key %d is at %g s, not after key %d at %g s", i, k->time, i - 1,
                             in[i - 1].time);
    }
    return WEFT_OK;
}

bool keys_copy(keys *k, mem *m, const weft_key *in, int32_t n)
{
    k->n = n;
    if (!MEM_MAKE(m, k->items, n))
        return false;
    if (n > 0)
        memcpy(k->items, in, (size_t)n * sizeof *in);
    return true;
}

void keys_destroy(keys *k, mem *m)
{
    MEM_FREE(m, k->items, k->n);
    k->n = 0;
}

/* (1 − t) a + t b along the shorter way; the length is mended by mat3_from_quat. */
static weft_quat mix_keys(weft_quat a, weft_quat b, double t)
{
    double la = sqrt(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w),
           lb = sqrt(b.x * b.x + b.y * b.y + b.z * b.z + b.w * b.w);
    double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1.0 : 1.0;
    double s = (1 - t) / la, u = sign * t / lb;
    weft_quat q = {s * a.x + u * b.x, s * a.y + u * b.y, s * a.z + u * b.z, s * a.w + u * b.w};
    bool opposite = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w < 1e-20;
    return opposite ? a : q;
}

pose keys_at(const keys *k, double time)
{
    int32_t i = 0;
    while (i < k->n && k->items[i].time <= time)
        i++;
    if (i == 0 || i == k->n) {
        const weft_key *only = &k->items[i == 0 ? 0 : k->n - 1];
        return (pose){mat3_from_quat(only->rotation), only->position};
    }
    const weft_key *a = &k->items[i - 1], *b = &k->items[i];
    double t = (time - a->time) / (b->time - a->time);
    vec3 p = v3_madd(a->position, t, v3_sub(b->position, a->position));
    return (pose){mat3_from_quat(mix_keys(a->rotation, b->rotation, t)), p};
}

weft_result weft_keys_at(const weft_key *in, int32_t n, double time, weft_vec3 *position, double rotation[9],
                         weft_error *e)
{
    if (!in || n < 1 || !isfinite(time))
        return error_set(e, WEFT_ERROR_ARGUMENT, -1, "weft_keys_at needs keys and a time");
    weft_result r = keys_check(in, n, e);
    if (r != WEFT_OK)
        return r;
    keys k = {(weft_key *)in, n};
    pose p = keys_at(&k, time);
    if (position)
        *position = p.p;
    for (int i = 0; rotation && i < 9; i++)
        rotation[i] = p.r.m[i];
    return WEFT_OK;
}
