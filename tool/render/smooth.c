/* SPDX-License-Identifier: MIT */
/* Chance is in two things only: where the rays into the sky go, and to which point of the sun. So these two, the sky's
 * light and the share of the sun, are averaged over the pixels around that see the same surface, and the difference is
 * added to the pixel's light; colours, outlines, lines and the angle to the sun stay as sharp as they are. Pixels with
 * an edge in them keep what they have.
 *
 * The sky's light, the noisier of the two, is averaged once more over every third pixel of a wider square; there only
 * with such as differ little, lest the dark where cloth touches the ground be washed out. */
#include "render/smooth.h"

enum { REACH = 3, STRIDE = 3, STRIDES = 3 }; /* pixels: 7 × 7 of 16 samples are 784 */

bool smooth_is_edge(const seen *c)
{
    return c->n_surface < 1 || f3_dot(c->normal, c->normal) < 0.95f;
}

static float sun_share(const seen *c)
{
    return c->sun_due > 1e-6f ? c->sun_got / c->sun_due : 0;
}

/* How much another pixel counts: 1 for one that sees the same flat face, less by bend and step. */
static float likeness(const smooth_field *f, const seen *a, const seen *b)
{
    if (smooth_is_edge(b))
        return 0;
    float bend = f3_dot(a->normal, b->normal);
    float step = f3_dot(f3_sub(b->position, a->position), a->normal) / f->footprint;
    return most_of(0, 1 - 8 * (1 - bend)) * most_of(0, 1 - 0.15f * step * step);
}

static bool is_inside(const smooth_field *f, int32_t x, int32_t y)
{
    return x >= 0 && x < f->width && y >= 0 && y < f->height;
}

/* Sums over the pixels around. */
typedef struct around {
    float weight;
    float3 sky;
    float sun_due, sun_got;
} around;

static void add_pixel(around *sum, const seen *a, const seen *b, float weight)
{
    float apart = sun_share(a) - sun_share(b), alike = most_of(0, 1 - 6 * apart * apart);
    sum->weight += weight;
    sum->sky = f3_mad(sum->sky, weight, b->sky);
    sum->sun_due += weight * alike * b->sun_due;
    sum->sun_got += weight * alike * b->sun_got;
}

void smooth_near(const smooth_field *f, int32_t px, int32_t py)
{
    size_t i = (size_t)py * (size_t)f->width + (size_t)px;
    seen *here = &f->cells[i];
    f->sky[i] = here->sky;
    if (smooth_is_edge(here))
        return;
    around sum = {.weight = 0};
    for (int dy = -REACH; dy <= REACH; dy++) {
        for (int dx = -REACH; dx <= REACH; dx++) {
            if (!is_inside(f, px + dx, py + dy))
                continue;
            const seen *there = here + (ptrdiff_t)dy * f->width + dx;
            float near = 1 - (float)(dx * dx + dy * dy) / (float)(2 * REACH * REACH + 1);
            float weight = near * likeness(f, here, there);
            if (weight > 0)
                add_pixel(&sum, here, there, weight);
        }
    }
    f->sky[i] = f3_scale(sum.sky, 1 / sum.weight);
    if (sum.sun_due > 1e-6f) {
        float change = here->sun_due * sum.sun_got / sum.sun_due - here->sun_got;
        here->light = f3_add(here->light, f3_scale(f3_mul(here->albedo, sun_light), change));
    }
}

float3 smooth_far(const smooth_field *f, int32_t px, int32_t py)
{
    size_t i = (size_t)py * (size_t)f->width + (size_t)px;
    const seen *here = &f->cells[i];
    if (smooth_is_edge(here))
        return here->light;
    float total = 0;
    float3 sum = f3(0, 0, 0);
    for (int dy = -STRIDES * STRIDE; dy <= STRIDES * STRIDE; dy += STRIDE) {
        for (int dx = -STRIDES * STRIDE; dx <= STRIDES * STRIDE; dx += STRIDE) {
            if (!is_inside(f, px + dx, py + dy))
                continue;
            ptrdiff_t k = (ptrdiff_t)dy * f->width + dx;
            float3 sky = f->sky[(ptrdiff_t)i + k], apart = f3_sub(sky, f->sky[i]);
            float weight = likeness(f, here, here + k) * most_of(0, 1 - 60 * f3_dot(apart, apart));
            total += weight;
            sum = f3_mad(sum, weight, sky);
        }
    }
    return f3_add(here->light, f3_mul(here->albedo, f3_sub(f3_scale(sum, 1 / total), here->sky)));
}
