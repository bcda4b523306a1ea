/* SPDX-License-Identifier: MIT */
/* 64 well-spread directions as bits of a mask (volino1994 §2.3.4), and a table from normals to masks.
 *
 * Directions lie on a spiral round the sphere, each with its 1/64 of the area; no point of the sphere is further than
 * 0.32 rad from the nearest, so a zone whose normals lie within 1.25 rad of some axis has a direction for certain.
 *
 * Normals are told apart by cells on the octahedron |x| + |y| + |z| = 1, 64 × 64 for either sign of z. A cell lies in
 * one of the octahedron's faces, and a point of it is a mean of the cell's corners; so a direction that is positive
 * against the four corners is positive against every normal of the cell. Corners are moved outward by 2⁻¹⁸, for
 * rounding when the cell is found. Coordinates of a normal may be wrong by NORMAL_ERROR = 2⁻¹¹ (of |x| + |y| + |z| =
 * 1), its product with a direction by √3 as much and its length, too: so "positive" means at least 2⁻⁸ > √3 2⁻¹¹. */
#include "math/trig.h"
#include "bvh/bvh_inside.h"

static void make_basis(directions *d, int k)
{
    vec3 n = d->d[k];
    vec3 axis = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z) ? v3(1, 0, 0)
                : fabs(n.y) <= fabs(n.z)                         ? v3(0, 1, 0)
                                                                 : v3(0, 0, 1);
    vec3 a = v3_cross(axis, n);
    d->a[k] = v3_scale(1 / v3_len(a), a);
    d->b[k] = v3_cross(n, d->a[k]);
}

static void make_directions(directions *d)
{
    const double turn = WEFT_PI * (3 - 2.2360679774997896964); /* the golden angle */
    for (int k = 0; k < N_DIRECTIONS; k++) {
        double z = 1 - (2 * k + 1.0) / N_DIRECTIONS, r = sqrt(1 - z * z);
        vec3 n = v3(r * weft_cos(turn * k), r * weft_sin(turn * k), z);
        d->d[k] = v3_scale(1 / v3_len(n), n);
        make_basis(d, k);
    }
}

/* A corner of a cell, in the plane of its octant. */
static vec3 cell_corner(int i, int j, int half, int right, int up)
{
    const double step = 2.0 / DIRECTION_CELLS, more = 0x1p-18;
    double x = step * (i + right) - 1 + (right ? more : -more), y = step * (j + up) - 1 + (up ? more : -more);
    double z = 1 - (2 * i < DIRECTION_CELLS ? -x : x) - (2 * j < DIRECTION_CELLS ? -y : y);
    return v3(x, y, half ? -z : z);
}

static void fill_cell(directions *d, int half, int i, int j)
{
    int cell = (half * DIRECTION_CELLS + i) * DIRECTION_CELLS + j;
    vec3 n[4];
    double nearest = -1e300,
           least[4]; /* within a circular cone is convex, too: corners in it have the whole cell in it */
    for (int c = 0; c < 4; c++) {
        n[c] = cell_corner(i, j, half, c & 1, c >> 1);
        least[c] = BVH_LEVEL * v3_len(n[c]) + 0x1p-8;
    }
    for (int k = 0; k < N_DIRECTIONS; k++) {
        bool positive = true, level = true;
        for (int c = 0; c < 4; c++) {
            double dot = v3_dot(d->d[k], n[c]);
            positive = positive && dot >= 0x1p-8;
            level = level && dot >= least[c];
        }
        d->positive[cell] |= (uint64_t)positive << k;
        d->level[cell] |= (uint64_t)level << k;
        double near = v3_dot(d->d[k], v3_add(n[0], n[3]));
        if (near > nearest) {
            nearest = near;
            d->nearest[cell] = (uint8_t)k;
        }
    }
}

/* The sum of the directions of each byte of a mask. */
static void fill_sums(directions *d)
{
    for (int i = 0; i < 8; i++)
        for (int byte = 0; byte < 256; byte++)
            for (int k = 0; k < 8; k++)
                if (byte >> k & 1) {
                    d->sums[i][byte][0] += (float)d->d[8 * i + k].x;
                    d->sums[i][byte][1] += (float)d->d[8 * i + k].y;
                    d->sums[i][byte][2] += (float)d->d[8 * i + k].z;
                }
}

void directions_fill(directions *d)
{
    d->positive[NORMAL_NONE] = d->level[NORMAL_NONE] = 0;
    d->positive[NORMAL_ANY] = d->level[NORMAL_ANY] = ~UINT64_C(0);
    make_directions(d);
    fill_sums(d);
    pair_table_fill(d->packed);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < DIRECTION_CELLS; i++)
            for (int j = 0; j < DIRECTION_CELLS; j++)
                fill_cell(d, half, i, j);
}

/* Of some directions, the one nearest to a vector. */
static int nearest_of(const directions *d, uint64_t mask, vec3 to)
{
    double most = -1e300;
    int best = 0;
    for (int k = 0; k < N_DIRECTIONS; k++) {
        double dot = v3_dot(to, d->d[k]);
        if (mask >> k & 1 && dot > most) {
            most = dot;
            best = k;
        }
    }
    return best;
}

/* What is positive against something lies close together, so the nearest of all is nearly always among the mask's. */
int directions_middle(const directions *d, uint64_t mask)
{
    float of_all[4] = {0, 0, 0, 0};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++)
            of_all[k] += d->sums[i][mask >> 8 * i & 255][k];
    vec3 sum = v3((double)of_all[0], (double)of_all[1], (double)of_all[2]);
    int32_t cell = normal_cell(sum, 0);
    int k = cell < 0 ? 0 : d->nearest[cell];
    return mask >> k & 1 ? k : nearest_of(d, mask, sum);
}
