/* SPDX-License-Identifier: MIT */
/* Landmarks from slices.
 *
 * Idea: a standing body is cut by some 300 horizontal planes. The loop that has the body's middle in it is the trunk's:
 * below the crotch there is none, where the arms leave it its width jumps, and its girth has a maximum (hip), a minimum
 * (waist), a maximum (bust) below that and a minimum (neck) above. The arms are then cut across their own direction,
 * from the shoulder to the farthest point: the wrist is where they are thinnest behind the elbow.
 *
 * Girths are of convex hulls, as a tape measures. Works for bodies with arms down to the sides as far as these do not
 * touch the trunk, and for arms stretched out; forms without head, arms or feet are fine. */
#include "garment/body.h"

#include "base/array.h"
#include "garment/params.h"

#include <string.h>

typedef struct level {
    bool is_there; /* a loop has the middle in it */
    weft_section section;
} level;

typedef struct finder {
    const weft_body *body;
    mem *mem;
    vec2 *work;
    int64_t room_work;
    double middle; /* x */
    level *levels;
    weft_landmarks *out;
    weft_error *error;
} finder;

static bool reserve_work(finder *f, int32_t n)
{
    return ARRAY_RESERVE(f->mem, f->work, f->room_work, 2 * (int64_t)n);
}

/* The loop of a slice with the middle between its ends along x; the largest if there are several. */
static weft_result measure_level(finder *f, double y, level *out)
{
    weft_slice s;
    *out = (level){0};
    weft_result r = weft_body_slice(f->body, v3(0, y, 0), v3(0, 1, 0), &s, f->error);
    double most = 0;
    for (int32_t i = 0; r == WEFT_OK && i < s.n_loops; i++) {
        int32_t n = s.loop_start[i + 1] - s.loop_start[i];
        if (!reserve_work(f, n)) {
            r = error_memory(f->error);
            break;
        }
        loop_measure m = loop_measure_of(s.points + s.loop_start[i], n, v3(1, 0, 0), v3(0, 0, 1), f->work);
        if (m.low[0] > f->middle || m.high[0] < f->middle || m.area <= most)
            continue;
        most = m.area;
        out->is_there = true;
        out->section = (weft_section){y, m.girth, v3(0.5 * (m.low[0] + m.high[0]), y, 0.5 * (m.low[1] + m.high[1])),
                                      m.high[0] - m.low[0], m.high[1] - m.low[1]};
    }
    weft_body_slice_free(f->body, &s);
    return r;
}

static double level_y(const finder *f, int32_t i)
{
    return f->out->low + (f->out->high - f->out->low) * (i + 0.5) / LANDMARK_LEVELS;
}

/* The level of least or greatest girth in a range; -1 if the range is empty. */
static int32_t extreme_girth(const finder *f, double from, double to, bool greatest)
{
    int32_t best = -1;
    for (int32_t i = 0; i < LANDMARK_LEVELS; i++) {
        const level *l = &f->levels[i];
        if (!l->is_there || l->section.y < from || l->section.y > to)
            continue;
        double girth = l->section.girth;
        if (best < 0 || (greatest ? girth > f->levels[best].section.girth : girth < f->levels[best].section.girth))
            best = i;
    }
    return best;
}

static weft_result landmark_fault(const finder *f, const char *what)
{
    return error_set(f->error, WEFT_ERROR_DEGENERATE, -1,
                     "the body has no %s that slices would show: it should stand upright, y up, in metres", what);
}

/* ---- the trunk --------------------------------------------------------------------------------------------------- */

/* The crotch is where the middle is inside from there on; the lower half only is looked at. A skirt-shaped form without
 * legs has it at its lower end. */
static void find_crotch(finder *f)
{
    int32_t first = 0;
    for (int32_t i = 0; i < LANDMARK_LEVELS * 3 / 5; i++)
        if (!f->levels[i].is_there)
            first = i + 1;
    f->out->crotch = first > 0 ? level_y(f, first) - 0.5 * (f->out->high - f->out->low) / LANDMARK_LEVELS : f->out->low;
}

/* Where the width jumps, going up: by a fifth within two levels. Without arms: where it begins to shrink for good,
 * taken as three quarters of the way from crotch to top. */
