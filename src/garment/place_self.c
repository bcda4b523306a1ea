/* SPDX-License-Identifier: MIT */
/* Where panels go that come without a placement.
 *
 * Panels of the trunk and of legs stand flat before and behind the body, their tops at the height where they hang:
 * the side of the neck, or the waist. Halves stand beside each other with a gap between them. Bands are put round the
 * waist or the neck, sleeves and cuffs round the arms with the seam below; these keep lengths where the limb
 * leaves room, and else start stretched. */
#include "garment/place_self.h"

#include "garment/curve.h"
#include "garment/params.h"
#include "math/trig.h"

#include <string.h>

static void set_rotation_rows(weft_placement *p, vec3 x, vec3 y, vec3 z)
{
    const double m[9] = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
    memcpy(p->rotation, m, sizeof m);
}

/* The body's extent along z between two heights and within a distance from the middle. */
static void depth_between(const weft_body *b, double low, double high, double reach, double *back, double *front)
{
    *back = HUGE_VAL;
    *front = -HUGE_VAL;
    for (int32_t i = 0; i < b->mesh->n_vertices; i++) {
        vec3 x = b->mesh->x[i];
        if (x.y < low || x.y > high || fabs(x.x) > reach)
            continue;
        *back = min_of(*back, x.z);
        *front = max_of(*front, x.z);
    }
    if (*front < *back)
        *front = *back = 0;
}

/* Where the middle of the body is along u: seen from the front left is right, from behind it is not. */
static double middle_u(const panel_role *role, const weft_panel_info *info)
{
    bool low = (role->side == ROLE_ON_LEFT) == (role->face == ROLE_FRONT);
    if (role->side == ROLE_BOTH)
        return 0.5 * (info->low.u + info->high.u);
    return low ? info->low.u - PLACE_HALF_GAP : info->high.u + PLACE_HALF_GAP;
}

static void place_flat(const weft_body *b, const panel_role *role, const weft_panel_info *info, double top, double gap,
                       weft_placement *out)
{
    double height = info->high.v - info->low.v, back, front;
    double reach = role->side == ROLE_BOTH ? 0.5 * (info->high.u - info->low.u) : info->high.u - info->low.u;
    depth_between(b, top - height, top, max_of(reach, 0.5 * b->landmarks.hip.width), &back, &front);
    bool faces = role->face == ROLE_FRONT;
    double sign = faces ? 1 : -1;
    out->kind = WEFT_PLACEMENT_FLAT;
    set_rotation_rows(out, v3(sign, 0, 0), v3(0, 1, 0), v3(0, 0, sign));
    out->translation = v3(-sign * middle_u(role, info), top - info->high.v, faces ? front + gap : back - gap);
}

/* A ring round a level of the trunk, u = low at the middle of the back. */
static void place_ring(const weft_section *at, const weft_panel_info *info, double top, double gap, weft_placement *out)
{
    double length = info->high.u - info->low.u, wide = 0.5 * sqrt(at->width * at->width + at->depth * at->depth);
    out->kind = WEFT_PLACEMENT_CYLINDER;
    set_rotation_rows(out, v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1));
    out->radius = max_of(length / (2 * WEFT_PI), min_of(wide, 0.5 * max_of(at->width, at->depth) + gap));
    out->rate = 2 * WEFT_PI / length;
    out->angle = -WEFT_PI;
    out->centre = (vec2){info->low.u, info->high.v};
    out->translation = v3(at->centre.x, top, at->centre.z);
}

/* Round a limb: v runs towards `from`, the middle of u is on the outside of the limb. */
static void place_on_limb(vec3 from, vec3 to, double least_radius, double side, const weft_panel_info *info,
                          weft_placement *out)
{
    vec3 up = v3_unit_or(v3_sub(from, to), v3(0, 1, 0));
    /* Outside: away from the middle and up, across the limb. */
    vec3 out_side = v3(side, 1, 0);
    vec3 z = v3_unit_or(v3_madd(out_side, -v3_dot(out_side, up), up), v3(side, 0, 0));
    double width = info->high.u - info->low.u;
    out->kind = WEFT_PLACEMENT_CYLINDER;
    set_rotation_rows(out, v3_cross(up, z), up, z);
    out->radius = max_of(width / (2 * WEFT_PI) + 0.001, least_radius);
    out->rate = 1 / out->radius;
    out->angle = 0;
    out->centre = (vec2){0.5 * (info->low.u + info->high.u), info->high.v};
    out->translation = from;
}

