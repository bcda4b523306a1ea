/* SPDX-License-Identifier: MIT */
/* Frames the scene exactly: with t the tangent of half the angle of view, the point (x, z), x to the side and z ahead,
 * is seen from the eye (e, −d) if |x − e| ≤ (z + d) t. Over all points that asks for
 *
 *     max(x − z t) − d t  ≤  e  ≤  min(x + z t) + d t,
 *
 * which can be met from d = (max(x − z t) − min(x + z t)) / 2t on. The greater of the distances so found for width and
 * height serves both, and e is the middle of its range. */
#include "picture/camera.h"

typedef struct fit {
    float most;  /* max(x − z t) */
    float least; /* min(x + z t) */
} fit;

static fit fit_along(const stage *s, float3 side, float3 ahead, float t)
{
    fit f = {-INFINITY, INFINITY};
    for (int32_t i = 0; i < s->n_outline; i++) {
        float x = f3_dot(s->outline[i], side), z = f3_dot(s->outline[i], ahead);
        f.most = fmaxf(f.most, x - z * t);
        f.least = fminf(f.least, x + z * t);
    }
    return f;
}

static void turn(camera *c, float3 ahead)
{
    c->ahead = f3_unit_or(ahead, f3(0, 0, -1));
    c->right = f3_unit_or(f3_cross(c->ahead, f3(0, 1, 0)), f3(1, 0, 0));
    c->up = f3_cross(c->right, c->ahead);
}

static void frame(camera *c, const stage *s, float margin)
{
    float tw = c->width_tan * (1 - 2 * margin), th = c->height_tan * (1 - 2 * margin);
    fit w = fit_along(s, c->right, c->ahead, tw), h = fit_along(s, c->up, c->ahead, th);
    float distance = 3 * s->radius;
    float3 middle = f3(0, 0, 0);
    if (s->n_outline > 0) {
        distance = fmaxf((w.most - w.least) / (2 * tw), (h.most - h.least) / (2 * th));
        middle = f3_mad(f3_scale(c->right, 0.5f * (w.most + w.least)), 0.5f * (h.most + h.least), c->up);
    }
    c->eye = f3_mad(middle, -distance, c->ahead);
}

camera camera_make(const picture_camera *def, const stage *s, float aspect)
{
    camera c;
    c.height_tan = (float)tan(def->height_angle * 0.5 * 3.14159265358979324 / 180);
    c.width_tan = c.height_tan * aspect;
    if (def->given) {
        weft_vec3 e = def->eye, a = def->target;
        turn(&c, f3_from_double((weft_vec3){a.x - e.x, a.y - e.y, a.z - e.z}));
        c.eye = f3_from_double((weft_vec3){e.x - s->centre.x, e.y - s->centre.y, e.z - s->centre.z});
    } else {
        turn(&c, f3_scale(f3_from_double(def->direction), -1));
        frame(&c, s, (float)def->margin);
    }
    return c;
}
