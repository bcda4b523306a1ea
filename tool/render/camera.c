/* SPDX-License-Identifier: MIT */
#include "render/camera.h"

camera camera_make(const picture_camera *def, int32_t width, int32_t height)
{
    camera c = {.half_width = 0.5f * (float)width, .half_height = 0.5f * (float)height};
    weft_vec3 e = def->eye, a = def->target;
    c.height_tan = (float)tan(def->height_angle * 0.5 * 3.14159265358979324 / 180);
    c.width_tan = c.height_tan * c.half_width / c.half_height;
    c.eye = f3_from_double((weft_vec3){e.x - a.x, e.y - a.y, e.z - a.z});
    c.ahead = f3_unit_or(f3_scale(c.eye, -1), f3(0, 0, -1));
    c.right = f3_unit_or(f3_cross(c.ahead, f3(0, 1, 0)), f3(1, 0, 0));
    c.up = f3_cross(c.right, c.ahead);
    c.reach = fmaxf(f3_length(c.eye) * c.height_tan, 1e-6f);
    return c;
}
