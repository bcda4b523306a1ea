/* SPDX-License-Identifier: MIT */
/* Points are put in one by one: the triangle that holds the new one is found by walking, cut at it, and sides are
 * turned until all are Delaunay again (Lawson 1977). A constraint is put in by turning the sides it crosses until
 * none is left (Sloan 1993, section 4), then those made on the way are turned back to Delaunay where that is allowed.
 * All decisions are by exact predicates, so nothing depends on a tolerance. */
#include "garment/cdt.h"

#include "base/array.h"
#include "math/incircle.h"
#include "math/predicate.h"

static int next_corner(int i)
{
    return i == 2 ? 0 : i + 1;
}

static int cdt_corner_of(const cdt_triangle *t, int32_t v)
{
    return t->v[0] == v ? 0 : t->v[1] == v ? 1 : 2;
}

static int side_to(const cdt_triangle *t, int32_t neighbour)
{
    return t->n[0] == neighbour ? 0 : t->n[1] == neighbour ? 1 : 2;
}

vec2 cdt_snap(vec2 p)
{
    return (vec2){floor(p.u * 0x1p40 + 0.5) * 0x1p-40, floor(p.v * 0x1p40 + 0.5) * 0x1p-40};
}

static bool cdt_push_point(cdt *c, vec2 p)
{
    int32_t n = c->n_points;
    return ARRAY_PUSH(c->mem, c->triangle_of, n, c->room_of, 0) &&
           ARRAY_PUSH(c->mem, c->points, c->n_points, c->room_points, p);
}

cdt_result cdt_create(cdt *c, mem *m, vec2 low, vec2 high)
{
    *c = (cdt){.mem = m};
    double span = max_of(max_of(high.u - low.u, high.v - low.v), 0x1p-10);
    vec2 middle = {0.5 * (low.u + high.u), 0.5 * (low.v + high.v)};
    bool good = cdt_push_point(c, cdt_snap((vec2){middle.u - 4 * span, middle.v - 2 * span})) &&
                cdt_push_point(c, cdt_snap((vec2){middle.u + 4 * span, middle.v - 2 * span})) &&
                cdt_push_point(c, cdt_snap((vec2){middle.u, middle.v + 4 * span}));
    cdt_triangle all = {.v = {0, 1, 2}, .n = {-1, -1, -1}};
    good = good && ARRAY_PUSH(m, c->triangles, c->n_triangles, c->room_triangles, all);
    if (!good)
        cdt_destroy(c);
    return good ? CDT_OK : CDT_MEMORY;
}

