/* SPDX-License-Identifier: MIT */
/* Cones of normals (provot1997 §2.2), for comparison: an axis and a half-angle around it that holds all normals
 * below.
 *
 * Two cones are joined by α = β/2 + max(α1, α2), β the angle between the axes, about the mean of the axes. This is a
 * rule for half-angles, so a zone counts as flat below π/2, not below π as printed. Through a motion the cone of a
 * triangle holds its three Bernstein normals. */
#include "math/trig.h"
#include "bvh/bvh_inside.h"

typedef struct cone {
    vec3 axis;
    double angle;
} cone;

/* Nothing is flat that holds this. */
static const cone everything = {{0, 0, 1}, WEFT_PI};

static cone cone_of(vec3 normal)
{
    double length = v3_len(normal);
    return length > 0 ? (cone){v3_scale(1 / length, normal), 0} : everything;
}

static cone join_cones(const cone *p, const cone *q)
{
    vec3 sum = v3_add(p->axis, q->axis);
    double length = v3_len(sum), more = max_of(p->angle, q->angle);
    if (length < 1e-6 || more >= WEFT_PI)
        return everything;
    double angle = weft_atan2(v3_len(v3_cross(p->axis, q->axis)), v3_dot(p->axis, q->axis));
    return (cone){v3_scale(1 / length, sum), angle / 2 + more};
}

static cone cone_of_triangle(const bvh *t, int32_t ti)
{
    const int32_t *v = t->node + 3 * ti;
    vec3 e1 = v3_sub(t->x0[v[1]], t->x0[v[0]]), e2 = v3_sub(t->x0[v[2]], t->x0[v[0]]);
    cone c = cone_of(v3_cross(e1, e2));
    if (!t->x1)
        return c;
    vec3 f1 = v3_sub(t->x1[v[1]], t->x1[v[0]]), f2 = v3_sub(t->x1[v[2]], t->x1[v[0]]);
    cone middle = cone_of(v3_add(v3_cross(e1, f2), v3_cross(f1, e2))), end = cone_of(v3_cross(f1, f2));
    c = join_cones(&c, &end);
    return join_cones(&c, &middle);
}

typedef struct fit {
    bvh *t;
    int32_t first, end;
} fit;

static void fit_zone_cones(void *context, int32_t i)
{
    const fit *f = context;
    bvh *t = f->t;
    int32_t first = f->first + i * BVH_CONE_ZONES,
            end = first + BVH_CONE_ZONES < f->end ? first + BVH_CONE_ZONES : f->end;
    for (int32_t zi = first; zi < end; zi++) {
        const zone *z = &t->zones[zi];
        bool leaf = z->n_children == 0;
        cone all = leaf ? cone_of_triangle(t, z->first) : t->cones[z->first_child];
        for (int32_t c = 1; c < (leaf ? z->n : z->n_children); c++) {
            cone next = leaf ? cone_of_triangle(t, z->first + c) : t->cones[z->first_child + c];
            all = join_cones(&all, &next);
        }
        t->cones[zi] = all;
    }
}

bool cones_fit(bvh *t, pool *p)
{
    if (t->has_cones)
        return true;
    if (!t->cones && !MEM_MAKE(t->mem, t->cones, t->n_zones))
        return false;
    fit f = {.t = t};
    for (int32_t depth = t->depth - 1; depth >= 0; depth--) {
        f.first = t->depth_start[depth];
        f.end = t->depth_start[depth + 1];
        pool_for(p, (f.end - f.first + BVH_CONE_ZONES - 1) / BVH_CONE_ZONES, fit_zone_cones, &f);
    }
    t->has_cones = true;
    return true;
}

void cones_destroy(bvh *t)
{
    MEM_FREE(t->mem, t->cones, t->n_zones);
}

bool cone_is_valid(const bvh *t, int32_t zi)
{
    return t->cones[zi].angle < WEFT_PI / 2;
}

bool cone_is_valid_for_both(const bvh *t, int32_t zi, int32_t zj)
{
    return join_cones(&t->cones[zi], &t->cones[zj]).angle < WEFT_PI / 2;
}
