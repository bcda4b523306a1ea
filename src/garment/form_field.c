/* SPDX-License-Identifier: MIT */
/* The trunk is a stack of ellipses whose half axes and middles go smoothly from height to height (cubic pieces with
 * slopes that keep them from overshooting, Fritsch and Carlson 1980); limbs are cones with round ends. They are
 * joined by a smooth minimum, which rounds the creases at armpits and crotch.
 *
 * Proportions are those of an average figure; girths are put right by whoever measures the result. */
#include "garment/form_field.h"

#include "math/trig.h"

/* Height over the person's height; half width, half depth and z over the height. Between crotch and neck base,
 * heights are stretched so that the crotch is where the inseam says. */
static const double figure[FORM_SECTIONS][4] = {
    {0.440, 0.100, 0.058, 0.006}, {0.486, 0.112, 0.066, 0.010}, {0.560, 0.098, 0.063, 0.016},
    {0.648, 0.077, 0.058, 0.022}, {0.690, 0.083, 0.062, 0.022}, {0.727, 0.090, 0.068, 0.022},
    {0.755, 0.091, 0.064, 0.018}, {0.790, 0.091, 0.051, 0.010}, {0.812, 0.088, 0.040, 0.004},
    {0.832, 0.066, 0.034, 0.001}, {0.850, 0.039, 0.033, 0.001}, {0.870, 0.033, 0.033, 0.003},
    {0.910, 0.033, 0.033, 0.007}};
enum { FORM_HIPS = 1, FORM_WAIST = 3, FORM_CHEST = 5, FORM_NECK = 11 };
static const int tuned_section[FORM_TUNED] = {FORM_HIPS, FORM_WAIST, FORM_CHEST, FORM_NECK};
static const double figure_crotch = 0.466, figure_neck = 0.850;

static double share_height(const weft_measures *m, double share)
{
    double crotch = m->inseam, neck = figure_neck * m->height;
    if (share >= figure_neck)
        return share * m->height;
    return crotch + (share - figure_crotch) / (figure_neck - figure_crotch) * (neck - crotch);
}

double form_tuned_height(const weft_measures *m, int tuned)
{
    return share_height(m, figure[tuned_section[tuned]][0]);
}

/* ---- the trunk --------------------------------------------------------------------------------------------------- */

/* Scales are linear between the tuned heights. */
static double section_scale(const double scale[FORM_TUNED], int section)
{
    for (int t = 1; t < FORM_TUNED; t++)
        if (section <= tuned_section[t]) {
            int a = tuned_section[t - 1], b = tuned_section[t];
            double s = section <= a ? 0 : (figure[section][0] - figure[a][0]) / (figure[b][0] - figure[a][0]);
            return scale[t - 1] + s * (scale[t] - scale[t - 1]);
        }
    return scale[FORM_TUNED - 1];
}

static double section_part(const form_section *s, int k)
{
    return k == 0 ? s->half_width : k == 1 ? s->half_depth : s->z;
}

/* Slopes by harmonic means where both sides rise or fall, else flat. */
static void set_slopes(form_field *f)
{
    for (int i = 0; i < FORM_SECTIONS; i++)
        for (int k = 0; k < 3; k++) {
            f->slope[i][k] = 0;
            if (i == 0 || i + 1 == FORM_SECTIONS)
                continue;
            const form_section *s = f->sections;
            double a = (section_part(&s[i], k) - section_part(&s[i - 1], k)) / (s[i].y - s[i - 1].y);
            double b = (section_part(&s[i + 1], k) - section_part(&s[i], k)) / (s[i + 1].y - s[i].y);
            f->slope[i][k] = a * b > 0 ? 2 * a * b / (a + b) : 0;
        }
}

static void section_at(const form_field *f, double y, double out[3])
{
    const form_section *s = f->sections;
    int i = 0;
    while (i + 2 < FORM_SECTIONS && y > s[i + 1].y)
        i++;
    double h = s[i + 1].y - s[i].y, t = (y - s[i].y) / h;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double a = (1 + 2 * t) * (1 - t) * (1 - t), b = t * (1 - t) * (1 - t), c = t * t * (3 - 2 * t), d = t * t * (t - 1);
    for (int k = 0; k < 3; k++)
        out[k] = a * section_part(&s[i], k) + b * h * f->slope[i][k] + c * section_part(&s[i + 1], k) +
                 d * h * f->slope[i + 1][k];
}

/* Polynomial smooth minimum: min but where the two differ by less than r, and there at most r / 4 less. */
static double smooth_min(double a, double b, double r)
{
    double h = max_of(r - fabs(a - b), 0) / r;
    return min_of(a, b) - 0.25 * h * h * r;
}

static double smooth_max(double a, double b, double r)
{
    return -smooth_min(-a, -b, r);
}

