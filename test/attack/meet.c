/* SPDX-License-Identifier: MIT */
/* Do two triangles meet? Exactly, on integers. Coordinates are below 2^40, differences below 2^41, determinants of
 * three below 6 · 2^123 < 2^126: they fit into 128 bits.
 *
 * Triangles in different planes meet if an edge of one meets the other. Corners at the same place are common, and no
 * meeting: then only edges away from them count, since whatever begins at a common corner ends on such an edge. */
#include "attack/judge.h"

__extension__ typedef __int128 wide;

static int sign_of(wide x)
{
    return (x > 0) - (x < 0);
}

static wide minor_of(const int64_t a[3], const int64_t b[3], int i, int j)
{
    return (wide)a[i] * b[j] - (wide)a[j] * b[i];
}

static void minus(int64_t out[3], const int64_t a[3], const int64_t b[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/* Of the volume of a, b, c, d. */
static int side_of(const int64_t a[3], const int64_t b[3], const int64_t c[3], const int64_t d[3])
{
    int64_t u[3], v[3], w[3];
    minus(u, b, a);
    minus(v, c, a);
    minus(w, d, a);
    return sign_of(w[0] * minor_of(u, v, 1, 2) + w[1] * minor_of(u, v, 2, 0) + w[2] * minor_of(u, v, 0, 1));
}

/* ---- in one plane: coordinates i and j --------------------------------------------------------------------------- */

typedef struct plane_axes {
    int i, j;
} plane_axes;

/* Axes along which the triangle has an area; false: it has none at all. */
static bool axes_of(int64_t t[3][3], plane_axes *axes)
{
    int64_t u[3], v[3];
    minus(u, t[1], t[0]);
    minus(v, t[2], t[0]);
    for (int k = 0; k < 3; k++) {
        *axes = (plane_axes){k, (k + 1) % 3};
        if (minor_of(u, v, axes->i, axes->j) != 0)
            return true;
    }
    return false;
}

static int turn_of(plane_axes p, const int64_t a[3], const int64_t b[3], const int64_t c[3])
{
    int64_t u[3], v[3];
    minus(u, b, a);
    minus(v, c, a);
    return sign_of(minor_of(u, v, p.i, p.j));
}

static bool is_between(plane_axes p, const int64_t a[3], const int64_t b[3], const int64_t x[3])
{
    for (int n = 0, k = p.i; n < 2; n++, k = p.j)
        if ((x[k] < a[k] && x[k] < b[k]) || (x[k] > a[k] && x[k] > b[k]))
            return false;
    return true;
}

static bool flat_segments_meet(plane_axes p, const int64_t a[3], const int64_t b[3], const int64_t c[3],
                               const int64_t d[3])
{
    int abc = turn_of(p, a, b, c), abd = turn_of(p, a, b, d), cda = turn_of(p, c, d, a), cdb = turn_of(p, c, d, b);
    if (abc * abd < 0 && cda * cdb < 0)
        return true;
    return (abc == 0 && is_between(p, a, b, c)) || (abd == 0 && is_between(p, a, b, d)) ||
           (cda == 0 && is_between(p, c, d, a)) || (cdb == 0 && is_between(p, c, d, b));
}

static bool flat_inside(plane_axes p, int64_t t[3][3], const int64_t x[3])
{
    int s0 = turn_of(p, t[0], t[1], x), s1 = turn_of(p, t[1], t[2], x), s2 = turn_of(p, t[2], t[0], x);
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

static bool flat_segment_meets(int64_t t[3][3], const int64_t a[3], const int64_t b[3])
{
    plane_axes p;
    if (!axes_of(t, &p))
        return false;
    for (int k = 0; k < 3; k++)
        if (flat_segments_meet(p, a, b, t[k], t[(k + 1) % 3]))
            return true;
    return flat_inside(p, t, a);
}

/* ---- in space ---------------------------------------------------------------------------------------------------- */

static bool segment_meets(int64_t t[3][3], const int64_t a[3], const int64_t b[3])
{
    int sa = side_of(t[0], t[1], t[2], a), sb = side_of(t[0], t[1], t[2], b);
    if (sa * sb > 0)
        return false;
    if (sa == 0 && sb == 0)
        return flat_segment_meets(t, a, b);
    int s0 = side_of(a, b, t[0], t[1]), s1 = side_of(a, b, t[1], t[2]), s2 = side_of(a, b, t[2], t[0]);
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

static bool same_place(const int64_t a[3], const int64_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Which corners of a are corners of b, as bits, and the other way round. */
static int common_corners(int64_t a[3][3], int64_t b[3][3], int *of_b)
{
    int bits = 0;
    *of_b = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (same_place(a[i], b[j])) {
                bits |= 1 << i;
                *of_b |= 1 << j;
            }
    return bits;
}

static int corner_without(int bits)
{
    return !(bits & 1) ? 0 : !(bits & 2) ? 1 : 2;
}

/* A common side: they overlap only if one is folded flat onto the other. */
static bool folded_flat(int64_t a[3][3], int of_a, int64_t b[3][3], int of_b)
{
    plane_axes p;
    int i = corner_without(of_a), j = corner_without(of_b);
    if (side_of(a[0], a[1], a[2], b[j]) != 0 || !axes_of(a, &p))
        return false;
    const int64_t *c = a[(i + 1) % 3], *d = a[(i + 2) % 3];
    return turn_of(p, c, d, a[i]) * turn_of(p, c, d, b[j]) > 0;
}

static bool edges_meet(int64_t a[3][3], int skip, int64_t b[3][3])
{
    for (int k = 0; k < 3; k++) {
        int ends = (1 << k) | (1 << ((k + 1) % 3));
        if (!(ends & skip) && segment_meets(b, a[k], a[(k + 1) % 3]))
            return true;
    }
    return false;
}

bool attack_triangles_meet(int64_t a[3][3], int64_t b[3][3])
{
    int of_b, of_a = common_corners(a, b, &of_b);
    int n = (of_a & 1) + (of_a >> 1 & 1) + (of_a >> 2);
    if (n == 3)
        return true;
    if (n == 2)
        return folded_flat(a, of_a, b, of_b);
    return edges_meet(a, of_a, b) || edges_meet(b, of_b, a);
}
