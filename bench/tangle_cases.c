/* SPDX-License-Identifier: MIT */
/* Makes the tangles of tangle_cases.h. A pose that does not fulfil what its kind promises is drawn again from the same
 * sequence, so that every seed has a case. */
#include "tangle_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586
/* m */
#define EDGE 0.01

const char *const tangle_kind_names[TANGLE_KINDS] = {"strip", "sheets",  "knot", "one-sided", "layers",
                                                     "body",  "capsule", "arm",  "hopeless",  "sleeve"};

static double drawn(uint64_t *state, double a, double b)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return a + (b - a) * (double)(z >> 11) * 0x1p-53;
}

static weft_vec3 sum_of(weft_vec3 a, double s, weft_vec3 b)
{
    return (weft_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot_of(weft_vec3 a, weft_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static weft_vec3 cross_of(weft_vec3 a, weft_vec3 b)
{
    return (weft_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static weft_vec3 unit_of(weft_vec3 a)
{
    double length = sqrt(dot_of(a, a));
    return length > 0 ? sum_of((weft_vec3){0, 0, 0}, 1 / length, a) : (weft_vec3){1, 0, 0};
}

static weft_vec3 drawn_direction(uint64_t *seed)
{
    double z = drawn(seed, -1, 1), t = drawn(seed, 0, TURN), r = sqrt(1 - z * z);
    return (weft_vec3){r * cos(t), r * sin(t), z};
}

/* Triangles between rows of nodes; `around`: the last node of a row is beside the first. Diagonals alternate. */
static void join_rows(heap *h, int32_t first, int n_rows, int n, bool around)
{
    for (int j = 0; j + 1 < n_rows; j++)
        for (int i = 0; i < n - !around; i++) {
            int32_t a = first + j * n + i, b = first + j * n + (i + 1) % n, c = a + n, d = b + n;
            if ((i + j) % 2 == 0) {
                heap_triangle(h, a, b, d);
                heap_triangle(h, a, d, c);
            } else {
                heap_triangle(h, a, b, c);
                heap_triangle(h, b, d, c);
            }
        }
}

/* ---- strips ------------------------------------------------------------------------------------------------------ */

enum { STRIP_LONG = 128, STRIP_WIDE = 16, WAVES = 5 };

typedef struct flat_point {
    double x, y;
} flat_point;

/* A line of equal steps whose direction is a sum of waves. */
static void draw_section(flat_point *p, int n, uint64_t *seed)
{
    double size[WAVES], phase[WAVES], angle = 0;
    for (int k = 0; k < WAVES; k++) {
        size[k] = drawn(seed, -3.5, 3.5) / sqrt(k + 1.0);
        phase[k] = drawn(seed, 0, TURN);
    }
    double drift = drawn(seed, -4, 4);
    p[0] = (flat_point){0, 0};
    for (int i = 1; i < n; i++) {
        double s = (i - 0.5) / (n - 1);
        angle = drift * s;
        for (int k = 0; k < WAVES; k++)
            angle += size[k] * sin(TURN / 2 * (k + 1) * s + phase[k]);
        p[i] = (flat_point){p[i - 1].x + EDGE * cos(angle), p[i - 1].y + EDGE * sin(angle)};
    }
}

static double side_of_line(flat_point a, flat_point b, flat_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* One to six crossings, of which one has a fifth of the strip beyond it at either end; nowhere bent by more than a
 * radian over an edge. */
static bool section_is_tangled(const flat_point *p, int n)
{
    int crossings = 0, deep = 0;
    for (int i = 0; i + 2 < n; i++) {
        double dx = p[i + 1].x - p[i].x, dy = p[i + 1].y - p[i].y;
        if (dx * (p[i + 2].x - p[i + 1].x) + dy * (p[i + 2].y - p[i + 1].y) < 0.54 * EDGE * EDGE)
            return false;
    }
    for (int i = 0; i + 1 < n; i++)
        for (int j = i + 2; j + 1 < n; j++)
            if (side_of_line(p[i], p[i + 1], p[j]) * side_of_line(p[i], p[i + 1], p[j + 1]) < 0 &&
                side_of_line(p[j], p[j + 1], p[i]) * side_of_line(p[j], p[j + 1], p[i + 1]) < 0) {
                crossings++;
                deep += 5 * i >= n && 5 * (n - j) >= n;
            }
    return crossings >= 1 && crossings <= 6 && deep > 0;
}

static bool make_strip(tangle_case *c, uint64_t *seed)
{
    flat_point p[STRIP_LONG];
    do
        draw_section(p, STRIP_LONG, seed);
    while (!section_is_tangled(p, STRIP_LONG));
    int32_t first = c->h.n_nodes;
    if (!heap_grow(&c->h, STRIP_LONG * STRIP_WIDE, 2 * STRIP_LONG * STRIP_WIDE))
        return false;
    for (int i = 0; i < STRIP_LONG; i++)
        for (int j = 0; j < STRIP_WIDE; j++)
            c->h.x[c->h.n_nodes++] = (weft_vec3){p[i].x, p[i].y, EDGE * (j - 0.5 * STRIP_WIDE)};
    join_rows(&c->h, first, STRIP_LONG, STRIP_WIDE, false);
    c->h.n_objects++;
    return true;
}

/* ---- sheets ------------------------------------------------------------------------------------------------------ */

/* Middles within a third of a sheet of each other, in any direction. */
static bool make_crossed_sheets(tangle_case *c, uint64_t *seed)
{
    int n_sheets = (int)drawn(seed, 2, 6), n = (int)sqrt(2000.0 / n_sheets);
    double size = EDGE * (n - 1);
    for (int k = 0; k < n_sheets; k++) {
        weft_vec3 u = drawn_direction(seed), v = unit_of(cross_of(u, drawn_direction(seed)));
        weft_vec3 middle = {drawn(seed, -size, size) / 3, drawn(seed, -size, size) / 3, drawn(seed, -size, size) / 3};
        weft_vec3 corner = sum_of(sum_of(middle, -size / 2, u), -size / 2, v);
        int32_t first = c->h.n_nodes;
        if (!heap_grow(&c->h, n * n, 2 * n * n))
            return false;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                c->h.x[c->h.n_nodes++] = sum_of(sum_of(corner, EDGE * i, u), EDGE * j, v);
        join_rows(&c->h, first, n, n, false);
        c->h.n_objects++;
    }
    return true;
}

/* ---- tubes along lines ------------------------------------------------------------------------------------------- */

enum { KNOT_AROUND = 16, KNOT_ALONG_MOST = 400, FINE = 4000 };

/* A closed line by its parameter in [0, 1): torus knots (2, q), else the figure-eight and 8_18. `a` is how far strands
 * are from the middle between them, over the size of the knot. */
static weft_vec3 knot_point(int kind, double a, double t)
{
    static const int turns[] = {3, 5, 7};
    double w = TURN * t;
    if (kind < 3) {
        double r = 1 + a * cos(turns[kind] * w);
        return (weft_vec3){r * cos(2 * w), r * sin(2 * w), a * sin(turns[kind] * w)};
    }
    if (kind == 3)
        return (weft_vec3){(2 + cos(2 * w)) * cos(3 * w) / 3, (2 + cos(2 * w)) * sin(3 * w) / 3, a * sin(4 * w)};
    return (weft_vec3){(1 + 0.45 * cos(4 * w)) * cos(3 * w), (1 + 0.45 * cos(4 * w)) * sin(3 * w), a * sin(8 * w)};
}

/* Length over diameter of ropes that are pulled tight: known figures, rounded up. */
static const double knot_rope[] = {16.4, 23.6, 30.8, 21.1, 37.6};

/* n points at equal distances along the knot at unit size; returns its length. */
static double knot_line(int kind, double a, int n, weft_vec3 *out)
{
    double way[FINE + 1];
    way[0] = 0;
    for (int i = 0; i < FINE; i++) {
        weft_vec3 d = sum_of(knot_point(kind, a, (i + 1.0) / FINE), -1, knot_point(kind, a, (double)i / FINE));
        way[i + 1] = way[i] + sqrt(dot_of(d, d));
    }
    for (int i = 0, k = 0; i < n; i++) {
        double at = way[FINE] * i / n;
        while (way[k + 1] < at)
            k++;
        out[i] = knot_point(kind, a, (k + (at - way[k]) / (way[k + 1] - way[k])) / FINE);
    }
    return way[FINE];
}

/* A frame carried along a closed line without turning; the turn that is left at the end is spread over it. */
static void carry_frame(const weft_vec3 *p, int n, weft_vec3 *u, weft_vec3 *v)
{
    weft_vec3 side = {0.3, 0.5, 0.8}, t = {0, 0, 0};
    for (int i = 0; i <= n; i++) {
        t = unit_of(sum_of(p[(i + 1) % n], -1, p[(i + n - 1) % n]));
        side = unit_of(sum_of(side, -dot_of(side, t), t));
        if (i < n) {
            u[i] = side;
            v[i] = cross_of(t, side);
        }
    }
    double left = atan2(dot_of(side, v[0]), dot_of(side, u[0]));
    for (int i = 0; i < n; i++) {
        double turn = -left * i / n;
        weft_vec3 zero = {0, 0, 0}, a = u[i], b = v[i];
        u[i] = sum_of(sum_of(zero, cos(turn), a), sin(turn), b);
        v[i] = sum_of(sum_of(zero, -sin(turn), a), cos(turn), b);
    }
}

/* longer: times the length that it needs at its radius, when pulled tight; from, to. */
static bool make_knot(tangle_case *c, uint64_t *seed, double longer, double longest)
{
    weft_vec3 p[KNOT_ALONG_MOST], u[KNOT_ALONG_MOST], v[KNOT_ALONG_MOST];
    int kind = (int)drawn(seed, 0, 5);
    double length = knot_line(kind, 0.2, 10, p), diameter = length / (drawn(seed, longer, longest) * knot_rope[kind]);
    double a = drawn(seed, 0.55, 0.85) * diameter / 2;
    length = knot_line(kind, a, 10, p);
    int n = (int)(length / (diameter * TURN / 2 / KNOT_AROUND));
    n = n < KNOT_ALONG_MOST ? n : KNOT_ALONG_MOST;
    knot_line(kind, a, n, p);
    carry_frame(p, n, u, v);
    double scale = EDGE / (length / n);
    int32_t first = c->h.n_nodes;
    if (!heap_grow(&c->h, n * KNOT_AROUND, 2 * n * KNOT_AROUND))
        return false;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < KNOT_AROUND; i++) {
            double t = TURN * i / KNOT_AROUND;
            weft_vec3 at = sum_of(sum_of(p[j], cos(t) * diameter / 2, u[j]), sin(t) * diameter / 2, v[j]);
            c->h.x[c->h.n_nodes++] = (weft_vec3){scale * at.x, scale * at.y, scale * at.z};
        }
    join_rows(&c->h, first, n, KNOT_AROUND, true);
    for (int i = 0; i < KNOT_AROUND; i++) {
        int32_t l = first + (n - 1) * KNOT_AROUND, k = (i + 1) % KNOT_AROUND;
        heap_triangle(&c->h, l + i, l + k, first + k);
        heap_triangle(&c->h, l + i, first + k, first + i);
    }
    c->h.n_objects++;
    return true;
}

/* ---- one-sided surfaces ------------------------------------------------------------------------------------------ */

/* A band along a figure of eight that crosses itself, with one half turn. */
static bool make_moebius(tangle_case *c, uint64_t *seed)
{
    enum { N = 160, W = 12 };
    double high = drawn(seed, 0, 0.04), size = 0.42 * N * EDGE / 3;
    int32_t first = c->h.n_nodes;
    if (!heap_grow(&c->h, N * W, 2 * N * W))
        return false;
    for (int j = 0; j < N; j++) {
        double t = TURN * j / N;
        weft_vec3 p = {size * cos(t), 0.6 * size * sin(2 * t), high * sin(t)};
        weft_vec3 d = unit_of((weft_vec3){-size * sin(t), 1.2 * size * cos(2 * t), high * cos(t)});
        weft_vec3 up = unit_of(sum_of((weft_vec3){0, 0, 1}, -d.z, d)), side = cross_of(up, d);
        for (int i = 0; i < W; i++) {
            double s = EDGE * (i - (W - 1) / 2.0);
            c->h.x[c->h.n_nodes++] = sum_of(sum_of(p, s * cos(t / 2), up), s * sin(t / 2), side);
        }
    }
    join_rows(&c->h, first, N, W, false);
    for (int i = 0; i + 1 < W; i++) {
        int32_t a = first + (N - 1) * W + i, b = a + 1, p = first + W - 1 - i, q = p - 1;
        heap_triangle(&c->h, a, b, q);
        heap_triangle(&c->h, a, q, p);
    }
    c->h.n_objects++;
    return true;
}

/* The bottle's neck goes through its wall. */
static weft_vec3 klein_point(double u, double v, double size)
{
    double r = 4 * (1 - cos(u) / 2);
    double x = u < TURN / 2 ? 6 * cos(u) * (1 + sin(u)) + r * cos(u) * cos(v) : 6 * cos(u) * (1 + sin(u)) - r * cos(v);
    double y = u < TURN / 2 ? 16 * sin(u) + r * sin(u) * cos(v) : 16 * sin(u);
    return (weft_vec3){size * x, size * y, size * r * sin(v)};
}

/* The disc is cut out of the wall, whose tube has 51 mm about there, beside where the neck, of 21 mm, goes through it:
 * across a part of the contour, so wide that the neck has room in it. Anywhere else it would be no way out, and where
 * the tube is thinner it would cut that in two. */
static bool make_klein(tangle_case *c, uint64_t *seed)
{
    enum { N = 80, W = 26 };
    double size = 0.009, hole = seed ? drawn(seed, 0.03, 0.036) : 0;
    double beside = seed ? drawn(seed, 0.014, 0.028) : 0, way = seed ? drawn(seed, 0, TURN) : 0;
    int32_t first = c->h.n_nodes;
    if (!heap_grow(&c->h, N * W, 2 * N * W))
        return false;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < W; i++)
            c->h.x[c->h.n_nodes++] = klein_point(TURN * j / N, TURN * i / W, size);
    double u = 1.17 * TURN / 2 + beside * cos(way) / 0.124, v = TURN / 2 + beside * sin(way) / 0.051;
    weft_vec3 centre = klein_point(u, v, size);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < W; i++) {
            bool last = j == N - 1;
            int k = (i + 1) % W;
            int32_t a = first + j * W + i, b = first + j * W + k;
            int32_t p = last ? first + (W + W / 2 - i) % W : a + W, q = last ? first + (W + W / 2 - k) % W : b + W;
            weft_vec3 d = sum_of(c->h.x[a], -1, centre);
            if (20 * j > 9 * N && 4 * j < 3 * N && dot_of(d, d) < hole * hole)
                continue;
            heap_triangle(&c->h, a, b, q);
            heap_triangle(&c->h, a, q, p);
        }
    c->h.n_objects++;
    return true;
}

/* ---- what is worn ------------------------------------------------------------------------------------------------ */

/* A tube along y whose radius is `radius` and more by `bulge` about an angle and a height. */
typedef struct worn {
    double radius, length, bulge, angle, height, width;
    int n_around, n_along;
} worn;

static weft_vec3 worn_point(const worn *w, double angle, double y, double bulge)
{
    double d = remainder(angle - w->angle, TURN) * w->radius, e = y - w->height;
    double r = w->radius + bulge * exp(-(d * d + e * e) / (w->width * w->width));
    return (weft_vec3){r * cos(angle), y, -r * sin(angle)};
}

static bool add_worn(tangle_case *c, const worn *w, weft_vec3 *original)
{
    int32_t first = c->h.n_nodes;
    if (!heap_grow(&c->h, w->n_around * w->n_along, 2 * w->n_around * w->n_along))
        return false;
    c->tube[c->n_tubes++] = (tangle_tube){first, w->n_around, w->n_along};
    for (int j = 0; j < w->n_along; j++)
        for (int i = 0; i < w->n_around; i++) {
            double t = TURN * (i + 0.5 * (j % 2)) / w->n_around, y = w->length * (j / (w->n_along - 1.0) - 0.5);
            if (original)
                original[c->h.n_nodes] = worn_point(w, t, y, 0);
            c->h.x[c->h.n_nodes++] = worn_point(w, t, y, w->bulge);
        }
    join_rows(&c->h, first, w->n_along, w->n_around, true);
    c->h.n_objects++;
    return true;
}

static worn drawn_worn(uint64_t *seed, double radius, double bulge, int n)
{
    worn w = {.radius = radius, .bulge = bulge, .angle = drawn(seed, 0, TURN), .width = drawn(seed, 0.04, 0.08)};
    w.n_around = (int)(TURN * radius / (EDGE * sqrt(1000.0 / n)));
    w.n_along = n / w.n_around;
    w.length = TURN * radius / w.n_around * (w.n_along - 1);
    w.height = drawn(seed, -0.25, 0.25) * w.length;
    return w;
}

static bool make_layers(tangle_case *c, uint64_t *seed)
{
    worn inner = drawn_worn(seed, 0.08, drawn(seed, 0.02, 0.06), 1000);
    worn outer = drawn_worn(seed, 0.09, -drawn(seed, 0.02, 0.06), 1000);
    c->layer = (weft_untangle_layer){0, 1};
    c->n_layers = 1;
    c->original = calloc(2200, sizeof *c->original);
    return c->original && add_worn(c, &inner, c->original) && add_worn(c, &outer, c->original);
}

/* Along y; caps of rings. */
static bool add_limb(tangle_case *c, double radius, double height, int n)
{
    int rings = n / 2, n_rows = 2 * rings;
    int32_t first = c->h.n_nodes;
    if (!heap_grow(&c->h, n_rows * n + 2, 2 * n_rows * n + 2 * n))
        return false;
    for (int j = 0; j < n_rows; j++)
        for (int i = 0; i < n; i++) {
            bool top = j >= rings;
            double t = TURN * i / n, a = TURN / 4 * ((j % rings) + (top ? 0 : 1)) / rings - (top ? 0 : TURN / 4);
            double y = radius * sin(a) + (top ? height / 2 : -height / 2);
            c->h.x[c->h.n_nodes++] = (weft_vec3){radius * cos(a) * cos(t), y, -radius * cos(a) * sin(t)};
        }
    join_rows(&c->h, first, n_rows, n, true);
    c->h.x[c->h.n_nodes++] = (weft_vec3){0, -height / 2 - radius, 0};
    c->h.x[c->h.n_nodes++] = (weft_vec3){0, height / 2 + radius, 0};
    for (int i = 0; i < n; i++) {
        heap_triangle(&c->h, c->h.n_nodes - 2, first + (i + 1) % n, first + i);
        heap_triangle(&c->h, c->h.n_nodes - 1, first + (n_rows - 1) * n + i, first + (n_rows - 1) * n + (i + 1) % n);
    }
    c->is_collider[c->h.n_objects++] = true;
    return true;
}

static bool make_body(tangle_case *c, uint64_t *seed, bool mesh)
{
    worn w = drawn_worn(seed, 0.09, -drawn(seed, 0.02, 0.07), 2000);
    c->original = calloc(5000, sizeof *c->original);
    if (!c->original || !add_worn(c, &w, c->original))
        return false;
    c->limb = 0.08;
    c->solid = weft_collider_def_default();
    c->solid.kind = WEFT_COLLIDER_CAPSULE;
    c->solid.radius = 0.08;
    c->solid.height = 0.8;
    c->n_solids = mesh ? 0 : 1;
    return !mesh || add_limb(c, 0.08, 0.8, 40);
}

static bool make_arm(tangle_case *c, uint64_t *seed)
{
    enum { N = 42 };
    weft_vec3 n = unit_of((weft_vec3){drawn(seed, -0.5, 0.5), 1, drawn(seed, -0.5, 0.5)});
    weft_vec3 u = unit_of(cross_of(n, (weft_vec3){0, 0, 1})), v = cross_of(u, n);
    double out = drawn(seed, 0.03, 0.12), a = drawn(seed, -0.1, 0.1), b = drawn(seed, -0.1, 0.1);
    weft_vec3 corner = sum_of(sum_of((weft_vec3){0, 0.15 - out, 0}, a - 0.5 * EDGE * N, u), b - 0.5 * EDGE * N, v);
    int32_t first = c->h.n_nodes;
    if (!heap_grow(&c->h, N * N, 2 * N * N))
        return false;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            c->h.x[c->h.n_nodes++] = sum_of(sum_of(corner, EDGE * i, u), EDGE * j, v);
    join_rows(&c->h, first, N, N, false);
    c->h.n_objects++;
    return add_limb(c, 0.04, 0.3, 24);
}

/* ---- sleeves ----------------------------------------------------------------------------------------------------- */

/* Along its length, from the shoulder: up, over a fold that is round, and back down inside. */
typedef struct sleeve {
    double radius, fold, length; /* of the wall; of the section of the fold; from fold to cuff, m */
    double up;                   /* height of the fold's beginning, m */
    double shift, lies;          /* of the cuff, sideways, m; before it was tangled, when it lay at the wall */
    double angle, twist;         /* which way, and how far that turns on the way to it */
    double flare;                /* what the cuff is wider than where the turned part begins, m */
} sleeve;

static weft_vec3 sleeve_point(const sleeve *w, double s, double angle, bool tangled)
{
    double turn = fmin(fmax((s - w->up) / w->fold, 0), TURN / 2), past = fmax(0, s - w->up - w->fold * TURN / 2);
    double u = past / w->length, r = w->radius - w->fold * (1 - cos(turn)) + (tangled ? w->flare * u * u : 0);
    double y = fmin(s, w->up) + w->fold * sin(turn) - past, shift = (tangled ? w->shift : w->lies) * u;
    double way = w->angle + w->twist * u;
    return (weft_vec3){r * cos(angle) + shift * cos(way), y, -r * sin(angle) + shift * sin(way)};
}

/* Every third cuff is so wide that it goes through the wall all round, the others through one side. */
static bool make_sleeve(tangle_case *c, uint64_t *seed)
{
    enum { AROUND = 36, ALONG = 56 };
    double radius = EDGE * AROUND / TURN, fold = drawn(seed, 0.008, 0.011), gap = 2 * fold;
    bool wide = drawn(seed, 0, 3) < 1;
    sleeve w = {.radius = radius, .fold = fold, .up = EDGE * drawn(seed, 28, 36)};
    w.length = EDGE * (ALONG - 1) - w.up - fold * TURN / 2;
    w.flare = wide ? gap + drawn(seed, 0.004, 0.012) : 0;
    w.lies = wide ? 0 : gap - 0.004;
    w.shift = wide ? 0 : gap + drawn(seed, 0.008, 0.03);
    w.angle = drawn(seed, 0, TURN);
    w.twist = drawn(seed, -1.5, 1.5);
    int32_t first = c->h.n_nodes;
    c->original = calloc(AROUND * ALONG, sizeof *c->original);
    if (!c->original || !heap_grow(&c->h, AROUND * ALONG, 2 * AROUND * ALONG))
        return false;
    for (int j = 0; j < ALONG; j++)
        for (int i = 0; i < AROUND; i++) {
            double angle = TURN * (i + 0.5 * (j % 2)) / AROUND;
            c->original[c->h.n_nodes] = sleeve_point(&w, EDGE * j, angle, false);
            c->h.x[c->h.n_nodes++] = sleeve_point(&w, EDGE * j, angle, true);
        }
    join_rows(&c->h, first, ALONG, AROUND, true);
    c->h.n_objects++;
    return true;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

bool tangle_case_make(tangle_case *c, tangle_kind kind, uint64_t seed)
{
    *c = (tangle_case){0};
    uint64_t state = seed * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)kind;
    switch (kind) {
    case TANGLE_STRIP: return make_strip(c, &state);
    case TANGLE_SHEETS: return make_crossed_sheets(c, &state);
    case TANGLE_KNOT: return make_knot(c, &state, 1.5, 1.7);
    case TANGLE_ONE_SIDED: return seed % 2 ? make_moebius(c, &state) : make_klein(c, &state);
    case TANGLE_LAYERS: return make_layers(c, &state);
    case TANGLE_BODY: return make_body(c, &state, true);
    case TANGLE_CAPSULE: return make_body(c, &state, false);
    case TANGLE_SLEEVE: return make_sleeve(c, &state);
    case TANGLE_HOPELESS: return seed % 2 ? make_klein(c, NULL) : make_knot(c, &state, 0.5, 0.6);
    default: return make_arm(c, &state);
    }
}

void tangle_case_free(tangle_case *c)
{
    free(c->original);
    heap_free(&c->h);
}

weft_untangle_def tangle_case_def(const tangle_case *c, const bench_options *o)
{
    weft_untangle_def d = heap_def(&c->h, o);
    d.method = WEFT_UNTANGLE_CLOTH;
    d.object_is_collider = c->is_collider;
    d.layers = &c->layer;
    d.n_layers = c->n_layers;
    d.colliders = &c->solid;
    d.n_colliders = c->n_solids;
    return d;
}
