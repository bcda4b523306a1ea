/* SPDX-License-Identifier: MIT */
/* Measures what adaptive meshes save beside uniform ones, and whether the drape stays the same, beside what Villard and
 * Borouchaki (2002) report: table 1 and figures 15, 16 (7 and 8 are in villard_tablecloth.c).
 *
 * The paper says neither the stiffness nor the step nor the angle. "4 levels" of the ball are read as the four sizes
 * 20, 10, 5 and 2.5 mm; the "3 levels" of the others as three splits, since two could not give 12437 nodes. The uniform
 * meshes of explicit runs have 0 levels in table 1: all of their springs are Villard's K, as those of the first faces
 * of the adaptive mesh are.
 *
 * Under that law, K · 2^level, faces that have split are stiffer: by eight at the finest. K is the modulus of a square
 * lattice whatever its size, so an adaptive mesh agrees with the uniform one where it is coarse, and is stiffer in its
 * folds. (The same cloth with all faces split, which this bench had for uniform before, is eight times stiffer than the
 * adaptive one wherever that is coarse: docs/lab/villard.md has what came of it.) What stretches, Provot's limit of 1 %
 * makes the same cloth anyway, on springs as soft as steps want them.
 *
 * The drape must be one that cloth falls into, not one of many that chance picks. Cotton that falls flat on to a ball
 * through thin air is not: the same uniform mesh, the heights of its start changed by a ten-thousandth of the side,
 * ends 4 % of the side away (95th percentile), an adaptive one 6 %, since corners and sides of the sheet come down at
 * about the same time and friction keeps what the fall has made. So air is viscous, and the cloth sinks; implicit runs
 * have firm cotton and corners that hang a little at the start, explicit ones start flat. A case that starts uneven
 * shows how much is left to chance. All goes by the side, so that a large cloth sinks as a small one does: times with
 * its square root, viscosity against it, bending with its cube, springs of explicit runs with the side. Explicit runs
 * end after the paper's 10,000 iterations, 1 s, with cloth that has come down.
 *
 * Cloth does not collide with itself in explicit runs, as in the paper (on these drapes nothing changes by that); in
 * implicit ones it does.
 *
 * Gains are ratios of processor time, which a busy machine disturbs less than the clock on the wall. */
#include "disk.h"
#include "drape.h"
#include "render/picture.h"
#include "say.h"
#include "villard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum place { PLACE_ROD, PLACE_SPHERES, PLACE_BALL, PLACE_TABLE } place;

typedef struct bench_case {
    const char *name;
    place place;
    int32_t nodes; /* along a side */
    int32_t level; /* how often faces may split */
    bool uniform;  /* all of them, from the start */
    bool implicit; /* BDF2, consistent law, firm cotton; else explicit, Villard's law, soft springs */
    int32_t steps;
    const char *paper; /* nodes and time of the paper */
    double angle;      /* beyond which faces split, rad */
    double uneven;     /* by how much the heights of its start differ from the others', of the side */
} bench_case;

enum { MOST_CASES = 4 };

typedef struct bench_result {
    int32_t nodes_begin, nodes_end, active_end, level;
    double seconds, work; /* work: processor time of all threads, s */
    double adapt, layout; /* splitting and merging; laying the model out anew, s */
    double stretch;       /* the largest of the run */
    int32_t folds;
    double certain_from, certain_to; /* with folds that stand out by any share in between there are as many */
    drape drape;
    bool done;
} bench_result;

static const double cell = 0.02; /* m, of the coarsest faces */
static const double pi = 3.14159265358979323846;

/* A fold stands out by more than this share of the side: as much as two drapes may differ by and still count as the
 * same (95th percentile). What is smaller the comparison could not tell from noise. */
#define FOLD 0.03

static const double large_side = 0.74, small_side = 0.26; /* m: of the paper's ball, and of the quick one */

