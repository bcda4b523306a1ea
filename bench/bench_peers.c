/* SPDX-License-Identifier: MIT */
/* The scene on which other programs were measured: a flat sheet of 1 × 1 m and irregular triangles falls from 8 mm
 * above a fixed ball made of triangles, with a floor under it; friction 0.4. Audited exactly every sixth step. CPU time
 * is for one simulated second; the others' is from the same kind of machine, another run.
 *
 *     bench_peers [--seconds S] [--threads N] [--csv FILE] [--sizes 44] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <weft/weft.h>

#include "math/trig.h"
#include "sheet.h"
#include "sim/torture.h"

enum { AROUND = 36, RINGS = 34, BALL_NODES = AROUND * RINGS + 2, BALL_TRIANGLES = 2 * AROUND * RINGS };

#define RADIUS 0.152
#define FLOOR (-0.16)
#define ABOVE 8e-3
#define FRICTION 0.4

static double random_unit(uint64_t *s)
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*s >> 40) / (double)(1 << 24) * 2 - 1;
}

typedef struct mesh {
    weft_vec3 *x;
    weft_vec2 *uv;
    int32_t *triangles;
    int32_t n_nodes, n_triangles;
} mesh;

static void *must_have(void *p)
{
    if (!p)
        exit(2);
    return p;
}

static double length_sq(const mesh *m, int32_t a, int32_t b)
{
    double u = m->uv[a].u - m->uv[b].u, v = m->uv[a].v - m->uv[b].v;
    return u * u + v * v;
}

/* n × n nodes, those within moved by up to a quarter of a cell; the shorter diagonals. */
static mesh make_sheet(int n, double thickness)
{
    uint64_t seed = 1;
    mesh m = {.n_nodes = n * n, .n_triangles = 2 * (n - 1) * (n - 1)};
    m.x = must_have(malloc((size_t)m.n_nodes * sizeof *m.x));
    m.uv = must_have(malloc((size_t)m.n_nodes * sizeof *m.uv));
    m.triangles = must_have(malloc((size_t)m.n_triangles * 3 * sizeof *m.triangles));
    double cell = 1.0 / (n - 1);
    for (int j = 0, k = 0; j < n; j++)
        for (int i = 0; i < n; i++, k++) {
            bool inner_u = i > 0 && i<n - 1, inner_v = j> 0 && j < n - 1;
            double u = cell * (i + (inner_u ? random_unit(&seed) / 4 : 0));
            double v = cell * (j + (inner_v ? random_unit(&seed) / 4 : 0));
            m.uv[k] = (weft_vec2){u, v};
            m.x[k] = (weft_vec3){u - 0.5, RADIUS + ABOVE + thickness, 0.5 - v};
        }
    int32_t *t = m.triangles;
    for (int j = 0; j + 1 < n; j++)
        for (int i = 0; i + 1 < n; i++, t += 6) {
            int32_t a = j * n + i, b = a + 1, c = b + n, d = a + n;
            bool other = length_sq(&m, b, d) < length_sq(&m, a, c);
            int32_t corners[6] = {a, b, other ? d : c, other ? b : a, c, d};
            for (int k = 0; k < 6; k++)
                t[k] = corners[k];
        }
    return m;
}

static mesh make_ball(void)
{
    mesh m = {.n_nodes = BALL_NODES, .n_triangles = 0};
    m.x = must_have(malloc(sizeof *m.x * BALL_NODES));
    m.triangles = must_have(malloc(sizeof *m.triangles * 3 * BALL_TRIANGLES));
    for (int r = 0; r < RINGS; r++)
        for (int k = 0; k < AROUND; k++) {
            double polar = WEFT_PI * (r + 1) / (RINGS + 1), turn = 2 * WEFT_PI * k / AROUND;
            m.x[r * AROUND + k] = (weft_vec3){RADIUS * weft_sin(polar) * weft_cos(turn), RADIUS * weft_cos(polar),
                                              -RADIUS * weft_sin(polar) * weft_sin(turn)};
        }
    m.x[BALL_NODES - 2] = (weft_vec3){0, RADIUS, 0};
    m.x[BALL_NODES - 1] = (weft_vec3){0, -RADIUS, 0};
    for (int r = 0; r <= RINGS; r++)
        for (int k = 0; k < AROUND; k++) {
            int32_t next = (k + 1) % AROUND, up = r > 0 ? (r - 1) * AROUND : 0, down = r * AROUND;
            int32_t a = r > 0 ? up + k : BALL_NODES - 2, b = r > 0 ? up + next : -1;
            int32_t c = r < RINGS ? down + k : BALL_NODES - 1, d = r < RINGS ? down + next : -1;
            int32_t *t = m.triangles + 3 * (ptrdiff_t)m.n_triangles;
            if (d >= 0)
                t[0] = a, t[1] = c, t[2] = d, m.n_triangles++, t += 3;
            if (b >= 0)
                t[0] = a, t[1] = d >= 0 ? d : c, t[2] = b, m.n_triangles++;
        }
    return m;
}

