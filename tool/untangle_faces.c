/* SPDX-License-Identifier: MIT */
/* Faces that are in a mesh twice lie in each other wherever their corners go; faces without area go where their corners
 * go, and are no cloth themselves. */
#include "untangle.h"

#include <math.h>
#include <stdlib.h>

typedef struct face_key {
    weft_vec3 corner[3]; /* in order of x, y, z */
} face_key;

static int order_places(const void *a, const void *b)
{
    const weft_vec3 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

static int order_faces(const void *a, const void *b)
{
    const face_key *p = a, *q = b;
    for (int k = 0; k < 2; k++) {
        int order = order_places(&p->corner[k], &q->corner[k]);
        if (order != 0)
            return order;
    }
    return order_places(&p->corner[2], &q->corner[2]);
}

int32_t untangle_count_doubles(const subject *s)
{
    int32_t n = 0, n_keys = 0;
    face_key *keys = malloc(((size_t)s->n_triangles + 1) * sizeof *keys);
    if (!keys)
        return -1;
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        face_key *key = &keys[n_keys];
        for (int k = 0; k < 3; k++)
            key->corner[k] = s->x[s->triangles[3 * (size_t)ti + (size_t)k]];
        qsort(key->corner, 3, sizeof *key->corner, order_places);
        n_keys +=
            order_places(&key->corner[0], &key->corner[1]) != 0 && order_places(&key->corner[1], &key->corner[2]) != 0;
    }
    qsort(keys, (size_t)n_keys, sizeof *keys, order_faces);
    for (int32_t i = 1; i < n_keys; i++)
        n += order_faces(&keys[i - 1], &keys[i]) == 0;
    free(keys);
    return n;
}

int32_t untangle_count_flat(const subject *s)
{
    int32_t n = 0;
    for (int32_t ti = 0; ti < s->n_triangles; ti++) {
        weft_vec3 x[3];
        double longest = 0;
        for (int k = 0; k < 3; k++)
            x[k] = s->x[s->triangles[3 * (size_t)ti + (size_t)k]];
        for (int k = 0; k < 3; k++) {
            weft_vec3 a = x[k], b = x[(k + 1) % 3];
            longest = fmax(longest, (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) + (b.z - a.z) * (b.z - a.z));
        }
        weft_vec3 u = {x[1].x - x[0].x, x[1].y - x[0].y, x[1].z - x[0].z};
        weft_vec3 v = {x[2].x - x[0].x, x[2].y - x[0].y, x[2].z - x[0].z};
        double p = u.y * v.z - u.z * v.y, q = u.z * v.x - u.x * v.z, r = u.x * v.y - u.y * v.x;
        n += !(sqrt(p * p + q * q + r * r) > 2e-6 * longest);
    }
    return n;
}
