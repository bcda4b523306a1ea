/* SPDX-License-Identifier: MIT */
/* Recipes from seeds.
 *
 * Scenes that hardly touch teach nothing: cloths begin as a stack of layers a few millimetres apart just above the
 * first collider, so that weight or a blow presses them together within the first steps; others come at them from above
 * or from the side. A tenth begins tangled on purpose: layers are put through each other. */
#include <math.h>
#include <string.h>

#include "attack/recipe.h"

static const double steps_per_second[] = {30, 60, 60, 60, 120, 240, 480};

static void roll_sim(attack_recipe *r, attack_dice *d, uint64_t seed, int n_steps)
{
    attack_sim *s = &r->sim;
    s->seed = (double)(seed % 1000000);
    s->h = 1 / steps_per_second[attack_dice_int(d, 0, 6)];
    s->steps = n_steps;
    s->integrator = attack_dice_chance(d, 0.8) ? 0 : 1;
    s->threads = attack_dice_chance(d, 0.2) ? 2 : 1;
    if (attack_dice_chance(d, 0.2)) {
        s->gx = attack_dice_in(d, -10, 10);
        s->gy = attack_dice_in(d, -20, 0);
        s->gz = attack_dice_in(d, -10, 10);
    }
    if (attack_dice_chance(d, 0.25)) {
        s->wx = attack_dice_in(d, -15, 15);
        s->wy = attack_dice_in(d, -10, 5);
        s->wz = attack_dice_in(d, -15, 15);
    }
    if (attack_dice_chance(d, 0.15))
        s->newton_limit = attack_dice_int(d, 1, 10);
    if (attack_dice_chance(d, 0.1))
        s->linear_limit = attack_dice_int(d, 5, 100);
    if (attack_dice_chance(d, 0.1))
        s->halving_limit = attack_dice_int(d, 0, 3);
    if (attack_dice_chance(d, 0.15))
        s->pair_radius = attack_dice_ratio(d, 1e-4, 1e-2);
    if (attack_dice_chance(d, 0.1))
        s->contact_radius = attack_dice_ratio(d, 1e-5, 5e-3);
}

static void roll_trips(attack_recipe *r, attack_dice *d)
{
    int last = (int)r->sim.steps - 5;
    if (last < 2)
        return;
    if (attack_dice_chance(d, 0.35))
        r->sim.snapshot = attack_dice_int(d, 2, last);
    if (attack_dice_chance(d, 0.35))
        r->sim.starve = attack_dice_chance(d, 0.5) ? 1 : attack_dice_int(d, 1, last);
    if (attack_dice_chance(d, 0.35))
        r->sim.flip = attack_dice_int(d, 2, last);
}

/* ---- cloths ------------------------------------------------------------------------------------------------------ */

/* Nodes along both sides of a cloth of about n, whose sides are su and sv long. */
static void divide(attack_cloth *c, int n)
{
    double along = sqrt(n * c->su / c->sv);
    c->nu = fmax(c->kind == ATTACK_TUBE ? 5 : 2, floor(along));
    c->nv = fmax(2, floor(n / c->nu));
}

static void roll_material(attack_cloth *c, attack_dice *d)
{
    c->fabric = attack_dice_chance(d, 0.4) ? -1 : attack_dice_int(d, 0, 40);
    if (attack_dice_chance(d, 0.5))
        c->thickness = attack_dice_ratio(d, 1e-4, 5e-3);
    c->stretch = attack_dice_chance(d, 0.2) ? 1 : 0;
    c->bending = attack_dice_chance(d, 0.2) ? attack_dice_int(d, 2, 3) : 0;
    c->limit = attack_dice_chance(d, 0.2) ? attack_dice_int(d, 1, 2) : 0;
    c->level = attack_dice_chance(d, 0.2) ? attack_dice_int(d, 1, 2) : 0;
}

/* How high a cloth's layers are together. */
static double height_of(const attack_cloth *c)
{
    double slant = fabs(sin(c->tilt)) * c->sv;
    if (c->kind == ATTACK_TUBE)
        return slant + c->su / 3.14159265 * fmin(1, c->gap / 0.01);
    return slant + (c->kind == ATTACK_FOLDED ? 4 * c->gap : 0);
}