/* Ends of the panel along u near a height, by the ends of its curves. */
static void width_near(const weft_panel *p, double low, double high, double out[2])
{
    out[0] = HUGE_VAL;
    out[1] = -HUGE_VAL;
    for (int32_t i = 0; i < p->loop_sizes[0]; i++) {
        vec2 at = p->curves[i].from;
        if (at.v < low || at.v > high)
            continue;
        out[0] = min_of(out[0], at.u);
        out[1] = max_of(out[1], at.u);
    }
}

/* Height of the panel's widest place: where cap and seam meet. */
static double widest_v(const weft_panel *p, const weft_panel_info *info)
{
    double v[2] = {info->high.v, info->high.v}, u[2] = {HUGE_VAL, -HUGE_VAL};
    for (int32_t i = 0; i < p->loop_sizes[0]; i++) {
        vec2 at = p->curves[i].from;
        if (at.u < u[0]) {
            u[0] = at.u;
            v[0] = at.v;
        }
        if (at.u > u[1]) {
            u[1] = at.u;
            v[1] = at.v;
        }
    }
    return 0.5 * (v[0] + v[1]);
}

/* A sleeve that goes with the arm, its seam below and open by a tenth of the round. */
static void place_sleeve(const weft_landmarks *m, int arm, const weft_panel *panel, const weft_panel_info *info,
                         double gap, weft_placement *out)
{
    weft_limb *l = &out->limb;
    double hem[2], height = info->high.v - info->low.v;
    double side = arm == WEFT_LEFT ? 1 : -1;
    double reach = v3_len(v3_sub(m->elbow[arm], m->shoulder[arm])) + v3_len(v3_sub(m->wrist[arm], m->elbow[arm]));
    out->kind = WEFT_PLACEMENT_LIMB;
    *l = (weft_limb){.joint = {m->shoulder[arm], m->elbow[arm], m->wrist[arm]},
                     .outside = v3(0.5 * side, 1, 0),
                     .top = widest_v(panel, info),
                     .hem = info->low.v,
                     .length = 1,
                     .span = 1.8 * WEFT_PI};
    l->start = info->high.v - l->top;
    width_near(panel, info->low.v - height, info->low.v + 0.02 * height, hem);
    l->middle[0] = 0.5 * (info->low.u + info->high.u);
    l->middle[1] = 0.5 * (hem[0] + hem[1]);
    l->width[0] = info->high.u - info->low.u;
    l->width[1] = max_of(hem[1] - hem[0], 0.2 * l->width[0]);
    double far = min_of(max_of(height / reach, 0.0), 1.0);
    double thin = (1 - far) * m->arm_radius[arm] + far * m->wrist_radius[arm];
    l->radius[0] = max_of(l->width[0] / l->span, m->arm_radius[arm] + 0.5 * gap);
    l->radius[1] = max_of(l->width[1] / l->span, thin + 0.5 * gap);
}

/* A cuff at the end of the arm, before the hand. */
static void place_cuff(const weft_landmarks *m, int arm, const weft_panel_info *info, double gap, weft_placement *out)
{
    weft_limb *l = &out->limb;
    double side = arm == WEFT_LEFT ? 1 : -1, width = info->high.u - info->low.u, middle = info->low.u + 0.5 * width;
    double reach = v3_len(v3_sub(m->elbow[arm], m->shoulder[arm])) + v3_len(v3_sub(m->wrist[arm], m->elbow[arm]));
    double radius = max_of(width / (1.9 * WEFT_PI), m->wrist_radius[arm] + 0.3 * gap);
    out->kind = WEFT_PLACEMENT_LIMB;
    *l = (weft_limb){.joint = {m->shoulder[arm], m->elbow[arm], m->wrist[arm]},
                     .outside = v3(0.5 * side, 1, 0),
                     .start = reach - (info->high.v - info->low.v),
                     .length = 1,
                     .top = info->high.v,
                     .hem = info->low.v,
                     .radius = {radius, radius},
                     .middle = {middle, middle},
                     .width = {width, width},
                     .span = 1.9 * WEFT_PI};
}