static void find_armpit(finder *f)
{
    double span = f->out->high - f->out->crotch;
    f->out->has_arms = false;
    for (int32_t i = 2; i < LANDMARK_LEVELS; i++) {
        const level *a = &f->levels[i - 2], *b = &f->levels[i];
        if (!a->is_there || !b->is_there || b->section.y < f->out->crotch + 0.3 * span)
            continue;
        if (b->section.width > 1.2 * a->section.width) {
            int32_t k = i - 2; /* back to where it begins to widen: arms stretched out do so little by little */
            while (k > 1 && f->levels[k].section.width > 1.012 * f->levels[k - 1].section.width)
                k--;
            f->out->armpit = f->levels[k].section.y;
            f->out->has_arms = true;
            return;
        }
    }
    f->out->armpit = f->out->crotch + 0.7 * span;
}

/* From the top down: the neck is the narrowest place above the shoulders, but for the top itself, which closes. */
static bool find_neck(finder *f)
{
    weft_landmarks *m = f->out;
    double top = m->high - 0.02 * (m->high - m->low);
    int32_t neck = extreme_girth(f, m->armpit + 0.15 * (m->high - m->armpit), top, false);
    if (neck < 0)
        return false;
    m->neck = f->levels[neck].section;
    m->neck_base = m->neck.y;
    for (int32_t i = neck; i >= 0 && f->levels[i].is_there && f->levels[i].section.width < 1.35 * m->neck.width; i--)
        m->neck_base = f->levels[i].section.y;
    return true;
}

static weft_result find_trunk(finder *f)
{
    weft_landmarks *m = f->out;
    find_crotch(f);
    find_armpit(f);
    double span = m->armpit - m->crotch;
    int32_t waist = extreme_girth(f, m->crotch + 0.35 * span, m->crotch + 0.85 * span, false);
    if (waist < 0)
        return landmark_fault(f, "waist");
    m->waist = f->levels[waist].section;
    int32_t hip = extreme_girth(f, m->crotch, m->waist.y, true), bust = extreme_girth(f, m->waist.y, m->armpit, true);
    if (hip < 0 || bust < 0)
        return landmark_fault(f, "hip or bust");
    m->hip = f->levels[hip].section;
    m->bust = f->levels[bust].section;
    return find_neck(f) ? WEFT_OK : landmark_fault(f, "neck");
}

/* ---- arms -------------------------------------------------------------------------------------------------------- */

/* Height of the surface above a place, from a vertical slice: the top of the shoulder. */
static weft_result shoulder_top(finder *f, double x, double *y)
{
    weft_slice s;
    weft_result r = weft_body_slice(f->body, v3(x, 0, 0), v3(1, 0, 0), &s, f->error);
    *y = f->out->low;
    for (int32_t i = 0; r == WEFT_OK && i < s.n_points; i++)
        *y = max_of(*y, s.points[i].y);
    weft_body_slice_free(f->body, &s);
    return r;
}

/* The farthest vertex of an arm from its shoulder. Legs do not count: what is below the crotch and nearer to the middle
 * than the arm hangs. */
static vec3 arm_tip(const finder *f, vec3 shoulder, double side)
{
    const collider_mesh *c = f->body->mesh;
    vec3 best = shoulder;
    double least_x = fabs(shoulder.x - f->middle) * 1.15;
    for (int32_t i = 0; i < c->n_vertices; i++) {
        vec3 x = c->x[i];
        double out = side * (x.x - f->middle);
        if (out < least_x || x.y < f->out->crotch - 0.1 * (f->out->high - f->out->low) ||
            (x.y < f->out->waist.y && out < 0.55 * f->out->hip.width))
            continue;
        if (v3_len_sq(v3_sub(x, shoulder)) > v3_len_sq(v3_sub(best, shoulder)))
            best = x;
    }
    return best;
}

/* The loop of a slice across the arm that is nearest to a point on its axis: its girth and middle. */
static weft_result arm_section(finder *f, vec3 at, vec3 along, vec3 *centre, double *radius)
{
    weft_slice s;
    *radius = 0;
    *centre = at;
    weft_result r = weft_body_slice(f->body, at, along, &s, f->error);
    double best = HUGE_VAL;
    vec3 u = v3_unit_or(v3_cross(along, v3(0, 0, 1)), v3(1, 0, 0)), v = v3_cross(along, u);
    for (int32_t i = 0; r == WEFT_OK && i < s.n_loops; i++) {
        int32_t n = s.loop_start[i + 1] - s.loop_start[i];
        if (!reserve_work(f, n)) {
            r = error_memory(f->error);
            break;
        }
        loop_measure m = loop_measure_of(s.points + s.loop_start[i], n, u, v, f->work);
        vec3 middle = v3_add(v3_scale(0.5 * (m.low[0] + m.high[0]), u), v3_scale(0.5 * (m.low[1] + m.high[1]), v));
        middle = v3_add(middle, v3_scale(v3_dot(at, along), along));
        double away = v3_len(v3_sub(middle, at));
        if (away < best && m.area > 1e-4) {
            best = away;
            *centre = middle;
            *radius = m.girth / 6.283185307179586;
        }
    }
    weft_body_slice_free(f->body, &s);
    return r;
}

