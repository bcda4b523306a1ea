/* SPDX-License-Identifier: MIT */
/* The winding number of a surface about a point: the solid angle that it fills, over that of the sphere. Of a closed
 * surface it is a whole number, and 0 outside; of an open one it is hardly ever whole. */
#include "enclosed.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static weft_vec3 minus(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double inner(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double volume(weft_vec3 a, weft_vec3 b, weft_vec3 c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

/* Of a triangle seen from the origin (Van Oosterom and Strackee 1983). */
static double solid_angle(weft_vec3 a, weft_vec3 b, weft_vec3 c)
{
    double la = sqrt(inner(a, a)), lb = sqrt(inner(b, b)), lc = sqrt(inner(c, c));
    double below = la * lb * lc + inner(a, b) * lc + inner(b, c) * la + inner(c, a) * lb;
    return 2 * atan2(volume(a, b, c), below);
}

static double winding(const subject *s, int32_t solid, weft_vec3 p)
{
    const subject_object *o = &s->objects[solid];
    double sum = 0;
    for (int32_t i = o->first_triangle; i < o->first_triangle + o->n_triangles; i++) {
        const int32_t *t = &s->triangles[3 * (size_t)i];
        sum += solid_angle(minus(s->x[t[0]], p), minus(s->x[t[1]], p), minus(s->x[t[2]], p));
    }
    return sum / (4 * pi);
}

bool enclosed_is(const subject *s, int32_t cloth, int32_t solid)
{
    const subject_object *o = &s->objects[cloth];
    bool inside = o->n_nodes > 0 && s->objects[solid].n_triangles > 0;
    for (int k = 0; inside && k < 3; k++) {
        double w = winding(s, solid, s->x[o->first_node + k * (int64_t)(o->n_nodes - 1) / 2]);
        inside = fabs(w) > 0.5 && fabs(w - round(w)) < 1e-6;
    }
    return inside;
}

weft_result enclosed_warn(weft_cache *cache, const weft_scene *scene, warnings *out, weft_error *error)
{
    run_subject s;
    double time = 0;
    weft_result r = run_subject_open(cache, scene, &s, error);
    r = r < 0 ? r : run_subject_pose(&s, weft_cache_get_info(cache).n_frames - 1, &time, error);
    for (int32_t i = 0; r >= 0 && i < s.subject.n_objects; i++)
        for (int32_t k = 0; k < s.subject.n_objects; k++)
            if (!s.subject.is_collider[i] && s.subject.is_collider[k] && enclosed_is(&s.subject, i, k))
                warnings_add_enclosed(out, s.subject.objects[i].name, s.subject.objects[k].name, time);
    run_subject_close(&s);
    return r;
}
