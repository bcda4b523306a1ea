/* SPDX-License-Identifier: MIT */
/* Exact signs of orientation determinants.
 *
 * Idea: what the filter of predicate.h leaves open is computed without rounding, as expansions of the coordinates'
 * differences (which have two components each; one, where the points lie on a common grid, and then all gets four
 * times shorter). Numbers out of the range where that is safe go to long integers.
 *
 * The shift of the _sos functions is simulation of simplicity (Edelsbrunner and Mücke 1990): coordinate k of the
 * point with the i-th smallest index moves by ε^(2^(3i + k)). The determinant becomes a polynomial in ε; its terms,
 * from the most significant on, are minors of the matrix, and the first that is not zero gives the sign. We walk
 * the exponents as bit masks in place of the paper's printed list.
 *
 * Invariants:
 * 1. Coordinates c with c = 0 or 2⁻²⁵⁰ ≤ |c| ≤ 2³⁰⁰ are multiples of 2⁻³⁰²; products of three have no bit below
 *    2⁻⁹⁰⁶ and stay below 2⁹⁰⁶, Dekker's splitting below 2⁹³⁴.
 * 2. Swapping two points changes the sign of every predicate here, and nothing else. */
#include "math/predicate.h"

#include "math/expansion.h"
#include "math/long_sum.h"

static bool is_safe(double c)
{
    return c == 0.0 || (fabs(c) >= 0x1p-250 && fabs(c) <= 0x1p300);
}

static bool is_safe3(vec3 a)
{
    return is_safe(a.x) && is_safe(a.y) && is_safe(a.z);
}

static bool is_safe2(vec2 a)
{
    return is_safe(a.u) && is_safe(a.v);
}

/* ---- expansions ------------------------------------------------------------------------------------------------ */

typedef struct pair {
    double e[2];
    int n;
} pair;

static pair pair_difference(double a, double b)
{
    pair p;
    p.n = expansion_difference(a, b, p.e);
    return p;
}

/* out[16] = a d − b c */
static int minor2_of(const pair *a, const pair *b, const pair *c, const pair *d, double out[16])
{
    double work[8], left[8], right[8];
    int n_left = expansion_times_pair(a->e, a->n, d->e, d->n, work, left);
    int n_right = expansion_times_pair(b->e, b->n, c->e, c->n, work, right);
    return expansion_add(left, n_left, right, n_right, -1.0, out);
}

static int expansions2d(vec2 a, vec2 b, vec2 c)
{
    pair bu = pair_difference(b.u, a.u), bv = pair_difference(b.v, a.v), cu = pair_difference(c.u, a.u),
         cv = pair_difference(c.v, a.v);
    double det[16];
    int n = minor2_of(&bu, &bv, &cu, &cv, det);
    return expansion_sign(det, n);
}

static int expansions3d(vec3 a, vec3 b, vec3 c, vec3 d)
{
    pair bx = pair_difference(b.x, a.x), by = pair_difference(b.y, a.y), bz = pair_difference(b.z, a.z);
    pair cx = pair_difference(c.x, a.x), cy = pair_difference(c.y, a.y), cz = pair_difference(c.z, a.z);
    pair dx = pair_difference(d.x, a.x), dy = pair_difference(d.y, a.y), dz = pair_difference(d.z, a.z);
    double minor[16], work[64], x[64], y[64], z[64], xy[128], det[192];
    int n_x = expansion_times_pair(minor, minor2_of(&by, &bz, &cy, &cz, minor), dx.e, dx.n, work, x);
    int n_y = expansion_times_pair(minor, minor2_of(&bz, &bx, &cz, &cx, minor), dy.e, dy.n, work, y);
    int n_z = expansion_times_pair(minor, minor2_of(&bx, &by, &cx, &cy, minor), dz.e, dz.n, work, z);
    int n_xy = expansion_add(x, n_x, y, n_y, 1.0, xy);
    int n = expansion_add(xy, n_xy, z, n_z, 1.0, det);
    return expansion_sign(det, n);
}

/* ---- long integers --------------------------------------------------------------------------------------------- */

/* sign · det(a, b, c) */
static void add_determinant(long_sum *s, int sign, vec3 a, vec3 b, vec3 c)
{
    long_sum_add(s, sign, a.x, b.y, c.z);
    long_sum_add(s, sign, a.y, b.z, c.x);
    long_sum_add(s, sign, a.z, b.x, c.y);
    long_sum_add(s, -sign, a.x, b.z, c.y);
    long_sum_add(s, -sign, a.y, b.x, c.z);
    long_sum_add(s, -sign, a.z, b.y, c.x);
}

/* det(b − a, c − a, d − a), expanded */
static int integers3d(vec3 a, vec3 b, vec3 c, vec3 d)
{
    long_sum s;
    long_sum_start(&s);
    add_determinant(&s, 1, b, c, d);
    add_determinant(&s, -1, a, c, d);
    add_determinant(&s, 1, a, b, d);
    add_determinant(&s, -1, a, b, c);
    return long_sum_sign(&s);
}

static int integers2d(vec2 a, vec2 b, vec2 c)
{
    long_sum s;
    long_sum_start(&s);
    add_determinant(&s, 1, v3(a.u, a.v, 1.0), v3(b.u, b.v, 1.0), v3(c.u, c.v, 1.0));
    return long_sum_sign(&s);
}