/* The next layer of the stack; *top is where it ends. */
static void roll_cloth(attack_recipe *r, attack_dice *d, int n, double *top)
{
    attack_cloth *c = (attack_cloth *)attack_part_add(r, ATTACK_PART_CLOTH);
    /* A single sheet hardly touches itself. */
    bool layers = r->n_cloths == 1 && n > 125 && attack_dice_chance(d, 0.5);
    c->kind = attack_dice_int(d, layers ? ATTACK_FOLDED : 0, N_ATTACK_CLOTHS - 1);
    c->su = attack_dice_in(d, 0.15, 0.5);
    c->sv = attack_dice_chance(d, 0.15) ? c->su * attack_dice_in(d, 4, 8) : attack_dice_in(d, 0.15, 0.5);
    roll_material(c, d);
    divide(c, c->level > 0 ? n / 2 : n);
    c->gap = attack_dice_in(d, 0.002, 0.008);
    c->yaw = attack_dice_in(d, 0, 3);
    c->tilt = attack_dice_chance(d, 0.2) ? attack_dice_in(d, -0.3, 0.3) : 0;
    c->x = attack_dice_in(d, -0.05, 0.05);
    c->z = attack_dice_in(d, -0.05, 0.05);
    double gap = attack_dice_in(d, 0.001, 0.004) + 2 * c->thickness, high = height_of(c);
    c->y = *top + gap + 0.5 * high;
    *top += gap + high;
    if (attack_dice_chance(d, 0.3)) {
        c->vx = attack_dice_in(d, -1, 1);
        c->vy = attack_dice_in(d, -5, 0);
        c->vz = attack_dice_in(d, -1, 1);
    }
}

/* ---- colliders --------------------------------------------------------------------------------------------------- */

static bool is_round(const attack_collider *c)
{
    return c->kind == 1 || c->kind == 2;
}

static void roll_shape(attack_collider *c, attack_dice *d)
{
    c->kind = attack_dice_int(d, 1, N_ATTACK_COLLIDERS - 1);
    c->size = attack_dice_in(d, 0.06, 0.25);
    c->high = attack_dice_ratio(d, 0.02, 0.2);
    c->detail = attack_dice_int(d, 2, 6);
    c->yaw = attack_dice_in(d, 0, 3);
    c->friction = attack_dice_chance(d, 0.7) ? 1 : attack_dice_in(d, 0, 2);
}

/* Half its height above its middle. */
static double reach_of(const attack_collider *c)
{
    if (c->kind == 0 || c->kind == ATTACK_MESH_PLATE || c->kind == ATTACK_MESH_CUP)
        return 0;
    return is_round(c) ? c->size + (c->kind == 2 ? c->high : 0) : c->high;
}

/* Under the stack, its top at 0. */
static void roll_floor(attack_recipe *r, attack_dice *d)
{
    attack_collider *c = (attack_collider *)attack_part_add(r, ATTACK_PART_COLLIDER);
    roll_shape(c, d);
    if (attack_dice_chance(d, 0.25))
        c->kind = 0;
    c->y = -reach_of(c) - 0.005;
    if (attack_dice_chance(d, 0.4)) {
        c->motion = attack_dice_int(d, 1, 2);
        c->spin = attack_dice_chance(d, 0.5) ? attack_dice_in(d, -8, 8) : 0;
        c->vy = attack_dice_in(d, -2, 2);
        c->vx = attack_dice_in(d, -2, 2);
        c->way = attack_dice_in(d, 0.02, 0.2);
    }
}

/* Comes down on the stack, or at it from the side. Mostly it leaves room: it stops before the floor, or goes down
 * beside it; what leaves none only shows that the step tells so. */
static void roll_blow(attack_recipe *r, attack_dice *d, double top)
{
    attack_collider *c = (attack_collider *)attack_part_add(r, ATTACK_PART_COLLIDER), *ground = &r->colliders[0];
    double speed = attack_dice_chance(d, 0.5) ? attack_dice_in(d, 0, 2) : attack_dice_in(d, 0, 10);
    roll_shape(c, d);
    c->size = fmin(c->size, 0.15);
    c->y = top + (c->kind == ATTACK_MESH_CUP ? c->high : reach_of(c)) + 0.012;
    c->motion = attack_dice_int(d, 1, 2);
    c->vy = -speed;
    c->spin = attack_dice_chance(d, 0.3) ? attack_dice_in(d, -10, 10) : 0;
    c->way = 0.012 + attack_dice_in(d, 0, 0.3) * top;
    if (attack_dice_chance(d, 0.2)) {
        c->x = attack_dice_in(d, -0.2, 0.2);
        c->vx = attack_dice_in(d, -speed, speed);
        c->vz = attack_dice_in(d, -speed, speed);
        c->way = attack_dice_in(d, 0.02, 0.5);
    } else if (ground->kind != 0 && attack_dice_chance(d, 0.5)) {
        c->x = ground->size + c->size * 1.5 + 0.02;
        c->way = attack_dice_in(d, 0.05, 0.5);
        ground->spin = 0;
    } else if (attack_dice_chance(d, 0.8)) {
        ground->motion = ATTACK_STILL;
    }
}

/* ---- holds and ties ---------------------------------------------------------------------------------------------- */

