/* SPDX-License-Identifier: MIT */
/* How near to its untangled original cloth can be that keeps the shape of the tangled input: the original, as cloth
 * whose shape at rest is the input, is let go by springs that get weaker and weaker, among its colliders and layers,
 * until area, edges and angles are within the bounds of a repair. It knows the way, which a repair does not: nearer
 * than this nobody comes by much. */
#include "repair_measure.h"
#include "tangle_scene.h"

#include <math.h>
#include <stdlib.h>

static const double STEP = 1.0 / 60, AIR = 10, FIRST_SPRING = 3, WEAKER = 0.5;
enum { SPRINGS = 12, STEPS_EACH = 15 };

static weft_fabric stiff_fabric(void)
{
    weft_fabric f = weft_fabric_default();
    f.stretch_warp = f.stretch_weft = 500;
    f.shear = 200;
    f.bending_warp = f.bending_weft = 1.5e-4;
    f.thickness = 2e-4;
    f.friction = 0;
    f.stretch_limit = 0;
    return f;
}

static bool let_go(tangle_scene *s, double stiffness, weft_error *e)
{
    weft_attachment_id ids[8] = {{0}};
    bool good = tangle_scene_anchor(s, s->c->original, stiffness, ids, e);
    for (int i = 0; i < STEPS_EACH && good; i++)
        good = weft_sim_step(s->sim, STEP, NULL, e) >= 0;
    for (int k = 0; k < 8 && good; k++)
        if (ids[k].generation > 0)
            good = weft_attachment_remove(s->sim, ids[k], e) >= 0;
    return good && tangle_scene_take(s, e);
}

double repair_reference(const tangle_case *c)
{
    tangle_scene s;
    weft_error e;
    repair_measure m = {0};
    weft_fabric fabric = stiff_fabric();
    weft_sim_def d = weft_sim_def_default();
    d.gravity = (weft_vec3){0, 0, 0};
    d.air_density = 0;
    d.air_viscosity = AIR;
    if (!c->original)
        return (double)NAN;
    bool good = tangle_scene_make(&s, c, &d, &fabric, c->original, c->h.x, &e);
    double stiffness = FIRST_SPRING;
    for (int i = 0; i < SPRINGS && good && !(m.clean && m.shaped); i++, stiffness *= WEAKER)
        good = let_go(&s, stiffness, &e) && repair_measure_take(&m, c, s.x);
    tangle_scene_free(&s);
    return good && m.clean && m.shaped ? m.original : (double)NAN;
}
