/* SPDX-License-Identifier: MIT */
/* Statistics of a step: what it did, how the cloth is after it, what it took.
 *
 * One table says all there is to say of each of them. From it come the struct weft_step_stats, whose fields have these
 * types and names; weft_step_stats_add, which makes one of several steps; weft_step_stats_list, the table for programs;
 * the columns of stats.csv and of caches; and docs/statistics.md.
 *
 *     type, field, how it adds up over steps, column, unit ("": a count or a ratio), meaning
 *
 * How they add up: SUM; MAX and MIN, the largest and the smallest of all steps; LAST, what the last step has. A step
 * that is taken in parts counts what all of them did. */
#ifndef WEFT_STEP_STATS_H
#define WEFT_STEP_STATS_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/* The mesh, and how it was changed before the step. */
#define WEFT_STATS_MESH(X) \
    X(double,  time,           LAST, "time_s",         "s", "of the simulation, at the step's end") \
    X(int32_t, n_nodes,        LAST, "nodes",          "",  "nodes of all cloths") \
    X(int32_t, n_active,       LAST, "active_nodes",   "",  "nodes that move by themselves") \
    X(int32_t, split,          SUM,  "split_faces",    "",  "faces that were split") \
    X(int32_t, merged,         SUM,  "merged_faces",   "",  "faces that were merged") \
    X(int32_t, refused,        SUM,  "refused",        "", \
      "merges not done, since on the way there something would have come too near") \
    X(double,  energy_jump,    SUM,  "energy_jump_j",  "J", "change of the elastic energy by splitting and merging") \
    X(double,  seconds_adapt,  SUM,  "seconds_adapt",  "s", "looking, splitting, merging, and what follows from it") \
    X(double,  seconds_layout, SUM,  "seconds_layout", "s", "of seconds_adapt: laying out forces, matrix and tree anew")

/* The solve. */
#define WEFT_STATS_SOLVE(X) \
    X(int32_t, n_steps,           SUM, "steps",             "",  "parts the step was done in; 1 if it was not halved") \
    X(int32_t, halvings,          SUM, "halvings",          "",  "parts that failed, and were halved") \
    X(int32_t, newton_iterations, SUM, "newton_iterations", "",  "Newton steps") \
    X(int32_t, linear_iterations, SUM, "linear_iterations", "",  "iterations of conjugate gradients") \
    X(double,  residual,          MAX, "residual_m",        "m", "largest move of a node in the last Newton step") \
    X(double,  seconds_assemble,  SUM, "seconds_assemble",  "s", "forces and matrix") \
    X(double,  seconds_solve,     SUM, "seconds_solve",     "s", "linear systems") \
    X(double,  seconds_total,     SUM, "seconds_total",     "s", "the whole step") \
    X(int64_t, allocations,       SUM, "allocations",       "", \
      "calls to the allocator: 0 in a steady step, one with no hits, no recouplings and no more pairs than before")

/* Cloth against analytic colliders. */
#define WEFT_STATS_COLLIDERS(X) \
    X(int32_t, contacts,      LAST, "contacts",      "",  "nodes and faces in touch with colliders") \
    X(int32_t, corrections,   MAX,  "corrections",   "",  "nodes that had to be moved to keep the thickness") \
    X(double,  correction,    MAX,  "correction_m",  "m", "how far such a node was moved at most") \
    X(int32_t, caught,        MAX,  "caught_nodes",  "", \
      "nodes in colliders at the start, or without room; they move out bit by bit") \
    X(int32_t, squeezed,      MAX,  "squeezed",      "", \
      "triangles nearer to a collider than the thickness: colliders leave no room") \
    X(double,  seconds_touch, SUM,  "seconds_touch", "s", "finding contacts with colliders")

/* Cloth against cloth and meshes: what the solve feels. */
#define WEFT_STATS_PAIRS(X) \
    X(int32_t, tangled,        MAX, "tangled_pairs",   "", \
      "pairs of triangles that intersected at the start; they are pulled apart, and kept apart then") \
    X(double,  contour_length, MAX, "tangle_length_m", "m", \
      "length of the lines along which triangles would intersect at the end, were they not pulled apart") \
    X(int32_t, pairs,          MAX, "pairs",           "",  "vertex–triangle and edge–edge pairs that the solve felt") \
    X(int64_t, neighbours,     SUM, "neighbours",      "",  "pairs that were looked at to find them") \
    X(int32_t, recouplings,    SUM, "recouplings",     "", \
      "times the matrix was laid out anew for other pairs, which may allocate") \
    X(double,  seconds_meet,   SUM, "seconds_meet",    "s", "finding the pairs that the solve feels")