void cdt_destroy(cdt *c)
{
    MEM_FREE(c->mem, c->points, c->room_points);
    MEM_FREE(c->mem, c->triangle_of, c->room_of);
    MEM_FREE(c->mem, c->triangles, c->room_triangles);
    MEM_FREE(c->mem, c->stack, c->room_stack);
    mem_free(c->mem, c->crossed, c->room_crossed, sizeof *c->crossed);
    c->crossed = NULL;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static void relink_neighbour(cdt *c, int32_t ti, int32_t from, int32_t to)
{
    if (ti >= 0)
        c->triangles[ti].n[side_to(&c->triangles[ti], from)] = to;
}

/*     c               c
 *    /|\             / \
 *   a | d     →     a---d
 *    \|/             \ /
 *     b               b      */
void cdt_flip(cdt *c, int32_t ti, int i)
{
    cdt_triangle *t = &c->triangles[ti];
    int32_t oi = t->n[i];
    cdt_triangle *o = &c->triangles[oi];
    int j = side_to(o, ti), i1 = next_corner(i), i2 = next_corner(i1), j1 = next_corner(j), j2 = next_corner(j1);
    int32_t va = t->v[i], vb = t->v[i1], vc = t->v[i2], vd = o->v[j];
    cdt_triangle left = {{va, vb, vd},
                         {o->n[j1], oi, t->n[i2]},
                         {o->is_fixed[j1], false, t->is_fixed[i2]},
                         {o->is_rim[j1], false, t->is_rim[i2]}};
    cdt_triangle right = {{va, vd, vc},
                          {o->n[j2], t->n[i1], ti},
                          {o->is_fixed[j2], t->is_fixed[i1], false},
                          {o->is_rim[j2], t->is_rim[i1], false}};
    relink_neighbour(c, o->n[j1], oi, ti);
    relink_neighbour(c, t->n[i1], ti, oi);
    *t = left;
    *o = right;
    c->triangle_of[va] = c->triangle_of[vb] = c->triangle_of[vd] = ti;
    c->triangle_of[vc] = oi;
}

static bool side_is_bad(const cdt *c, int32_t ti, int i)
{
    const cdt_triangle *t = &c->triangles[ti];
    if (t->is_fixed[i] || t->n[i] < 0)
        return false;
    const cdt_triangle *o = &c->triangles[t->n[i]];
    const vec2 *p = c->points;
    return predicate_incircle(p[t->v[0]], p[t->v[1]], p[t->v[2]], p[o->v[side_to(o, ti)]]) > 0;
}

/* Turns sides opposite the point vi until those of the triangles on the stack are good. */
static cdt_result legalize(cdt *c, int32_t vi, int32_t n_stack)
{
    while (n_stack > 0) {
        int32_t ti = c->stack[--n_stack];
        int i = cdt_corner_of(&c->triangles[ti], vi);
        if (!side_is_bad(c, ti, i))
            continue;
        int32_t oi = c->triangles[ti].n[i];
        cdt_flip(c, ti, i);
        if (!ARRAY_PUSH(c->mem, c->stack, n_stack, c->room_stack, ti) ||
            !ARRAY_PUSH(c->mem, c->stack, n_stack, c->room_stack, oi))
            return CDT_MEMORY;
    }
    return CDT_OK;
}

/* Cuts triangle ti at its inner point vi: three of one. */
static cdt_result cut_triangle(cdt *c, int32_t ti, int32_t vi)
{
    if (!ARRAY_RESERVE_MORE(c->mem, c->triangles, c->n_triangles, c->room_triangles, 2) ||
        !ARRAY_RESERVE(c->mem, c->stack, c->room_stack, 4))
        return CDT_MEMORY;
    const cdt_triangle t = c->triangles[ti];
    int32_t part[3] = {ti, c->n_triangles, c->n_triangles + 1};
    c->n_triangles += 2;
    for (int i = 0; i < 3; i++) { /* part i keeps the side opposite corner i */
        int i1 = next_corner(i), i2 = next_corner(i1);
        c->triangles[part[i]] = (cdt_triangle){{vi, t.v[i1], t.v[i2]},
                                               {t.n[i], part[i1], part[i2]},
                                               {t.is_fixed[i], false, false},
                                               {t.is_rim[i], false, false}};
        if (i > 0)
            relink_neighbour(c, t.n[i], ti, part[i]);
        c->triangle_of[t.v[i1]] = part[i];
        c->stack[i] = part[i];
    }
    c->triangle_of[vi] = ti;
    return legalize(c, vi, 3);
}

/* Cuts the side opposite corner i of ti, and both its triangles, at its point vi. */
static cdt_result cut_side(cdt *c, int32_t ti, int i, int32_t vi)
{
    if (!ARRAY_RESERVE_MORE(c->mem, c->triangles, c->n_triangles, c->room_triangles, 2) ||
        !ARRAY_RESERVE(c->mem, c->stack, c->room_stack, 4))
        return CDT_MEMORY;
    const cdt_triangle t = c->triangles[ti];
    int32_t oi = t.n[i], tj = c->n_triangles, oj = c->n_triangles + 1;
    const cdt_triangle o = c->triangles[oi];
    int j = side_to(&o, ti), i1 = next_corner(i), i2 = next_corner(i1), j1 = next_corner(j), j2 = next_corner(j1);
    bool fixed = t.is_fixed[i], rim = t.is_rim[i];
    int32_t va = t.v[i], vb = t.v[i1], vc = t.v[i2], vd = o.v[j];
    c->n_triangles += 2;
    /* ti = (v, a, b), tj = (v, c, a), oi = (v, d, c), oj = (v, b, d), each with the outer side opposite v */
    c->triangles[ti] =
        (cdt_triangle){{vi, va, vb}, {t.n[i2], oj, tj}, {t.is_fixed[i2], fixed, false}, {t.is_rim[i2], rim, false}};
    c->triangles[tj] =
        (cdt_triangle){{vi, vc, va}, {t.n[i1], ti, oi}, {t.is_fixed[i1], false, fixed}, {t.is_rim[i1], false, rim}};
    c->triangles[oi] =
        (cdt_triangle){{vi, vd, vc}, {o.n[j2], tj, oj}, {o.is_fixed[j2], fixed, false}, {o.is_rim[j2], rim, false}};
    c->triangles[oj] =
        (cdt_triangle){{vi, vb, vd}, {o.n[j1], oi, ti}, {o.is_fixed[j1], false, fixed}, {o.is_rim[j1], false, rim}};
    relink_neighbour(c, t.n[i1], ti, tj);
    relink_neighbour(c, o.n[j1], oi, oj);
    c->triangle_of[vi] = c->triangle_of[va] = c->triangle_of[vb] = ti;
    c->triangle_of[vc] = tj;
    c->triangle_of[vd] = oi;
    int32_t all[4] = {ti, tj, oi, oj};
    for (int k = 0; k < 4; k++)
        c->stack[k] = all[k];
    return legalize(c, vi, 4);
}

/* ---- insertion --------------------------------------------------------------------------------------------------- */

/* A triangle that holds p. Constraints can lead a walk astray for a while; the side it looks at first turns round, so
 * it does not go in circles for ever, and beyond a bound all triangles are looked at. */
static int32_t locate_point(const cdt *c, vec2 p)
{
    int32_t ti = c->last;
    for (int32_t step = 0; step < 4 * c->n_triangles + 16; step++) {
        const cdt_triangle *t = &c->triangles[ti];
        int32_t next = -1;
        for (int k = 0; k < 3 && next < 0; k++) {
            int i = (k + step) % 3;
            if (predicate_orient2d(c->points[t->v[(i + 1) % 3]], c->points[t->v[(i + 2) % 3]], p) < 0)
                next = t->n[i];
        }
        if (next < 0)
            return ti;
        ti = next;
    }
    for (ti = 0; ti < c->n_triangles; ti++) {
        const int32_t *v = c->triangles[ti].v;
        if (predicate_orient2d(c->points[v[0]], c->points[v[1]], p) >= 0 &&
            predicate_orient2d(c->points[v[1]], c->points[v[2]], p) >= 0 &&
            predicate_orient2d(c->points[v[2]], c->points[v[0]], p) >= 0)
            return ti;
    }
    return c->last;
}

cdt_result cdt_insert(cdt *c, vec2 p, int32_t *out)
{
    int32_t ti = locate_point(c, p);
    const cdt_triangle *t = &c->triangles[ti];
    int on_side = -1;
    for (int i = 0; i < 3; i++) {
        vec2 q = c->points[t->v[i]];
        if (q.u == p.u && q.v == p.v) {
            *out = t->v[i];
            return CDT_OK;
        }
        if (predicate_orient2d(c->points[t->v[(i + 1) % 3]], c->points[t->v[(i + 2) % 3]], p) == 0)
            on_side = i;
    }
    *out = c->n_points;
    c->last = ti;
    if (!cdt_push_point(c, p))
        return CDT_MEMORY;
    return on_side < 0 ? cut_triangle(c, ti, *out) : cut_side(c, ti, on_side, *out);
}

/* ---- constraints ------------------------------------------------------------------------------------------------- */

int32_t cdt_find_side(const cdt *c, int32_t a, int32_t b, int *corner)
{
    int32_t first = c->triangle_of[a], ti = first;
    do {
        const cdt_triangle *t = &c->triangles[ti];
        int i = cdt_corner_of(t, a), i1 = next_corner(i), i2 = next_corner(i1);
        if (t->v[i1] == b) {
            *corner = i2;
            return ti;
        }
        ti = t->n[i1]; /* over the side from corner i2 to a: counter-clockwise round a */
    } while (ti >= 0 && ti != first);
    if (ti == first)
        return -1;
    for (ti = c->triangles[first].n[next_corner(next_corner(cdt_corner_of(&c->triangles[first], a)))]; ti >= 0;) {
        const cdt_triangle *t = &c->triangles[ti]; /* the other way, at the rim of all */
        int i = cdt_corner_of(t, a), i1 = next_corner(i), i2 = next_corner(i1);
        if (t->v[i1] == b) {
            *corner = i2;
            return ti;
        }
        ti = t->n[i2];
    }
    return -1;
}

/* Marks the side between a and b, if there is one. */
static bool fix_side(cdt *c, int32_t a, int32_t b, bool is_rim)
{
    int i;
    int32_t ti = cdt_find_side(c, a, b, &i);
    if (ti < 0)
        return false;
    cdt_triangle *t = &c->triangles[ti];
    t->is_fixed[i] = true;
    t->is_rim[i] = t->is_rim[i] || is_rim;
    if (t->n[i] >= 0) {
        cdt_triangle *o = &c->triangles[t->n[i]];
        int j = side_to(o, ti);
        o->is_fixed[j] = true;
        o->is_rim[j] = t->is_rim[i];
    }
    return true;
}

static bool point_is_ahead(const cdt *c, int32_t a, int32_t b, int32_t v)
{
    vec2 p = c->points[a], q = c->points[b], r = c->points[v];
    return (q.u - p.u) * (r.u - p.u) + (q.v - p.v) * (r.v - p.v) > 0;
}

/* The triangle at a through whose far side the segment to b leaves, or the point on the segment next to a in *on. */
static int32_t leaving_triangle(const cdt *c, int32_t a, int32_t b, int32_t *on)
{
    int32_t first = c->triangle_of[a], ti = first;
    *on = -1;
    do {
        const cdt_triangle *t = &c->triangles[ti];
        int i = cdt_corner_of(t, a), i1 = next_corner(i), i2 = next_corner(i1);
        int right = predicate_orient2d(c->points[a], c->points[b], c->points[t->v[i1]]);
        int left = predicate_orient2d(c->points[a], c->points[b], c->points[t->v[i2]]);
        if (right == 0 && point_is_ahead(c, a, b, t->v[i1])) {
            *on = t->v[i1];
            return ti;
        }
        if (right < 0 && left > 0)
            return ti;
        ti = t->n[i1];
    } while (ti >= 0 && ti != first);
    return -1; /* only for the corners of the big triangle */
}

static bool push_crossed(cdt *c, int32_t p, int32_t q)
{
    if (!ARRAY_RESERVE_MORE(c->mem, c->crossed, c->n_crossed, c->room_crossed, 1))
        return false;
    c->crossed[c->n_crossed][0] = p;
    c->crossed[c->n_crossed++][1] = q;
    return true;
}

/* Lists the sides that the segment from a crosses, up to *b or the first point on the way, which *b becomes. */
static cdt_result list_crossed(cdt *c, int32_t a, int32_t *b)
{
    int32_t on, ti = leaving_triangle(c, a, *b, &on);
    c->n_crossed = 0;
    if (ti < 0)
        return CDT_CROSSING;
    if (on >= 0) {
        *b = on;
        return CDT_OK;
    }
    int i = cdt_corner_of(&c->triangles[ti], a);
    for (;;) {
        const cdt_triangle *t = &c->triangles[ti];
        int32_t p = t->v[next_corner(i)], q = t->v[next_corner(next_corner(i))];
        if (t->is_fixed[i])
            return CDT_CROSSING;
        if (!push_crossed(c, p, q))
            return CDT_MEMORY;
        int32_t oi = t->n[i];
        const cdt_triangle *o = &c->triangles[oi];
        int32_t r = o->v[side_to(o, ti)];
        if (r == *b)
            return CDT_OK;
        int side = predicate_orient2d(c->points[a], c->points[*b], c->points[r]);
        if (side == 0) {
            *b = r;
            return CDT_OK;
        }
        i = cdt_corner_of(
            o, side > 0 ? q : p); /* go on over the side that has r and the point across the segment from it */
        ti = oi;
    }
}

/* Whether the quad of the two triangles at a side is strictly convex. */
static bool quad_is_convex(const cdt *c, int32_t ti, int i)
{
    const cdt_triangle *t = &c->triangles[ti], *o = &c->triangles[t->n[i]];
    vec2 x = c->points[t->v[i]], y = c->points[o->v[side_to(o, ti)]];
    int p = predicate_orient2d(x, y, c->points[t->v[next_corner(i)]]);
    int q = predicate_orient2d(x, y, c->points[t->v[next_corner(next_corner(i))]]);
    return p * q < 0;
}

static bool side_crosses(const cdt *c, int32_t a, int32_t b, int32_t x, int32_t y)
{
    if (x == a || x == b || y == a || y == b)
        return false;
    return predicate_orient2d(c->points[a], c->points[b], c->points[x]) *
               predicate_orient2d(c->points[a], c->points[b], c->points[y]) <
           0;
}

/* Turns crossed sides until the segment is a side. What is left in the list then are the new sides. */
static cdt_result turn_crossed_sides(cdt *c, int32_t a, int32_t b)
{
    int32_t head = 0, n_new = 0;
    int64_t most = 64 + 8 * (int64_t)c->n_crossed * c->n_crossed;
    int32_t n_open = c->n_crossed;
    while (n_open > 0 && most-- > 0) {
        /* A ring in the upper part of the list: [n_new, n_new + n_open) starting at head. */
        int32_t *side = c->crossed[n_new + head % n_open];
        int i = 0;
        int32_t ti = cdt_find_side(c, side[0], side[1], &i);
        if (ti < 0)
            return CDT_CROSSING;
        if (!quad_is_convex(c, ti, i)) {
            head++;
            continue;
        }
        const cdt_triangle *o = &c->triangles[c->triangles[ti].n[i]];
        int32_t x = c->triangles[ti].v[i], y = o->v[side_to(o, ti)];
        cdt_flip(c, ti, i);
        side[0] = x;
        side[1] = y;
        if (side_crosses(c, a, b, x, y)) {
            head++;
            continue;
        }
        int32_t kept[2] = {x, y}, *front = c->crossed[n_new];
        side[0] = front[0];
        side[1] = front[1];
        front[0] = kept[0];
        front[1] = kept[1];
        n_new++;
        n_open--;
    }
    return n_open == 0 ? CDT_OK : CDT_CROSSING;
}

static void restore_delaunay(cdt *c)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t k = 0; k < c->n_crossed; k++) {
            int i;
            int32_t ti = cdt_find_side(c, c->crossed[k][0], c->crossed[k][1], &i);
            if (ti < 0 || !side_is_bad(c, ti, i))
                continue;
            const cdt_triangle *o = &c->triangles[c->triangles[ti].n[i]];
            c->crossed[k][0] = c->triangles[ti].v[i];
            c->crossed[k][1] = o->v[side_to(o, ti)];
            cdt_flip(c, ti, i);
            changed = true;
        }
    }
}

