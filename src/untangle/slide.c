/* SPDX-License-Identifier: MIT */
/* An arm goes right through the middle of a sheet: the line round it is closed, and no side of any triangle tells where
 * to go. What is in the arm has its nearest ways out on all sides of it, which open a hole that cannot be.
 *
 * Idea: the line cuts the arm's surface in two, and the smaller part, with the hand, is what came through. The sheet
 * has to slip off over it: all of it that is near the line goes from the middle of the line to the middle of that part.
 * What only dents a sheet has its part beside the line, not beyond it: it is pushed back as ever.
 *
 * One line at a time, the longest; what is inside of other limbs then goes the same way.
 *
 * A sheet that is to keep its shape does not slip.
 *
 * Source: ours; ye2012 has no such case. */
#include "untangle/slide.h"

#include "untangle/params.h"

void slides_init(slides *l, mem *m, const int32_t *object, const bool *is_solid)
{
    *l = (slides){.m = m, .object = object, .is_solid = is_solid, .longest = -1};
}

void slides_free(slides *l)
{
    if (l->m)
        MEM_FREE(l->m, l->way, l->room);
}

static bool is_solid(const slides *l, int32_t ti)
{
    return ti >= 0 && l->is_solid[l->object ? l->object[ti] : 0];
}

/* Which of a line's sheets is the solid; -1: none, or both. */
static int solid_sheet(const slides *l, const contours *c, const contour_line *line)
{
    const contour_segment *g = &c->segments[c->order[line->first]];
    bool first = is_solid(l, g->tri[0]), second = is_solid(l, g->tri[1]);
    return first == second ? -1 : first ? 0 : 1; /* sheet 0 is that of the first segment's first triangle */
}

static vec3 middle_of(const contours *c, const contour_line *line)
{
    vec3 sum = v3_zero();
    for (int32_t i = 0; i < line->n_segments; i++) {
        const contour_segment *g = &c->segments[c->order[line->first + i]];
        sum = v3_add(sum, v3_add(c->crossings[g->end[0]].at, c->crossings[g->end[1]].at));
    }
    return v3_scale(0.5 / line->n_segments, sum);
}

static vec3 slide_way(const slides *l, const contours *c, const intruders *s, int32_t li)
{
    const contour_line *line = &c->lines[li];
    int sheet = line->kind == CONTOUR_CLOSED ? solid_sheet(l, c, line) : -1;
    if (sheet < 0 || s->lines[li].side[sheet] == 0)
        return v3_zero();
    vec3 way = v3_sub(s->lines[li].centre[sheet], middle_of(c, line));
    return v3_len(way) > UNTANGLE_LIMB * line->length / 3.141592653589793 ? v3_unit_or(way, v3_zero()) : v3_zero();
}

bool slides_find(slides *l, const contours *c, const intruders *s)
{
    l->longest = -1;
    if (!l->is_solid)
        return true;
    if (c->n_lines > l->room) {
        MEM_FREE(l->m, l->way, l->room);
        l->room = 2 * (int64_t)c->n_lines;
        if (!MEM_MAKE(l->m, l->way, l->room))
            return l->room = 0, false;
    }
    for (int32_t li = 0; li < c->n_lines; li++) {
        l->way[li] = slide_way(l, c, s, li);
        if (v3_len_sq(l->way[li]) > 0 && (l->longest < 0 || c->lines[li].length > c->lines[l->longest].length))
            l->longest = li;
    }
    return true;
}
