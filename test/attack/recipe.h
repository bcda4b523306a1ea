/* SPDX-License-Identifier: MIT */
/* A scene of the attack as plain numbers: made from a seed, written as a line of text, read back, and made smaller.
 *
 * Every field is a double with its least value, the one that asks for nothing special; texts leave such fields out. A
 * text is `sim h=0.02 steps=60 cloth kind=1 nu=9 ... collider kind=5 ... hold ... tie ...`; a recipe is always run as
 * its text says it, so that a text says all there is to say. */
#ifndef WEFT_TEST_ATTACK_RECIPE_H
#define WEFT_TEST_ATTACK_RECIPE_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define ATTACK_SIM_FIELDS(X) \
    X(seed, 1)            /* of what is not told: irregular meshes, random fabrics, moments of round trips */ \
    X(h, 0.02)            /* step, s */ \
    X(steps, 60) \
    X(integrator, 0) \
    X(response, 0) \
    X(threads, 1) \
    X(gx, 0) X(gy, -9.81) X(gz, 0) \
    X(wx, 0) X(wy, 0) X(wz, 0) \
    X(newton_limit, 2) X(linear_limit, 5000) X(halving_limit, 5) \
    X(pair_radius, 0) X(contact_radius, 0) \
    X(snapshot, 0)        /* step before which it goes through a snapshot into another simulation; 0: never */ \
    X(starve, 0)          /* step before which memory fails; 0: never */ \
    X(flip, 0)            /* step before which a damaged snapshot is restored; 0: never */ \
    X(newton_most, 0)     /* a step that takes more Newton steps than this is a hang, on any machine; 0: none is */

#define ATTACK_CLOTH_FIELDS(X) \
    X(kind, 0)            /* attack_cloth_kind */ \
    X(nu, 4) X(nv, 4)     /* nodes along u and v */ \
    X(su, 0.3) X(sv, 0.3) /* size, m */ \
    X(x, 0) X(y, 0.3) X(z, 0) /* of its middle, m */ \
    X(yaw, 0) X(tilt, 0)  /* rad */ \
    X(vx, 0) X(vy, 0) X(vz, 0) \
    X(fabric, 0)          /* of the library's; -1: random */ \
    X(thickness, 0)       /* m; 0: the fabric's */ \
    X(stretch, 0) X(bending, 0) X(limit, 0) \
    X(level, 0)           /* max_level of adaptivity */ \
    X(gap, 0.004)         /* between the layers of a folded cloth, m */

#define ATTACK_COLLIDER_FIELDS(X) \
    X(kind, 0)            /* weft_collider_kind up to the box, then attack_mesh_kind */ \
    X(size, 0.2)          /* half the width, or the radius, m */ \
    X(high, 0.1)          /* half the height, m */ \
    X(detail, 6)          /* cells of a mesh along a side */ \
    X(x, 0) X(y, -0.2) X(z, 0) \
    X(yaw, 0) X(tilt, 0) \
    X(motion, 0)          /* attack_motion */ \
    X(vx, 0) X(vy, 0) X(vz, 0) /* m/s */ \
    X(way, 0)             /* m it goes before it turns back */ \
    X(spin, 0)            /* rad/s about its own y */ \
    X(friction, 1)

#define ATTACK_HOLD_FIELDS(X) \
    X(kind, 0)            /* weft_attachment_kind */ \
    X(cloth, 0) X(collider, 0) \
    X(nodes, 0)           /* 0: a corner, 1: first row, 2: two corners, 3: first and last row */ \
    X(vx, 0) X(vy, 0) X(vz, 0) X(way, 0) \
    X(stiffness, 100)

#define ATTACK_TIE_FIELDS(X) \
    X(a, 0) X(b, 1)       /* cloths: the last row of a, the first of b; the same one: its own two rows */ \
    X(weld, 0)            /* they are put together and sewn from the start */ \
    X(length, 0) X(stiffness, 100)
/* clang-format on */

#define ATTACK_FIELD(name, least) double name;
typedef struct attack_sim {
    ATTACK_SIM_FIELDS(ATTACK_FIELD)
} attack_sim;
typedef struct attack_cloth {
    ATTACK_CLOTH_FIELDS(ATTACK_FIELD)
} attack_cloth;
typedef struct attack_collider {
    ATTACK_COLLIDER_FIELDS(ATTACK_FIELD)
} attack_collider;
typedef struct attack_hold {
    ATTACK_HOLD_FIELDS(ATTACK_FIELD)
} attack_hold;
typedef struct attack_tie {
    ATTACK_TIE_FIELDS(ATTACK_FIELD)
} attack_tie;