static double wall(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double finest(void *user, weft_vec3 position, weft_vec2 uv)
{
    (void)position;
    (void)uv;
    return *(const double *)user;
}

static double side_of(const bench_case *c)
{
    return (c->nodes - 1) * cell;
}

static double finest_of(const bench_case *c)
{
    return cell / (double)(1 << c->level);
}

/* Explicit uniform meshes are fine from the beginning: no face has split, all springs are those of level 0. */
static bool is_made_fine(const bench_case *c)
{
    return c->uniform && !c->implicit;
}

/* Nodes along a side as the cloth is made. */
static int32_t nodes_made(const bench_case *c)
{
    return is_made_fine(c) ? ((c->nodes - 1) << c->level) + 1 : c->nodes;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static weft_result add_collider(weft_sim *sim, weft_collider_kind kind, double radius, double height, weft_vec3 at,
                                weft_error *e)
{
    weft_collider_id id;
    weft_collider_def d = weft_collider_def_default();
    d.kind = kind;
    d.radius = radius;
    d.height = height;
    d.position = at;
    return weft_collider_create(sim, &d, &id, e);
}

static weft_result add_place(weft_sim *sim, const bench_case *c, double side, weft_error *e)
{
    weft_result r = WEFT_OK;
    if (c->place == PLACE_BALL)
        r = add_collider(sim, WEFT_COLLIDER_SPHERE, 0.27 * side, 0, (weft_vec3){0, 0.27 * side, 0}, e);
    for (int i = 0; c->place == PLACE_SPHERES && r >= 0 && i < 4; i++)
        r = add_collider(sim, WEFT_COLLIDER_SPHERE, 0.07 * side, 0,
                         (weft_vec3){(i % 2 ? 0.25 : -0.25) * side, 0.47 * side, (i / 2 ? 0.25 : -0.25) * side}, e);
    if (c->place != PLACE_ROD && r >= 0)
        r = add_collider(sim, WEFT_COLLIDER_PLANE, 1, 1, (weft_vec3){0, 0, 0}, e);
    return r;
}

/* Explicit steps: of 0.06 ms (rod, spheres); on the ball they last 1 s together, by the side. */
static double step_of(const bench_case *c)
{
    if (c->implicit)
        return 1.0 / 60;
    return c->place == PLACE_BALL ? sqrt(side_of(c) / large_side) / c->steps : 6e-5;
}

/* On the paper's ball springs pull by 1.2 N/m along threads, where Provot's limit does the rest, and by 3 across; those
 * of the finest level by eight times that. Steps of h bear waves up to 2/h, 20,000/s there. The fastest of springs has
 * ω = √(8 k/m), m = ρ ℓ², k those along and across together: 17,000/s at 2.5 mm; of beams ω = 8 √(B/ρ)/ℓ²:
 * 17,000/s as well. Firmer cloth would want more steps, or less time to come down in. */
static void soften(const bench_case *c, weft_fabric *f)
{
    double side = side_of(c) / large_side, l = finest_of(c);
    bool ball = c->place == PLACE_BALL;
    double firm = ball ? 5.4 * side * side * side : 3;
    f->bending_warp *= firm;
    f->bending_weft *= firm;
    f->stretch_warp = f->stretch_weft = ball ? 1.2 * side : 12;
    f->shear = ball ? 3 * side : 2.5;
    f->damping_stretch = step_of(c) / 12;
    f->damping_bending = 0.2 * f->density * l * l * l * l / (64 * f->bending_warp * step_of(c));
    f->stretch_limit = 1.01;
}

static weft_fabric fabric_of(const bench_case *c)
{
    weft_fabric f = weft_fabric_default();
    weft_fabric_find("cotton", &f, NULL);
    double side = side_of(c) / small_side, cube = fmax(1, side * side * side);
    if (c->implicit) {
        f.bending_warp *= 4 * cube;
        f.bending_weft *= 4 * cube;
    } else {
        soften(c, &f);
    }
    return f;
}

/* N·s/m³ */
static double viscosity_of(const bench_case *c)
{
    if (c->implicit)
        return 10 * sqrt(small_side / side_of(c));
    return c->place == PLACE_BALL ? 2 * sqrt(large_side / side_of(c)) : 1;
}

static weft_result add_cloth(weft_sim *sim, const bench_case *c, double *size, weft_cloth_id *out, weft_error *e)
{
    weft_fabric f = fabric_of(c);
    weft_grid_def g = weft_grid_def_default();
    double side = side_of(c);
    g.n_warp = g.n_weft = nodes_made(c);
    g.size_warp = g.size_weft = side;
    g.corner = (weft_vec3){-0.5 * side, 0.6 * side, 0.5 * side};
    g.model.fabrics = &f;
    g.model.n_fabrics = 1;
    g.model.law = c->implicit ? WEFT_LAW_CONSISTENT : WEFT_LAW_VILLARD;
    g.model.adapt = weft_adapt_default();
    g.model.adapt.max_level = is_made_fine(c) ? 0 : c->level;
    g.model.adapt.refine_angle = c->angle;
    g.model.adapt.coarsen_angle = 0.3 * c->angle;
    g.model.adapt.interval = c->place == PLACE_BALL && !c->implicit ? 0.01 : 1.0 / 30;
    g.model.limit = c->implicit ? WEFT_LIMIT_STIFFEN : WEFT_LIMIT_PROVOT;
    if (c->uniform && !is_made_fine(c) && c->level > 0) {
        *size = 1.01 * finest_of(c);
        g.model.adapt.size = finest;
        g.model.adapt.size_user = size;
        g.model.adapt.interval = 10; /* one look for each level at the start, see settle_mesh */
    }
    return weft_cloth_create_grid(sim, &g, out, e);
}

/* Where the cloth starts, on the first faces, so that all meshes start with one surface. Explicit runs: flat. Implicit
 * ones: corners hang by 6 % of the side, the middles of sides rise by half of that, heights r² cos 4φ. An uneven start
 * has waves besides that share no symmetry with cloth and ball. */
static double start_height(const bench_case *c, double a, double b)
{
    double r_sq = a * a + b * b, up = c->uneven * sin(3 * pi * a + 2 * pi * b + 1);
    if (c->implicit && r_sq > 0)
        up += 0.03 * (r_sq - 8 * a * a * b * b / r_sq); /* cos 4φ = 1 − 8 cos²φ sin²φ */
    return up;
}

static weft_result shape_start(weft_sim *sim, const bench_case *c, weft_cloth_id cloth, weft_error *e)
{
    double side = side_of(c);
    int32_t n = nodes_made(c) * nodes_made(c);
    weft_vec3 *x = calloc((size_t)n, sizeof *x);
    if (!x)
        return WEFT_ERROR_MEMORY;
    weft_result r = weft_cloth_get_positions(sim, cloth, x, n, 0, e);
    for (int32_t i = 0; i < n; i++)
        x[i].y += side * start_height(c, 2 * x[i].x / side, 2 * x[i].z / side);
    r = r < 0 ? r : weft_cloth_set_positions(sim, cloth, x, n, e);
    free(x);
    return r;
}

static weft_result add_rod(weft_sim *sim, const bench_case *c, weft_cloth_id cloth, weft_error *e)
{
    if (c->place != PLACE_ROD)
        return WEFT_OK;
    weft_attachment_id id;
    int32_t nodes[2] = {0, c->nodes - 1};
    weft_attachment_def d = weft_attachment_def_default();
    d.kind = WEFT_ATTACH_ROD;
    d.cloth = cloth;
    d.nodes = nodes;
    d.n_nodes = 2;
    d.rod_point = (weft_vec3){0, 0.6 * side_of(c), 0.5 * side_of(c)};
    return weft_attachment_create(sim, &d, &id, e);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* All ones: every face has split, down to `level`. */
static weft_result split_all(weft_sim *sim, weft_cloth_id cloth, const bench_case *c, weft_error *e)
{
    int64_t roots = (int64_t)(c->nodes - 1) * (c->nodes - 1), n = 0, bit = 0;
    for (int32_t l = 0; l <= c->level; l++)
        n += roots << (2 * l);
    uint8_t *bits = calloc((size_t)(n + 7) / 8, 1);
    if (!bits)
        return WEFT_ERROR_MEMORY;
    /* Parents first: below each root, the walk goes down and back up. */
    for (int64_t root = 0; root < roots; root++) {
        int32_t left[16] = {0}, depth = 0;
        left[0] = 1;
        while (depth >= 0) {
            if (left[depth] == 0) {
                depth--;
                continue;
            }
            left[depth]--;
            if (depth < c->level) {
                bits[bit / 8] = (uint8_t)(bits[bit / 8] | 1 << bit % 8);
                left[++depth] = 4;
            }
            bit++;
        }
    }
    weft_result r = weft_cloth_set_shape(sim, cloth, bits, (size_t)(n + 7) / 8, e);
    free(bits);
    return r;
}

static weft_result run_steps(weft_sim *sim, const bench_case *c, bench_result *out, weft_error *e)
{
    double h = step_of(c), start = wall(), busy = (double)clock();
    weft_step_stats stats = {0};
    for (int32_t i = 0; i < c->steps; i++) {
        weft_result r = weft_sim_step(sim, h, &stats, e);
        if (r < 0)
            return r;
        out->adapt += stats.seconds_adapt - stats.seconds_layout;
        out->layout += stats.seconds_layout;
        out->stretch = fmax(out->stretch, stats.stretch);
    }
    out->seconds = wall() - start;
    out->work = ((double)clock() - busy) / CLOCKS_PER_SEC;
    out->nodes_end = stats.n_nodes;
    out->active_end = stats.n_active;
    return WEFT_OK;
}

static weft_result run_case(const bench_case *c, const bench_options *o, bench_result *out, weft_error *e)
{
    weft_sim *sim = NULL;
    weft_cloth_id cloth = {0};
    weft_cloth_info info = {0};
    double size = 0, side = side_of(c);
    weft_sim_def d = weft_sim_def_default();
    d.n_threads = o->n_threads;
    d.integrator = c->implicit ? WEFT_INTEGRATOR_BDF2 : WEFT_INTEGRATOR_EXPLICIT;
    d.air_viscosity = viscosity_of(c);
    d.response = c->implicit ? WEFT_RESPONSE_WEFT : WEFT_RESPONSE_NONE;
    weft_result r = weft_sim_create(&d, &sim, e);
    r = r < 0 ? r : add_place(sim, c, side, e);
    r = r < 0 ? r : add_cloth(sim, c, &size, &cloth, e);
    r = r < 0 ? r : add_rod(sim, c, cloth, e);
    if (r >= 0 && c->place == PLACE_BALL)
        r = shape_start(sim, c, cloth, e);
    if (r >= 0 && c->uniform && !is_made_fine(c) && c->level > 0)
        r = split_all(sim, cloth, c, e);
    r = r < 0 ? r : weft_cloth_get_info(sim, cloth, &info, e);
    out->nodes_begin = info.n_nodes;
    r = r < 0 ? r : run_steps(sim, c, out, e);
    r = r < 0 ? r : weft_cloth_get_info(sim, cloth, &info, e);
    out->level = info.level;
    r = r < 0 ? r : drape_take(sim, cloth, is_made_fine(c) ? 0 : c->level, &out->drape, e);
    if (r >= 0)
        out->folds = drape_folds(&out->drape, FOLD, &out->certain_from, &out->certain_to);
    weft_sim_destroy(sim);
    out->done = r >= 0;
    return r;
}

/* ---- tables and pictures ----------------------------------------------------------------------------------------- */

static void print_head(void)
{
    printf("%-34s %-30s %8s %8s %8s %6s %9s %9s %7s %8s %8s %6s\n", "case", "paper", "begin", "end", "active", "levels",
           "s", "work s", "adapt %", "layout %", "stretch", "folds (from .. to %)");
    fflush(stdout);
}

/* One line a case, added to what the folder has. */
static void write_case(const bench_case *c, const bench_result *r, const char *folder)
{
    char *path = disk_join(folder, "villard.csv");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (f && fseek(f, 0, SEEK_END) == 0 && ftell(f) == 0)
        fprintf(f, "case,nodes_begin,nodes_end,active_end,levels,seconds,work_seconds,adapt_seconds,layout_seconds,"
                   "stretch,folds\n");
    if (f)
        fprintf(f, "\"%s\",%d,%d,%d,%d,%.3f,%.3f,%.3f,%.3f,%.5f,%d\n", c->name, r->nodes_begin, r->nodes_end,
                r->active_end, r->level + 1, r->seconds, r->work, r->adapt, r->layout, r->stretch, r->folds);
    if (!f || fclose(f) != 0)
        printf("no CSV file in %s\n", folder);
    free(path);
}

/* The shape, under the case's name with dashes for what file names should not have. */
static void write_shape(const bench_case *c, const bench_result *r, const char *folder)
{
    char name[64];
    snprintf(name, sizeof name, "%s.obj", c->name);
    for (char *p = name; *p; p++)
        *p = *p == ' ' || *p == ',' ? '-' : *p;
    char *path = disk_join(folder, name);
    if (!path || !drape_write(&r->drape, path))
        printf("no %s in %s\n", name, folder);
    free(path);
}

static void print_case(const bench_case *c, const bench_result *r)
{
    printf("%-34s %-30s %8d %8d %8d %6d %9.1f %9.1f %7.1f %8.1f %8.3f %6d (%.1f .. %.1f)\n", c->name, c->paper,
           r->nodes_begin, r->nodes_end, r->active_end, r->level + 1, r->seconds, r->work, 100 * r->adapt / r->seconds,
           100 * r->layout / r->seconds, r->stretch, r->folds, 100 * r->certain_from, 100 * r->certain_to);
    fflush(stdout);
}

/* Both drapes side by side, with their meshes' lines off: what counts is the shape. */
static void draw_pair(const bench_result *a, const bench_result *b, const bench_case *c, const char *folder,
                      const char *name)
{
    double side = side_of(c), apart = 1.15 * side;
    picture_mesh meshes[2];
    picture_solid balls[2];
    const drape *d[2] = {&a->drape, &b->drape};
    weft_vec3 *x[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        x[k] = malloc((size_t)d[k]->mesh.n_nodes * sizeof *x[k]);
        for (int32_t i = 0; x[k] && i < d[k]->mesh.n_nodes; i++) {
            x[k][i] = d[k]->mesh.positions[i];
            x[k][i].x += k == 0 ? -apart / 2 : apart / 2;
        }
        meshes[k] = (picture_mesh){.positions = x[k],
                                   .n_nodes = d[k]->mesh.n_nodes,
                                   .triangles = d[k]->mesh.triangles,
                                   .n_triangles = d[k]->mesh.n_triangles,
                                   .front = {0.74f, 0.23f, 0.22f},
                                   .back = {0.93f, 0.78f, 0.55f}};
        balls[k] = (picture_solid){.kind = WEFT_COLLIDER_SPHERE,
                                   .radius = 0.27 * side,
                                   .position = {k == 0 ? -apart / 2 : apart / 2, 0.27 * side, 0},
                                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                   .color = {0.32f, 0.46f, 0.56f}};
    }
    picture_scene scene = picture_scene_default();
    scene.meshes = meshes;
    scene.n_meshes = 2;
    scene.solids = balls;
    scene.n_solids = c->place == PLACE_BALL ? 2 : 0;
    scene.camera.direction = (weft_vec3){0, 0.5, 1}; /* both alike */
    picture_size size = picture_size_default();
    size.width = 1280;
    picture_image image = {0};
    picture_bytes bytes = {0};
    char *path = disk_join(folder, name);
    const char *fault = x[0] && x[1] && path ? picture_render(&scene, &size, &image) : "out of memory";
    if (!fault)
        fault = picture_develop(&image, &bytes);
    if (!fault)
        fault = picture_write_png(&bytes, path);
    printf("%s%s%s\n", fault ? "no picture: " : "", fault ? fault : path,
           fault ? "" : " (adaptive left, uniform right)");
    picture_image_free(&image);
    picture_bytes_free(&bytes);
    free(path);
    free(x[0]);
    free(x[1]);
}

/* What the two have in common; true if it is what the bench promises. */
static bool compare(const char *what, const bench_result *adaptive, const bench_result *uniform, double least_gain,
                    double turn)
{
    double mean, most, side = uniform->drape.side, gain = uniform->work / adaptive->work;
    if (!drape_distance(&adaptive->drape, &uniform->drape, turn, &mean, &most))
        return false;
    bool fine = gain >= least_gain && adaptive->folds == uniform->folds && mean <= 0.01 * side && most <= 0.03 * side;
    printf("%s: %.1f times less time, folds %d and %d, surfaces apart by %.2f %% of the side in the mean, 95 %% below "
           "%.2f %%%s\n",
           what, gain, adaptive->folds, uniform->folds, 100 * mean / side, 100 * most / side,
           fine ? "" : "   <- not as promised");
    fflush(stdout);
    return fine;
}

/* ---- the bench --------------------------------------------------------------------------------------------------- */

static bool wanted(const bench_options *o, const char *part)
{
    return !o->only || strcmp(o->only, part) == 0;
}

static int report(weft_result r, const weft_error *e, const bench_case *c)
{
    return r < 0 ? say_wrong("%s: %s", c->name, e->text) : EXIT_FINE;
}

/* Cases [0, n): the first is adaptive, the second uniform at its finest size, the third uniform as in the paper's own
 * pair; one with an uneven start is compared with the one before it. */
static bool compare_all(const char *part, const bench_case *cases, const bench_result *results, int n, double gain)
{
    bool fine = n < 2 || compare(part, &results[0], &results[1], gain, 0);
    for (int i = 2; i < n; i++) {
        if (cases[i].uneven > 0)
            compare("chance: the same mesh, its start uneven by half a thousandth", &results[i], &results[i - 1], 0, 0);
        else
            compare("beside, the paper's own pair", &results[0], &results[i], 0, 0);
    }
    return fine;
}

static int run_group(const bench_options *o, const char *part, const bench_case *cases, int n, double gain)
{
    bench_result results[MOST_CASES] = {{0}};
    weft_error e;
    int code = EXIT_FINE;
    for (int i = 0; i < n && code == EXIT_FINE; i++) {
        weft_result r = run_case(&cases[i], o, &results[i], &e);
        code = report(r, &e, &cases[i]);
        if (code == EXIT_FINE)
            print_case(&cases[i], &results[i]);
        if (code == EXIT_FINE && o->folder) {
            write_case(&cases[i], &results[i], o->folder);
            write_shape(&cases[i], &results[i], o->folder);
        }
    }
    bool fine = code != EXIT_FINE || compare_all(part, cases, results, n, gain);
    if (code == EXIT_FINE && n > 1 && o->folder) {
        char name[64];
        snprintf(name, sizeof name, "villard-%s.png", part);
        draw_pair(&results[0], &results[1], &cases[0], o->folder, name);
    }
    for (int i = 0; i < n; i++)
        drape_free(&results[i].drape);
    return code != EXIT_FINE ? code : fine ? EXIT_FINE : 1;
}

/* A part of the bench: of the paper's sizes, and small. */
typedef struct bench_group {
    const char *part;
    bool quick;
    double gain; /* that is promised */
    bench_case cases[MOST_CASES];
} bench_group;

static const bench_group groups[] = {
    {"hanging", false, 0, {{"hanging", PLACE_ROD, 20, 3, false, false, 40000, "400 -> 3843, 3 levels, 264 s", 0.5, 0}}},
    {"spheres",
     false,
     0,
     {{"spheres", PLACE_SPHERES, 20, 3, false, false, 30000, "400 -> 12437, 3 levels, 1800 s", 0.5, 0}}},
    {"ball",
     false,
     6.6,
     {{"ball, explicit, adaptive", PLACE_BALL, 38, 3, false, false, 10000, "1444 -> 11568, 4 levels, 255 s", 0.35, 0},
      {"ball, explicit, uniform 2.5 mm", PLACE_BALL, 38, 3, true, false, 10000, "", 0.35, 0},
      {"ball, explicit, uniform 5 mm", PLACE_BALL, 38, 2, true, false, 10000, "21316, 1680 s", 0.35, 0}}},
    {"implicit",
     false,
     6.6,
     {{"ball, implicit, adaptive", PLACE_BALL, 38, 3, false, true, 152, "", 0.15, 0},
      {"ball, implicit, uniform 2.5 mm", PLACE_BALL, 38, 3, true, true, 152, "", 0.15, 0},
      {"ball, implicit, uniform 5 mm", PLACE_BALL, 38, 2, true, true, 152, "", 0.15, 0},
      {"ball, implicit, 5 mm, uneven", PLACE_BALL, 38, 2, true, true, 152, "", 0.15, 5e-4}}},
    {"ball",
     true,
     1,
     {{"ball, explicit, adaptive", PLACE_BALL, 38, 1, false, false, 1244, "", 0.4, 0},
      {"ball, explicit, uniform 10 mm", PLACE_BALL, 38, 1, true, false, 1244, "", 0.4, 0},
      {"ball, explicit, 10 mm, uneven", PLACE_BALL, 38, 1, true, false, 1244, "", 0.4, 5e-4}}},
    {"implicit",
     true,
     1,
     {{"ball, implicit, adaptive", PLACE_BALL, 14, 2, false, true, 90, "", 0.35, 0},
      {"ball, implicit, uniform 5 mm", PLACE_BALL, 14, 2, true, true, 90, "", 0.35, 0},
      {"ball, implicit, 5 mm, uneven", PLACE_BALL, 14, 2, true, true, 90, "", 0.35, 5e-4}}},
};

int bench_villard(const bench_options *o)
{
    weft_error e;
    if (o->folder && disk_make_folder(o->folder, &e) < 0)
        return say_wrong("%s", e.text);
    int worst = EXIT_FINE;
    print_head();
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const bench_group *g = &groups[i];
        int n = 0;
        while (n < MOST_CASES && g->cases[n].name)
            n++;
        int code = g->quick == o->quick && wanted(o, g->part) ? run_group(o, g->part, g->cases, n, g->gain) : EXIT_FINE;
        worst = code > worst ? code : worst;
    }
    int code = wanted(o, "tablecloth") ? villard_tablecloth(o) : EXIT_FINE;
    return code > worst ? code : worst;
}