int predicate_exact2d(vec2 a, vec2 b, vec2 c)
{
    return is_safe2(a) && is_safe2(b) && is_safe2(c) ? expansions2d(a, b, c) : integers2d(a, b, c);
}

int predicate_exact3d(vec3 a, vec3 b, vec3 c, vec3 d)
{
    bool safe = is_safe3(a) && is_safe3(b) && is_safe3(c) && is_safe3(d);
    return safe ? expansions3d(a, b, c, d) : integers3d(a, b, c, d);
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

bool predicate_is_collinear(vec3 a, vec3 b, vec3 c, int *axis)
{
    for (int k = 0; k < 3; k++)
        if (predicate_orient2d(predicate_drop(a, k), predicate_drop(b, k), predicate_drop(c, k)) != 0) {
            *axis = k;
            return false;
        }
    return true;
}

/* ---- simulation of simplicity ---------------------------------------------------------------------------------- */

/* A minor of the matrix with rows (x, y, z, 1), points in order: the rows left and the columns left of x, y, z. */
typedef struct minor {
    int rows[4], columns[3];
    int n_columns;
    int sign; /* of the term's cofactor */
} minor;

/* Bit 3i + k of the mask: the term has the shift of point i along k, so row i and column k are gone. False: no such
 * term, for each row and each column can be gone once only. */
static bool minor_for(int mask, minor *out)
{
    int column_of[4] = {-1, -1, -1, -1}, gone = 0, n_rows = 0;
    for (int bit = 0; bit < 12; bit++) {
        if (!(mask >> bit & 1))
            continue;
        int row = bit / 3, column = bit % 3;
        if (column_of[row] >= 0 || (gone >> column & 1))
            return false;
        column_of[row] = column;
        gone |= 1 << column;
    }
    out->n_columns = 0;
    for (int k = 0; k < 3; k++)
        if (!(gone >> k & 1))
            out->columns[out->n_columns++] = k;
    /* The full permutation of columns: those gone at their rows, the others (with that of ones) in order at the
     * rest. */
    int order[4], next = 0;
    for (int i = 0; i < 4; i++) {
        if (column_of[i] < 0)
            out->rows[n_rows++] = i;
        order[i] = column_of[i] >= 0 ? column_of[i] : next < out->n_columns ? out->columns[next++] : 3;
    }
    out->sign = 1;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            if (order[i] > order[j])
                out->sign = -out->sign;
    return true;
}

static double coordinate_of(vec3 a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

/* Sign of the determinant of the minor's rows (…, 1). */
static int minor_sign(const vec3 *const x[4], const minor *m)
{
    if (m->n_columns == 0)
        return m->sign;
    if (m->n_columns == 1) { /* |s 1; t 1| = s − t */
        double s = coordinate_of(*x[m->rows[0]], m->columns[0]), t = coordinate_of(*x[m->rows[1]], m->columns[0]);
        return s > t ? m->sign : s < t ? -m->sign : 0;
    }
    vec2 p[3];
    for (int i = 0; i < 3; i++)
        p[i] = (vec2){coordinate_of(*x[m->rows[i]], m->columns[0]), coordinate_of(*x[m->rows[i]], m->columns[1])};
    return m->sign * predicate_orient2d(p[0], p[1], p[2]);
}

/* Sorts the points by index; the sign of the permutation. */
static int sort_points(const vec3 **x, int32_t *index)
{
    int sign = 1;
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && index[j - 1] > index[j]; j--) {
            int32_t k = index[j];
            const vec3 *p = x[j];
            index[j] = index[j - 1], index[j - 1] = k;
            x[j] = x[j - 1], x[j - 1] = p;
            sign = -sign;
        }
    return sign;
}

int predicate_orient3d_sos(const vec3 x[4], const int32_t index[4])
{
    int sign = predicate_orient3d(x[0], x[1], x[2], x[3]);
    if (sign != 0)
        return sign;
    const vec3 *sorted[4] = {&x[0], &x[1], &x[2], &x[3]};
    int32_t order[4] = {index[0], index[1], index[2], index[3]};
    /* det(b − a, c − a, d − a) is minus the determinant with rows (x, y, z, 1). */
    int parity = -sort_points(sorted, order);
    minor m;
    for (int mask = 1; mask < 1 << 12; mask++) /* ends at 0b1010100, whose minor is 1, if not before */
        if (minor_for(mask, &m)) {
            sign = minor_sign(sorted, &m);
            if (sign != 0)
                return parity * sign;
        }
    return parity;
}

/* orient3d_sos of four of five points */
static int orient_of(const vec3 x[5], const int32_t index[5], int a, int b, int c, int d)
{
    const vec3 points[4] = {x[a], x[b], x[c], x[d]};
    const int32_t indices[4] = {index[a], index[b], index[c], index[d]};
    return predicate_orient3d_sos(points, indices);
}

int predicate_crosses_sos(const vec3 x[5], const int32_t index[5])
{
    int from = orient_of(x, index, 2, 3, 4, 0);
    if (from == orient_of(x, index, 2, 3, 4, 1))
        return 0;
    int side = orient_of(x, index, 0, 1, 2, 3);
    if (orient_of(x, index, 0, 1, 3, 4) != side || orient_of(x, index, 0, 1, 4, 2) != side)
        return 0;
    return from;
}