static void roll_hold(attack_recipe *r, attack_dice *d)
{
    int cloth = attack_dice_int(d, 0, r->n_cloths - 1);
    for (int i = 0; i < r->n_holds; i++)
        if (r->holds[i].cloth == cloth)
            return;
    attack_hold *h = (attack_hold *)attack_part_add(r, ATTACK_PART_HOLD);
    bool straight = r->cloths[cloth].kind < ATTACK_FOLDED;
    h->cloth = cloth;
    h->kind = attack_dice_int(d, 0, 3);
    h->nodes = attack_dice_int(d, 0, 3);
    if (h->kind == 1 && (!straight || h->nodes == 3))
        h->kind = 0;
    if (h->kind == 2)
        h->collider = attack_dice_int(d, 0, r->n_colliders - 1);
    h->stiffness = attack_dice_ratio(d, 1, 1e4);
    if (attack_dice_chance(d, 0.6)) {
        h->vx = attack_dice_in(d, -2, 2);
        h->vy = attack_dice_in(d, -1, 2);
        h->vz = attack_dice_in(d, -2, 2);
        h->way = attack_dice_in(d, 0.02, 0.3);
    }
}

/* The second cloth is put beside the first, row at row. */
static void lay_beside(attack_recipe *r, attack_dice *d)
{
    attack_cloth *a = &r->cloths[0], *b = &r->cloths[1];
    double away = -0.5 * (a->sv + b->sv);
    a->kind = attack_dice_int(d, 0, 2);
    b->kind = attack_dice_int(d, 0, 2);
    a->tilt = b->tilt = a->level = b->level = 0;
    a->nu = b->nu = fmax(2, fmin(a->nu, b->nu));
    b->su = a->su;
    b->yaw = a->yaw;
    b->y = a->y;
    b->x = a->x + sin(a->yaw) * away;
    b->z = a->z + cos(a->yaw) * away;
    b->vx = a->vx, b->vy = a->vy, b->vz = a->vz;
}

static void roll_tie(attack_recipe *r, attack_dice *d)
{
    attack_tie *t = (attack_tie *)attack_part_add(r, ATTACK_PART_TIE);
    t->stiffness = attack_dice_ratio(d, 1, 1e3);
    t->weld = r->n_cloths > 1 && attack_dice_chance(d, 0.5);
    t->b = r->n_cloths > 1 ? 1 : 0;
    if (t->weld != 0)
        lay_beside(r, d);
    else
        t->length = attack_dice_chance(d, 0.5) ? 0 : attack_dice_in(d, 0.001, 0.02);
    r->cloths[0].level = r->cloths[1].level = 0;
    /* Nodes that are sewn together cannot both be held. */
    for (int i = r->n_holds - 1; t->weld != 0 && i >= 0; i--)
        if (r->holds[i].cloth <= 1)
            attack_part_remove(r, ATTACK_PART_HOLD, i);
}

/* Cloths put through others, or through the collider below. */
static void tangle(attack_recipe *r, attack_dice *d)
{
    attack_cloth *c = &r->cloths[attack_dice_int(d, 0, r->n_cloths - 1)];
    c->tilt = attack_dice_in(d, 0.2, 1.2);
    c->y = attack_dice_in(d, -0.02, 0.1);
    for (int i = 0; i < r->n_ties; i++) /* a seam whose sides are apart now is pulled, not welded */
        r->ties[i].weld = 0;
}

attack_recipe attack_recipe_make(uint64_t seed, int n_nodes, int n_steps)
{
    attack_dice d = attack_dice_of(seed);
    attack_recipe r = attack_recipe_least();
    roll_sim(&r, &d, seed, n_steps);
    int n_cloths = attack_dice_int(&d, 1, ATTACK_MOST_CLOTHS);
    int nodes = attack_dice_int(&d, n_nodes / 2, n_nodes) / n_cloths;
    double top = 0;
    roll_floor(&r, &d);
    for (int i = 0; i < n_cloths; i++)
        roll_cloth(&r, &d, nodes, &top);
    for (int i = attack_dice_int(&d, 0, 2); i > 0; i--)
        roll_blow(&r, &d, top + 0.35 * (i - 1));
    for (int i = attack_dice_chance(&d, 0.4) ? attack_dice_int(&d, 1, 2) : 0; i > 0; i--)
        roll_hold(&r, &d);
    if (attack_dice_chance(&d, 0.2))
        roll_tie(&r, &d);
    if (attack_dice_chance(&d, 0.1))
        tangle(&r, &d);
    roll_trips(&r, &d);
    /* What is run is what the text says. */
    char text[ATTACK_TEXT];
    const char *wrong;
    attack_recipe_write(&r, text);
    attack_recipe_read(&r, text, &wrong);
    return r;
}