/* About the distance from an ellipse: the value over the size of its slope. */
static double ellipse_distance(double x, double z, double a, double b)
{
    double u = x / a, w = z / b, k0 = sqrt(u * u + w * w), uu = u / a, ww = w / b, k1 = sqrt(uu * uu + ww * ww);
    return k1 > 1e-12 ? k0 * (k0 - 1) / k1 : -min_of(a, b);
}

static double trunk_at(const form_field *f, vec3 p)
{
    double s[3];
    section_at(f, p.y, s);
    double side = ellipse_distance(p.x, p.z - s[2], s[0], s[1]);
    double ends = max_of(f->crotch - p.y, p.y - f->top);
    return smooth_max(side, ends, (p.y < f->sections[2].y ? 0.05 : 0.015) * f->unit);
}

/* ---- limbs ------------------------------------------------------------------------------------------------------- */

/* Distance from the segment less a radius that goes from one end's to the other's: near enough to a cone of small
 * angle. */
static double limb_at(const form_limb *l, vec3 p)
{
    vec3 d = v3_sub(l->b, l->a), q = v3_sub(p, l->a);
    double t = v3_dot(q, d) / v3_dot(d, d);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return v3_len(v3_madd(q, -t, d)) - (l->ra + t * (l->rb - l->ra));
}

double form_field_at(const void *field, vec3 p)
{
    const form_field *f = field;
    int side = p.x >= 0 ? 0 : 1; /* limbs of the other side are farther */
    double leg = smooth_min(limb_at(&f->limbs[4 + side], p), limb_at(&f->limbs[6 + side], p), 0.006 * f->unit);
    double body = smooth_min(trunk_at(f, p), leg, 0.06 * f->unit);
    if (!f->has_arms)
        return body;
    double arm = smooth_min(limb_at(&f->limbs[side], p), limb_at(&f->limbs[2 + side], p), 0.006 * f->unit);
    return smooth_min(body, arm, 0.035 * f->unit);
}

static void set_arms(form_field *f, const weft_measures *m, double arm_angle, double girth)
{
    double angle = arm_angle * WEFT_PI / 180, c = weft_cos(angle), s = weft_sin(angle), r = 0.050 * girth;
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1 : -1;
        vec3 joint = v3(sign * (0.5 * m->shoulder - 0.35 * r), share_height(m, 0.820) - r, 0.004 * m->height);
        vec3 along = v3(sign * c, -s, 0);
        double length = m->arm - 0.65 * r;
        vec3 elbow = v3_madd(joint, 0.56 * length, along), wrist = v3_madd(joint, length, along);
        f->limbs[side] = (form_limb){joint, elbow, r, 0.8 * r};
        f->limbs[2 + side] = (form_limb){elbow, wrist, 0.8 * r, 0.52 * r};
    }
}

static void set_legs(form_field *f, const weft_measures *m, double girth)
{
    double r = 0.083 * girth;
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1 : -1, hip = share_height(m, 0.500);
        vec3 joint = v3(sign * (0.010 * f->unit + r), hip, 0.008 * m->height);
        vec3 knee = v3(sign * (0.045 * f->unit + r), 0.57 * m->inseam, 0.010 * m->height);
        vec3 ankle = v3(sign * (0.075 * f->unit + r), 0.040 * f->unit, 0.002 * m->height);
        f->limbs[4 + side] = (form_limb){joint, knee, r, 0.64 * r};
        f->limbs[6 + side] = (form_limb){knee, ankle, 0.64 * r, 0.040 * f->unit};
    }
}

void form_field_make(form_field *f, const weft_measures *m, double arm_angle, const double scale[FORM_TUNED],
                     double lift)
{
    f->unit = m->height / 1.68;
    double shoulders = m->shoulder / (0.39 / 1.68 * m->height);
    for (int i = 0; i < FORM_SECTIONS; i++) {
        double s = section_scale(scale, i) * m->height;
        /* The shoulders' width goes by their own measure. */
        double wide = i >= 7 && i <= 9 ? shoulders * m->height : s;
        f->sections[i] = (form_section){share_height(m, figure[i][0]), figure[i][1] * wide, figure[i][2] * s,
                                        figure[i][3] * m->height};
    }
    set_slopes(f);
    f->crotch = m->inseam + lift;
    f->top = f->sections[FORM_SECTIONS - 1].y;
    f->has_arms = arm_angle >= 0;
    if (f->has_arms)
        set_arms(f, m, arm_angle, m->chest / 0.92);
    set_legs(f, m, m->hips);
    double reach = 0.5 * m->shoulder + m->arm + 0.05, deep = 0.5 * max_of(m->hips, max_of(m->chest, m->waist));
    double wide = f->has_arms ? max_of(reach, deep) : deep;
    f->low = v3(-wide, -0.02, -deep);
    f->high = v3(wide, f->top + 0.02, deep);
}