/* Goes down the arm from section to section, each ahead of the middles of the last two, so that bent arms are followed
 * too. The wrist is the thinnest in the last two fifths; hands are thicker, and fingers are left out as too small. */
static weft_result follow_arm(finder *f, int side, vec3 tip)
{
    weft_landmarks *m = f->out;
    vec3 at[LANDMARK_ARM_STEPS] = {{0}}, from = m->shoulder[side];
    double radius[LANDMARK_ARM_STEPS] = {0}, length = v3_len(v3_sub(tip, from)), least = HUGE_VAL;
    vec3 along = v3_unit_or(v3_sub(tip, from), v3(side == WEFT_LEFT ? 1 : -1, 0, 0));
    weft_result r = WEFT_OK;
    for (int i = 0; r == WEFT_OK && i < LANDMARK_ARM_STEPS; i++) {
        vec3 guess = v3_madd(from, length * (i + 0.5) / LANDMARK_ARM_STEPS, along);
        r = arm_section(f, guess, along, &at[i], &radius[i]);
    }
    if (r < 0)
        return r;
    int wrist = LANDMARK_ARM_STEPS - 1;
    for (int i = LANDMARK_ARM_STEPS / 2; i < LANDMARK_ARM_STEPS - 2; i++)
        if (radius[i] > 0.015 && radius[i] < least) {
            least = radius[i];
            wrist = i;
        }
    m->wrist[side] = at[wrist];
    m->wrist_radius[side] = radius[wrist];
    m->elbow[side] = at[wrist * 11 / 20];
    m->arm_radius[side] = radius[LANDMARK_ARM_STEPS / 4];
    return WEFT_OK;
}

/* The joint lies where the trunk's side would go on upwards, a radius of the arm below the top. */
static weft_result find_arms(finder *f)
{
    weft_landmarks *m = f->out;
    level below;
    weft_result r = measure_level(f, m->armpit - 0.004, &below);
    double half = r == WEFT_OK && below.is_there ? 0.5 * below.section.width : 0.5 * m->bust.width;
    for (int side = 0; r == WEFT_OK && side < 2; side++) {
        double sign = side == WEFT_LEFT ? 1 : -1, x = f->middle + sign * half, top = 0;
        r = shoulder_top(f, x, &top);
        m->shoulder[side] = v3(x, max_of(top - 0.25 * half, m->armpit), below.section.centre.z);
        m->elbow[side] = m->wrist[side] = m->shoulder[side];
        m->arm_radius[side] = m->wrist_radius[side] = 0.25 * half;
        if (r < 0 || !m->has_arms)
            continue;
        vec3 tip = arm_tip(f, m->shoulder[side], sign);
        if (v3_len(v3_sub(tip, m->shoulder[side])) > 0.1)
            r = follow_arm(f, side, tip);
    }
    return r;
}

static void find_box(finder *f)
{
    const collider_mesh *c = f->body->mesh;
    double low_x = HUGE_VAL, high_x = -HUGE_VAL;
    f->out->low = HUGE_VAL;
    f->out->high = -HUGE_VAL;
    for (int32_t i = 0; i < c->n_vertices; i++) {
        low_x = min_of(low_x, c->x[i].x);
        high_x = max_of(high_x, c->x[i].x);
        f->out->low = min_of(f->out->low, c->x[i].y);
        f->out->high = max_of(f->out->high, c->x[i].y);
    }
    f->middle = 0.5 * (low_x + high_x);
}

weft_result body_find_landmarks(weft_body *b, weft_error *error)
{
    finder f = {.body = b, .mem = &b->mem, .out = &b->landmarks, .error = error};
    weft_result r = MEM_MAKE(f.mem, f.levels, LANDMARK_LEVELS) ? WEFT_OK : error_memory(error);
    find_box(&f);
    for (int32_t i = 0; r == WEFT_OK && i < LANDMARK_LEVELS; i++)
        r = measure_level(&f, level_y(&f, i), &f.levels[i]);
    r = r < 0 ? r : find_trunk(&f);
    r = r < 0 ? r : find_arms(&f);
    MEM_FREE(f.mem, f.levels, LANDMARK_LEVELS);
    MEM_FREE(f.mem, f.work, f.room_work);
    return r;
}