/* Cloth against cloth and meshes: what would pass through each other and is prevented from it. */
#define WEFT_STATS_PREVENTION(X) \
    X(int64_t, candidates,      SUM, "candidates",       "", \
      "pairs that might meet on their way, but for those told apart at a glance") \
    X(int64_t, settled,         SUM, "settled_pairs",    "",  "pairs proven apart by a plane between them") \
    X(int64_t, tests,           SUM, "continuous_tests", "",  "pairs that took a continuous test") \
    X(int64_t, hits,            SUM, "hits",             "",  "pairs that came too near") \
    X(int32_t, sweeps,          SUM, "sweeps",           "",  "rounds of impulses") \
    X(int32_t, inelastic,       SUM, "inelastic_rounds", "",  "rounds of inelastic zones") \
    X(int32_t, zones,           SUM, "zones",            "",  "zones of impact") \
    X(int32_t, largest_zone,    MAX, "largest_zone",     "",  "nodes of the largest zone") \
    X(int32_t, rigid,           SUM, "rigid_zones",      "",  "zones that moved as one") \
    X(int32_t, failsafes,       SUM, "failsafes",        "",  "zones that were stopped or carried along: alarms") \
    X(int32_t, cuts,            SUM, "cuts",             "", \
      "times the whole scene was stopped at a part of the step") \
    X(int32_t, squeezed_pairs,  SUM, "squeezed_pairs",   "",  "pairs that colliders left no room; not safe") \
    X(double,  smallest_gap,    MIN, "smallest_gap_m",   "m", \
      "distance of the nearest pair at the step's start, of those that were near; infinite without any") \
    X(double,  seconds_walk,    SUM, "seconds_walk",     "s", "finding candidates") \
    X(double,  seconds_test,    SUM, "seconds_test",     "s", "testing candidates") \
    X(double,  seconds_respond, SUM, "seconds_respond",  "s", "impulses and zones")

/* The cloth at the step's end. */
#define WEFT_STATS_STATE(X) \
    X(double, stretch,        MAX,  "stretch",          "",    "largest edge length over rest length") \
    X(double, max_speed,      MAX,  "max_speed_m_s",    "m/s", "speed of the fastest node") \
    X(double, energy_kinetic, LAST, "energy_kinetic_j", "J",   "kinetic energy") \
    X(double, energy_stretch, LAST, "energy_stretch_j", "J",   "elastic energy of stretch and shear") \
    X(double, energy_bending, LAST, "energy_bending_j", "J",   "elastic energy of bending") \
    X(double, energy_gravity, LAST, "energy_gravity_j", "J",   "energy of weight, against the origin") \
    X(double, momentum_x,     LAST, "momentum_x_kg_m_s", "kg m/s", "momentum of all cloth along x") \
    X(double, momentum_y,     LAST, "momentum_y_kg_m_s", "kg m/s", "along y") \
    X(double, momentum_z,     LAST, "momentum_z_kg_m_s", "kg m/s", "along z") \
    X(double, angular_x,      LAST, "angular_x_kg_m2_s", "kg m²/s", \
      "angular momentum of all cloth about the origin, along x") \
    X(double, angular_y,      LAST, "angular_y_kg_m2_s", "kg m²/s", "along y") \
    X(double, angular_z,      LAST, "angular_z_kg_m2_s", "kg m²/s", "along z")

#define WEFT_STEP_STATS(X) \
    WEFT_STATS_MESH(X) \
    WEFT_STATS_SOLVE(X) \
    WEFT_STATS_COLLIDERS(X) \
    WEFT_STATS_PAIRS(X) \
    WEFT_STATS_PREVENTION(X) \
    WEFT_STATS_STATE(X)

/* clang-format on */

/* A field of a struct: WEFT_STEP_STATS(WEFT_STATS_FIELD) are all of them. */
#define WEFT_STATS_FIELD(type, name, adds, column, unit, text) type name;

/* What a step did: for each line of the tables above one field, "double time;" and so on. */
typedef struct weft_step_stats {
    WEFT_STEP_STATS(WEFT_STATS_FIELD)
} weft_step_stats;

/* Those of no step at all, to which others are added: zeros, and the smallest of nothing is infinite. */
WEFT_API weft_step_stats weft_step_stats_none(void);

/* total becomes the statistics of its steps and of one more, which came after them. */
WEFT_API void weft_step_stats_add(weft_step_stats *total, const weft_step_stats *step);

typedef enum weft_stat_adds {
    WEFT_STAT_LAST = 0,
    WEFT_STAT_SUM = 1,
    WEFT_STAT_MAX = 2,
    WEFT_STAT_MIN = 3
} weft_stat_adds;

/* A line of the tables above. */
typedef struct weft_stat {
    const char *name;   /* of the field */
    const char *column; /* in stats.csv and caches; ends with the unit where there is one */
    const char *unit;   /* "" for counts and ratios */
    const char *text;   /* what it means */
    weft_stat_adds adds;
} weft_stat;

/* All statistics, in the order of the struct's fields; *n: how many there are. */
WEFT_API const weft_stat *weft_step_stats_list(int32_t *n);

/* The field of that place in the list. NaN outside. */
WEFT_API double weft_step_stats_get(const weft_step_stats *stats, int32_t i);

#ifdef __cplusplus
}
#endif
#endif