static void free_mesh(mesh *m)
{
    free(m->x);
    free(m->uv);
    free(m->triangles);
}

static void add_collider(torture *t, const weft_collider_def *d)
{
    weft_error e = {0};
    int32_t i = t->n_colliders++;
    stop_on(weft_collider_create(t->sim, d, &t->colliders[i], &e), &e);
    t->solids[i] = *d;
    t->solids[i].vertices = NULL;
    t->solids[i].triangles = NULL;
}

/* As a torture, whose audit serves here too. */
static void make(torture *t, const sheet_options *o, int n)
{
    weft_error e = {0};
    weft_sim_def sd = weft_sim_def_default();
    weft_fabric cotton;
    sd.n_threads = o->threads;
    *t = (torture){.name = "peers", .n_cloths = 1};
    stop_on(weft_sim_create(&sd, &t->sim, &e), &e);
    stop_on(weft_fabric_find("cotton", &cotton, &e), &e);
    cotton.friction = FRICTION;
    t->thickness = cotton.thickness;
    mesh ball = make_ball(), sheet = make_sheet(n, cotton.thickness);
    weft_collider_def c = weft_collider_def_default();
    c.position.y = FLOOR;
    add_collider(t, &c);
    c = weft_collider_def_default();
    c.kind = WEFT_COLLIDER_MESH;
    c.vertices = ball.x;
    c.n_vertices = ball.n_nodes;
    c.triangles = ball.triangles;
    c.n_triangles = ball.n_triangles;
    add_collider(t, &c);
    weft_mesh_def d = weft_mesh_def_default();
    d.positions = sheet.x;
    d.uv = sheet.uv;
    d.n_nodes = sheet.n_nodes;
    d.triangles = sheet.triangles;
    d.n_triangles = sheet.n_triangles;
    d.model.fabrics = &cotton;
    d.model.n_fabrics = 1;
    stop_on(weft_cloth_create_mesh(t->sim, &d, &t->cloths[0], &e), &e);
    printf("%d nodes, %d triangles, %.3f kg/m²; ball of %d triangles\n", sheet.n_nodes, sheet.n_triangles,
           cotton.density, ball.n_triangles);
    free_mesh(&ball);
    free_mesh(&sheet);
}

int main(int argc, char **argv)
{
    sheet_options o = {2.0, 1, NULL, {44}, 1};
    sheet_parse(argc, argv, "peers", &o);
    weft_error e = {0};
    torture t;
    make(&t, &o, o.sizes[0]);
    int32_t n = (int32_t)(60 * o.seconds + 0.5);
    double cpu = 0, stretch = 0, newton = 0, cg = 0, part[6] = {0};
    int64_t intersections = 0;
    for (int32_t k = 0; k < n; k++) {
        weft_step_stats st;
        clock_t c0 = clock();
        stop_on(weft_sim_step(t.sim, 1.0 / 60, &st, &e), &e);
        cpu += (double)(clock() - c0) / CLOCKS_PER_SEC;
        stretch = fmax(stretch, st.stretch);
        newton += (double)st.newton_iterations / n;
        cg += (double)st.linear_iterations / n;
        part[0] += st.seconds_solve, part[1] += st.seconds_assemble, part[2] += st.seconds_touch;
        part[3] += st.seconds_meet, part[4] += st.seconds_walk, part[5] += st.seconds_test;
        if (k % 6 != 5)
            continue;
        torture_found found;
        stop_on(torture_audit(&t, &found, &e), &e);
        intersections += found.n_pairs;
        if (k % 30 == 29)
            printf("%5.2f s  Newton %d  CG %d  pairs %d  stretch %.4f  speed %.2f m/s\n", st.time, st.newton_iterations,
                   st.linear_iterations, st.pairs, st.stretch, st.max_speed);
    }
    weft_sim_destroy(t.sim);
    printf("\nCPU seconds for one of cloth: %.2f (solve %.2f, assemble %.2f, touch %.2f, pairs %.2f, walk %.2f, tests "
           "%.2f); "
           "Newton %.1f, CG %.1f a step; stretch %.3f; intersecting pairs %lld\n",
           cpu / o.seconds, part[0] / o.seconds, part[1] / o.seconds, part[2] / o.seconds, part[3] / o.seconds,
           part[4] / o.seconds, part[5] / o.seconds, newton, cg, stretch, (long long)intersections);
    printf(
        "others: ARCSim 43.8 and Codimensional IPC 87.3 without intersections, PositionBasedDynamics 1.03 with 531\n");
    return intersections > 0;
}