typedef enum attack_cloth_kind {
    ATTACK_GRID = 0,      /* quads by weft_cloth_create_grid */
    ATTACK_QUADS = 1,     /* quads as a mesh */
    ATTACK_TRIANGLES = 2, /* triangles, diagonals alternate */
    ATTACK_IRREGULAR = 3, /* triangles, nodes moved within the sheet, some quads left */
    ATTACK_FOLDED = 4,    /* triangles, laid in two or more layers, rest flat */
    ATTACK_TUBE = 5,      /* triangles, closed round u */
    N_ATTACK_CLOTHS
} attack_cloth_kind;

typedef enum attack_mesh_kind {
    ATTACK_MESH_SPHERE = 5,
    ATTACK_MESH_BOX = 6,
    ATTACK_MESH_PLATE = 7, /* a sheet without a thickness */
    ATTACK_MESH_CONE = 8,
    ATTACK_MESH_CUP = 9, /* half a sphere, open above */
    N_ATTACK_COLLIDERS
} attack_mesh_kind;

typedef enum attack_motion {
    ATTACK_STILL = 0,
    ATTACK_KEYED = 1,   /* goes and spins by keys */
    ATTACK_VERTICES = 2 /* a mesh: the same way, and it breathes; by weft_collider_set_vertices */
} attack_motion;

enum { ATTACK_MOST_CLOTHS = 4, ATTACK_MOST_COLLIDERS = 4, ATTACK_MOST_HOLDS = 3, ATTACK_MOST_TIES = 2 };

typedef struct attack_recipe {
    attack_sim sim;
    int n_cloths, n_colliders, n_holds, n_ties;
    attack_cloth cloths[ATTACK_MOST_CLOTHS];
    attack_collider colliders[ATTACK_MOST_COLLIDERS];
    attack_hold holds[ATTACK_MOST_HOLDS];
    attack_tie ties[ATTACK_MOST_TIES];
} attack_recipe;

/* The parts of a recipe as arrays of numbers, for whoever treats all alike. */
typedef struct attack_part_kind {
    const char *name;
    int n_fields, most;
    const char *const *fields;
    const double *least;
} attack_part_kind;

enum { ATTACK_PART_SIM, ATTACK_PART_CLOTH, ATTACK_PART_COLLIDER, ATTACK_PART_HOLD, ATTACK_PART_TIE, N_ATTACK_PARTS };

extern const attack_part_kind attack_parts[N_ATTACK_PARTS];
/* The numbers of one part, and how many parts of that kind there are (always one sim). */
double *attack_part(attack_recipe *r, int kind, int i);
int *attack_part_count(attack_recipe *r, int kind);
/* Appends a part with least values; NULL: there are as many as there can be. */
double *attack_part_add(attack_recipe *r, int kind);
/* Takes it out; others that name later ones by number follow, those that name it go too. */
void attack_part_remove(attack_recipe *r, int kind, int i);

enum { ATTACK_TEXT = 8192 };
attack_recipe attack_recipe_least(void);
void attack_recipe_write(const attack_recipe *r, char text[ATTACK_TEXT]);
/* False: *wrong points at the word that is not understood. */
bool attack_recipe_read(attack_recipe *r, const char *text, const char **wrong);
/* All that a seed says; at most so many nodes. */
attack_recipe attack_recipe_make(uint64_t seed, int n_nodes, int n_steps);

/* Random numbers of a seed, the same everywhere. */
typedef struct attack_dice {
    uint64_t state;
} attack_dice;
attack_dice attack_dice_of(uint64_t seed); /* neighbouring seeds have nothing in common */
uint64_t attack_dice_bits(attack_dice *d);
double attack_dice_in(attack_dice *d, double low, double high);
/* Between the two by ratio: as often from 1 to 2 as from 10 to 20. */
double attack_dice_ratio(attack_dice *d, double low, double high);
int attack_dice_int(attack_dice *d, int low, int high); /* both included */
bool attack_dice_chance(attack_dice *d, double p);

#endif