cdt_result cdt_constrain(cdt *c, int32_t a, int32_t b, bool is_rim)
{
    while (a != b) {
        int32_t to = b;
        if (!fix_side(c, a, b, is_rim)) {
            cdt_result r = list_crossed(c, a, &to);
            if (r == CDT_OK)
                r = turn_crossed_sides(c, a, to);
            if (r != CDT_OK)
                return r;
            if (!fix_side(c, a, to, is_rim))
                return CDT_CROSSING;
            restore_delaunay(c);
        }
        a = to;
    }
    return CDT_OK;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

cdt_result cdt_inside(cdt *c, bool *inside)
{
    bool *seen;
    if (!MEM_MAKE(c->mem, seen, c->n_triangles))
        return CDT_MEMORY;
    cdt_result r = ARRAY_RESERVE(c->mem, c->stack, c->room_stack, c->n_triangles) ? CDT_OK : CDT_MEMORY;
    int32_t n = 0;
    if (r == CDT_OK) {
        int32_t first = c->triangle_of[0];
        c->stack[n++] = first;
        seen[first] = true;
        inside[first] = false;
    }
    while (n > 0) {
        int32_t ti = c->stack[--n];
        const cdt_triangle *t = &c->triangles[ti];
        for (int i = 0; i < 3; i++) {
            int32_t oi = t->n[i];
            if (oi < 0 || seen[oi])
                continue;
            seen[oi] = true;
            inside[oi] = inside[ti] != t->is_rim[i];
            c->stack[n++] = oi;
        }
    }
    MEM_FREE(c->mem, seen, c->n_triangles);
    return r;
}

bool cdt_is_valid(const cdt *c)
{
    for (int32_t ti = 0; ti < c->n_triangles; ti++) {
        const cdt_triangle *t = &c->triangles[ti];
        if (predicate_orient2d(c->points[t->v[0]], c->points[t->v[1]], c->points[t->v[2]]) <= 0)
            return false;
        for (int i = 0; i < 3; i++) {
            if (t->n[i] < 0)
                continue;
            const cdt_triangle *o = &c->triangles[t->n[i]];
            int j = side_to(o, ti);
            if (o->n[j] != ti || o->v[next_corner(j)] != t->v[next_corner(next_corner(i))] ||
                o->v[next_corner(next_corner(j))] != t->v[next_corner(i)] || o->is_fixed[j] != t->is_fixed[i] ||
                o->is_rim[j] != t->is_rim[i] || side_is_bad(c, ti, i))
                return false;
        }
    }
    /* Each point but the three corners adds two triangles. */
    return c->n_triangles == 2 * (c->n_points - CDT_FIRST) + 1;
}
