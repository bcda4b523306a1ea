/* SPDX-License-Identifier: MIT */
/* Poses between keys: places by straight lines, turns by the shortest way at constant speed. */
#include "sim/keys.h"

#include <string.h>

#include "math/trig.h"

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

static double quat_length(weft_quat q)
{
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

/* s a + u b */
static weft_quat quat_sum(double s, weft_quat a, double u, weft_quat b)
{
    return (weft_quat){s * a.x + u * b.x, s * a.y + u * b.y, s * a.z + u * b.z, s * a.w + u * b.w};
}

/* Shoemake's slerp (Animating Rotation with Quaternion Curves, 1985, §3.3) along the shorter of the two ways: the arc
 * from a to b on the unit sphere, at constant speed. Its angle is half that of the turn, at most π/2. By the lengths of
 * b − a and b + a it is exact for small ones too, where the arc cosine of a · b is not; at 0 there is nothing to turn,
 * and nothing to divide by. Half a turn has two shortest ways: one of them is taken. */
static weft_quat turn_between(weft_quat a, weft_quat b, double t)
{
    a = quat_sum(1 / quat_length(a), a, 0, a);
    double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1.0 : 1.0;
    b = quat_sum(sign / quat_length(b), b, 0, b);
    double angle = 2 * weft_atan2(quat_length(quat_sum(1, b, -1, a)), quat_length(quat_sum(1, b, 1, a)));
    if (angle == 0)
        return a;
    double whole = weft_sin(angle);
    return quat_sum(weft_sin((1 - t) * angle) / whole, a, weft_sin(t * angle) / whole, b);
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
    return (pose){mat3_from_quat(turn_between(a->rotation, b->rotation, t)), p};
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
