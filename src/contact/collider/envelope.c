/* SPDX-License-Identifier: MIT */
/* min over b of max over j of row_j·b, with b ≥ 0 and Σ b = 1: a linear program in (b1, b2, t), b0 = 1 − b1 − b2:
 *
 *     minimise t  subject to  row_j·b − t ≤ 0  and  −b_i ≤ 0
 *
 * Dual simplex: three constraints hold with equality (the basis) with multipliers ≥ 0; a new row that is exceeded
 * enters and one leaves. Few rows, so each basis is solved afresh by cross products. The bound does not trust the
 * basis: any mixture w ≥ 0, Σ w = 1 of the rows is a linear function below the maximum, hence min over corners of Σ w_j
 * row_j is a bound whatever the errors in w.
 *
 * Invariants: 1. `lower` never falls. 2. `lower` is valid for the rows as stored, up to the rounding of one sum. */
#include "contact/collider/envelope.h"

#include "contact/params.h"
#include "math/vec.h"

/* A basis flatter than this is not taken: the rows are then equal to rounding. */
#define ENVELOPE_FLAT 1e-13

/* A constraint as g·(b1, b2, t) ≤ h. */
typedef struct bound {
    vec3 g;
    double h;
} bound;

static bound bound_of(const envelope *e, int id)
{
    if (id >= 3) {
        const double *f = e->row[id - 3];
        return (bound){v3(f[1] - f[0], f[2] - f[0], -1), -f[0]};
    }
    return id == 0 ? (bound){v3(1, 1, 0), 1} : (bound){v3(id == 1 ? -1 : 0, id == 2 ? -1 : 0, 0), 0};
}

/* Its basis: the three bounds, the cross products of the others' gradients, and the determinant. */
typedef struct corner {
    bound k[3];
    vec3 across[3];
    double det;
} corner;

static corner basis_of(const envelope *e)
{
    corner c;
    for (int i = 0; i < 3; i++)
        c.k[i] = bound_of(e, e->basis[i]);
    for (int i = 0; i < 3; i++)
        c.across[i] = v3_cross(c.k[(i + 1) % 3].g, c.k[(i + 2) % 3].g);
    c.det = v3_dot(c.k[0].g, c.across[0]);
    return c;
}

static void raise_lower(envelope *e, const double lambda[3])
{
    double sum = 0, at[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        if (e->basis[i] < 3 || !(lambda[i] > 0))
            continue;
        const double *f = e->row[e->basis[i] - 3];
        sum += lambda[i];
        for (int v = 0; v < 3; v++)
            at[v] += lambda[i] * f[v];
    }
    double least = at[0] < at[1] ? at[0] : at[1];
    least = (least < at[2] ? least : at[2]) / sum;
    if (sum > 0 && least > e->lower)
        e->lower = least;
}

/* Moves x to where the basis holds with equality. */
static vec3 solve_basis(const corner *c, vec3 x)
{
    vec3 move = v3_zero();
    for (int i = 0; i < 3; i++)
        move = v3_madd(move, (c->k[i].h - v3_dot(c->k[i].g, x)) / c->det, c->across[i]);
    return v3_add(x, move);
}

/* The least point of the basis, its multipliers and the bound they prove. refine: solve once more for the remainder;
 * worth its time if the rows are nearly dependent. */
static corner find_least(envelope *e, double lambda[3], bool refine)
{
    corner c = basis_of(e);
    for (int i = 0; i < 3; i++)
        lambda[i] = -c.across[i].z / c.det;
    vec3 x = solve_basis(&c, v3_zero());
    if (refine)
        x = solve_basis(&c, x);
    e->b[0] = 1 - x.x - x.y;
    e->b[1] = x.x;
    e->b[2] = x.y;
    e->t = x.z;
    raise_lower(e, lambda);
    return c;
}

static bool is_in_basis(const envelope *e, int id)
{
    return e->basis[0] == id || e->basis[1] == id || e->basis[2] == id;
}

/* The constraint exceeded most, or any: the first; −1 if none. Weights have no unit; 1e-12 of the triangle is as good
 * as inside. */
static int find_exceeded(const envelope *e, bool any)
{
    for (int i = 0; i < 3; i++)
        if (e->b[i] < -1e-12 && !is_in_basis(e, i))
            return i;
    int worst = -1;
    double most = e->slack;
    for (int j = 0; j < e->n && !(any && worst >= 0); j++) {
        const double *f = e->row[j];
        double excess = f[0] * e->b[0] + f[1] * e->b[1] + f[2] * e->b[2] - e->t;
        if (excess > most && !is_in_basis(e, 3 + j)) {
            most = excess;
            worst = 3 + j;
        }
    }
    return worst;
}

/* Who leaves when g enters: the multiplier that reaches zero first (of equals, the lowest id); −1 if none may. */
static int find_leaving(const envelope *e, const corner *c, const double lambda[3], vec3 g)
{
    int out = -1;
    double least = 0;
    for (int i = 0; i < 3; i++) {
        double det = v3_dot(g, c->across[i]), y = det / c->det;
        if (!(y > 0) || det * det <= ENVELOPE_FLAT * ENVELOPE_FLAT * v3_len_sq(g) * v3_len_sq(c->across[i]))
            continue;
        double ratio = lambda[i] > 0 ? lambda[i] / y : 0;
        if (out < 0 || ratio < least || (ratio == least && e->basis[i] < e->basis[out])) {
            out = i;
            least = ratio;
        }
    }
    return out;
}

/* Rows that are constant on the triangle are common (it lies parallel to a face) and make zero multipliers, with which
 * simplex methods may go in circles; after ENVELOPE_PATIENCE exchanges the lowest ids are taken (Bland's rule), which
 * cannot; and with more care, as rounding can do the same. */
static void exchange_until_least(envelope *e)
{
    double lambda[3];
    corner c = find_least(e, lambda, false);
    for (int k = 0; k < ENVELOPE_EXCHANGES; k++) {
        int in = find_exceeded(e, k >= ENVELOPE_PATIENCE);
        int out = in < 0 ? -1 : find_leaving(e, &c, lambda, bound_of(e, in).g);
        if (out < 0)
            return;
        e->basis[out] = in;
        c = find_least(e, lambda, k >= ENVELOPE_PATIENCE);
    }
}

void envelope_init(envelope *e, const double row[3], double slack, double lower)
{
    int low = row[1] < row[0] ? 1 : 0;
    low = row[2] < row[low] ? 2 : low;
    e->n = 1;
    for (int v = 0; v < 3; v++)
        e->row[0][v] = row[v];
    e->basis[0] = 3;
    e->basis[1] = (low + 1) % 3;
    e->basis[2] = (low + 2) % 3;
    e->slack = slack;
    e->lower = lower;
    double lambda[3];
    find_least(e, lambda, false);
}

void envelope_add(envelope *e, const double row[3])
{
    if (e->n == ENVELOPE_MAX)
        return;
    for (int v = 0; v < 3; v++)
        e->row[e->n][v] = row[v];
    e->n++;
    exchange_until_least(e);
}