static void place_hood(const weft_body *b, const panel_role *role, const weft_panel_info *info, double gap,
                       weft_placement *out)
{
    const weft_landmarks *m = &b->landmarks;
    double side = role->side == ROLE_ON_RIGHT ? -1 : 1, reach = 0;
    for (int32_t i = 0; i < b->mesh->n_vertices; i++)
        if (b->mesh->x[i].y > m->neck_base)
            reach = max_of(reach, side * b->mesh->x[i].x);
    out->kind = WEFT_PLACEMENT_FLAT;
    /* Seen from its outside: from the left, the face is to the left. */
    set_rotation_rows(out, v3(0, 0, -side), v3(0, 1, 0), v3(side, 0, 0));
    out->translation = v3(side * (reach + gap), m->neck_base - info->low.v,
                          m->neck.centre.z + side * 0.5 * (info->low.u + info->high.u));
}

/* Height of a band's top. One that is sewn to panels that hang from the shoulders ends them; else it begins what hangs
 * from the waist. */
static double band_top(const weft_body *b, const weft_pattern *p, int32_t panel, const weft_panel_info *info)
{
    double waist = b->landmarks.waist.y + (info->high.v - info->low.v);
    for (int32_t i = 0; i < weft_pattern_seam_count(p); i++) {
        const weft_seam *s = weft_pattern_seam(p, i);
        for (int k = 0; k < 2; k++) {
            int32_t here = k ? s->b[0].panel : s->a[0].panel, there = k ? s->a[0].panel : s->b[0].panel;
            weft_panel_info other;
            if (here == panel && there != panel && role_of(weft_pattern_panel(p, there)).part == ROLE_TORSO &&
                weft_pattern_panel_info(p, there, &other, NULL) == WEFT_OK)
                return b->landmarks.neck_base - (other.high.v - other.low.v) - PLACE_HALF_GAP;
        }
    }
    return waist;
}

bool place_self(const weft_body *body, const weft_pattern *pattern, int32_t panel, const weft_panel_info *info,
                double gap, weft_placement *out)
{
    const weft_landmarks *m = &body->landmarks;
    panel_role role = role_of(weft_pattern_panel(pattern, panel));
    double top = role.part == ROLE_WAISTBAND ? band_top(body, pattern, panel, info) : 0;
    *out = (weft_placement){0};
    int arm = role.side == ROLE_ON_RIGHT ? WEFT_RIGHT : WEFT_LEFT;
    switch (role.part) {
    case ROLE_TORSO: place_flat(body, &role, info, m->neck_base, gap, out); return true;
    case ROLE_SKIRT:
    case ROLE_LEG: place_flat(body, &role, info, m->waist.y, gap, out); return true;
    case ROLE_WAISTBAND: place_ring(top < m->waist.y ? &m->hip : &m->waist, info, top, gap, out); return true;
    case ROLE_COLLAR: place_ring(&m->neck, info, m->neck.y, gap, out); return true;
    case ROLE_HOOD: place_hood(body, &role, info, gap, out); return true;
    case ROLE_SLEEVE:
        place_sleeve(m, arm, weft_pattern_panel(pattern, panel), info, gap, out);
        return m->has_arms && role.side != ROLE_BOTH && !role.is_half;
    case ROLE_CUFF: place_cuff(m, arm, info, gap, out); return m->has_arms && role.side != ROLE_BOTH;
    default: return false;
    }
}

bool place_on_joint(const weft_body *body, const weft_panel_info *info, weft_placement *p)
{
    const weft_landmarks *m = &body->landmarks;
    int arm = strncmp(p->joint, "Right", 5) == 0 ? WEFT_RIGHT : WEFT_LEFT;
    const char *what = p->joint + (arm == WEFT_RIGHT ? 5 : 4);
    double side = arm == WEFT_LEFT ? 1 : -1, radius = p->radius;
    if ((strncmp(p->joint, "Left", 4) != 0 && arm == WEFT_LEFT) || !m->has_arms)
        return false;
    if (strcmp(what, "Hand") == 0)
        place_on_limb(m->wrist[arm], v3_add(m->wrist[arm], v3_sub(m->wrist[arm], m->elbow[arm])), radius, side, info,
                      p);
    else if (strcmp(what, "Arm") == 0)
        place_on_limb(m->shoulder[arm], m->elbow[arm], radius, side, info, p);
    else if (strcmp(what, "ForeArm") == 0)
        place_on_limb(m->elbow[arm], m->wrist[arm], radius, side, info, p);
    else
        return false;
    return true;
}
