/* SPDX-License-Identifier: MIT */
#include "sim/kit.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- random numbers ---------------------------------------------------------------------------------------------- */

uint64_t kit_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state ^ (*state >> 29);
    x *= UINT64_C(0x2545f4914f6cdd1d);
    return x ^ (x >> 32);
}

int32_t kit_random_below(uint64_t *state, int32_t n)
{
    return (int32_t)(kit_random(state) % (uint64_t)n);
}

double kit_random_unit(uint64_t *state)
{
    return (double)(kit_random(state) >> 11) * 0x1p-52 - 1.0;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static void *room(size_t n, size_t size)
{
    void *p = calloc(n > 0 ? n : 1, size);
    assert_non_null(p);
    return p;
}

static kit_mesh mesh_room(int32_t n_nodes, int32_t n_triangles, int32_t n_quads, bool uv)
{
    return (kit_mesh){.n_nodes = n_nodes,
                      .x = room((size_t)n_nodes, sizeof(weft_vec3)),
                      .uv = uv ? room((size_t)n_nodes, sizeof(weft_vec2)) : NULL,
                      .triangles = room((size_t)n_triangles, 3 * sizeof(int32_t)),
                      .quads = room((size_t)n_quads, 4 * sizeof(int32_t))};
}

static void add_triangle(kit_mesh *m, int32_t a, int32_t b, int32_t c)
{
    memcpy(m->triangles + 3 * m->n_triangles++, (int32_t[3]){a, b, c}, 3 * sizeof(int32_t));
}

static void add_quad(kit_mesh *m, int32_t a, int32_t b, int32_t c, int32_t d)
{
    memcpy(m->quads + 4 * m->n_quads++, (int32_t[4]){a, b, c, d}, 4 * sizeof(int32_t));
}

kit_mesh kit_patch(int32_t n_u, int32_t n_v, double size_u, double size_v, double quads, double jitter, uint64_t seed)
{
    int32_t cells = (n_u - 1) * (n_v - 1);
    kit_mesh m = mesh_room(n_u * n_v, 2 * cells, cells, true);
    double cell_u = size_u / (n_u - 1), cell_v = size_v / (n_v - 1);
    for (int32_t j = 0; j < n_v; j++)
        for (int32_t i = 0; i < n_u; i++) {
            bool inside = i > 0 && j > 0 && i < n_u - 1 && j < n_v - 1;
            double du = inside ? jitter * kit_random_unit(&seed) : 0, dv = inside ? jitter * kit_random_unit(&seed) : 0;
            weft_vec2 uv = {cell_u * (i + du), cell_v * (j + dv)};
            m.uv[i + n_u * j] = uv;
            m.x[i + n_u * j] = (weft_vec3){uv.u, 0, -uv.v};
        }
    for (int32_t j = 0; j < n_v - 1; j++)
        for (int32_t i = 0; i < n_u - 1; i++) {
            int32_t a = i + n_u * j, b = a + 1, c = b + n_u, d = a + n_u;
            if (0.5 + 0.5 * kit_random_unit(&seed) < quads) {
                add_quad(&m, a, b, c, d);
            } else if (kit_random_below(&seed, 2)) {
                add_triangle(&m, a, b, c);
                add_triangle(&m, a, c, d);
            } else {
                add_triangle(&m, a, b, d);
                add_triangle(&m, b, c, d);
            }
        }
    return m;
}

static weft_vec3 on_sphere(weft_vec3 a, double radius)
{
    double s = radius / sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return (weft_vec3){s * a.x, s * a.y, s * a.z};
}

/* The node in the middle of a and b, made when it is first asked for; `known` lists (low, high, middle). */
static int32_t middle(kit_mesh *m, int32_t a, int32_t b, int32_t *known, int32_t *n_known, double radius)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int32_t i = 0; i < *n_known; i++)
        if (known[3 * i] == low && known[3 * i + 1] == high)
            return known[3 * i + 2];
    weft_vec3 sum = {m->x[a].x + m->x[b].x, m->x[a].y + m->x[b].y, m->x[a].z + m->x[b].z};
    memcpy(known + 3 * (*n_known)++, (int32_t[3]){low, high, m->n_nodes}, 3 * sizeof(int32_t));
    m->x[m->n_nodes] = on_sphere(sum, radius);
    return m->n_nodes++;
}

static kit_mesh split_sphere(const kit_mesh *m, double radius)
{
    int32_t n_edges = 3 * m->n_triangles / 2, n_known = 0;
    kit_mesh out = mesh_room(m->n_nodes + n_edges, 4 * m->n_triangles, 0, false);
    int32_t *known = room((size_t)n_edges, 3 * sizeof *known);
    memcpy(out.x, m->x, (size_t)m->n_nodes * sizeof *m->x);
    out.n_nodes = m->n_nodes;
    for (int32_t t = 0; t < m->n_triangles; t++) {
        const int32_t *n = m->triangles + 3 * t;
        int32_t h[3];
        for (int i = 0; i < 3; i++)
            h[i] = middle(&out, n[i], n[(i + 1) % 3], known, &n_known, radius);
        for (int i = 0; i < 3; i++)
            add_triangle(&out, n[i], h[i], h[(i + 2) % 3]);
        add_triangle(&out, h[0], h[1], h[2]);
    }
    free(known);
    return out;
}

kit_mesh kit_icosphere(int levels, double radius)
{
    static const int32_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                         {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                         {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                         {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double g = 0.5 * (1 + sqrt(5.0));
    const weft_vec3 corners[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    kit_mesh m = mesh_room(12, 20, 0, false);
    for (int i = 0; i < 12; i++)
        m.x[i] = on_sphere(corners[i], radius);
    for (int i = 0; i < 20; i++)
        add_triangle(&m, faces[i][0], faces[i][1], faces[i][2]);
    for (int k = 0; k < levels; k++) {
        kit_mesh finer = split_sphere(&m, radius);
        kit_mesh_free(&m);
        m = finer;
    }
    return m;
}

kit_mesh kit_torus(int32_t n_round, int32_t n_tube, double radius, double tube)
{
    const double turn = 6.283185307179586;
    kit_mesh m = mesh_room(n_round * n_tube, 0, n_round * n_tube, false);
    for (int32_t j = 0; j < n_tube; j++)
        for (int32_t i = 0; i < n_round; i++) {
            double a = turn * i / n_round, b = turn * j / n_tube, r = radius + tube * cos(b);
            int32_t ii = (i + 1) % n_round, jj = (j + 1) % n_tube;
            m.x[i + n_round * j] = (weft_vec3){r * cos(a), tube * sin(b), -r * sin(a)};
            add_quad(&m, i + n_round * j, ii + n_round * j, ii + n_round * jj, i + n_round * jj);
        }
    return m;
}

static void shuffle_faces(int32_t *faces, int32_t n, int sides, const int32_t *to, uint64_t *random)
{
    for (int32_t f = 0; f < n; f++) {
        int32_t old[4], shift = kit_random_below(random, sides), other = f - kit_random_below(random, f + 1);
        memcpy(old, faces + sides * f, (size_t)sides * sizeof *old);
        memcpy(faces + sides * f, faces + sides * other, (size_t)sides * sizeof *old);
        for (int i = 0; i < sides; i++)
            faces[sides * other + i] = to[old[(i + shift) % sides]];
    }
}

void kit_shuffle(kit_mesh *m, uint64_t *random)
{
    int32_t *to = room((size_t)m->n_nodes, sizeof *to);
    weft_vec3 *x = room((size_t)m->n_nodes, sizeof *x);
    weft_vec2 *uv = m->uv ? room((size_t)m->n_nodes, sizeof *uv) : NULL;
    for (int32_t i = 0; i < m->n_nodes; i++) {
        int32_t k = kit_random_below(random, i + 1);
        to[i] = to[k];
        to[k] = i;
    }
    for (int32_t i = 0; i < m->n_nodes; i++) {
        x[to[i]] = m->x[i];
        if (uv)
            uv[to[i]] = m->uv[i];
    }
    shuffle_faces(m->triangles, m->n_triangles, 3, to, random);
    shuffle_faces(m->quads, m->n_quads, 4, to, random);
    free(to);
    free(m->x);
    free(m->uv);
    m->x = x;
    m->uv = uv;
}

void kit_mesh_free(kit_mesh *m)
{
    free(m->x);
    free(m->uv);
    free(m->triangles);
    free(m->quads);
    *m = (kit_mesh){0};
}

weft_mesh_def kit_mesh_def(const kit_mesh *m)
{
    weft_mesh_def d = weft_mesh_def_default();
    d.n_nodes = m->n_nodes;
    d.positions = m->x;
    d.uv = m->uv;
    d.n_triangles = m->n_triangles;
    d.triangles = m->triangles;
    d.n_quads = m->n_quads;
    d.quads = m->quads;
    return d;
}

/* ---- the allocator ----------------------------------------------------------------------------------------------- */

#define STAMP UINT64_C(0x5765667420746573)

/* Before each block. A multiple of 16 bytes, so that the block is aligned like malloc's. */
typedef struct block_head {
    uint64_t stamp, size;
    pthread_t thread;
    uint64_t pad;
} block_head;

static block_head *head_of(kit_memory *k, void *ptr, size_t old_size)
{
    block_head *h = ptr ? (block_head *)ptr - 1 : NULL;
    if (h ? h->stamp != STAMP || h->size != old_size || !pthread_equal(h->thread, pthread_self()) : old_size != 0)
        k->n_mistakes++;
    return h;
}

static void release(kit_memory *k, block_head *h)
{
    if (!h)
        return;
    k->n_blocks--;
    k->n_bytes -= (int64_t)h->size;
    memset(h, 0xdd, sizeof *h + h->size); /* whoever reads it again gets nonsense */
    free(h);
}

/* A block that grows always moves, so that old pointers to it show up. */
void *kit_alloc(void *memory, void *ptr, size_t old_size, size_t new_size)
{
    kit_memory *k = memory;
    block_head *old = head_of(k, ptr, old_size);
    if (new_size == 0) {
        release(k, old);
        return NULL;
    }
    k->n_calls++;
    block_head *h = k->n_calls == k->fail_at ? NULL : malloc(sizeof *h + new_size);
    if (!h) {
        k->n_failed++;
        return NULL;
    }
    *h = (block_head){STAMP, new_size, pthread_self(), 0};
    memset(h + 1, 0xcd, new_size);
    if (old)
        memcpy(h + 1, old + 1, old_size < new_size ? old_size : new_size);
    release(k, old);
    k->n_blocks++;
    k->n_bytes += (int64_t)new_size;
    return h + 1;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

void kit_backwards(void *user, int32_t n, void (*run)(void *context, int32_t i), void *context)
{
    if (user)
        ++*(int64_t *)user;
    for (int32_t i = n - 1; i >= 0; i--)
        run(context, i);
}

void kit_must(weft_result r, const weft_error *e)
{
    if (r < 0)
        fail_msg("%s: %s", weft_result_name(r), e ? e->text : "");
}

weft_sim *kit_sim(const weft_sim_def *def)
{
    weft_error e = {0};
    weft_sim *sim = NULL;
    kit_must(weft_sim_create(def, &sim, &e), &e);
    return sim;
}

weft_sim *kit_sim_with(int integrator)
{
    weft_sim_def d = weft_sim_def_default();
    d.integrator = (weft_integrator)integrator;
    return kit_sim(&d);
}

double kit_step_of(int integrator)
{
    return integrator == WEFT_INTEGRATOR_EXPLICIT ? 1.0 / 4000 : 1.0 / 60;
}

void kit_positions(const weft_sim *sim, weft_cloth_id id, weft_vec3 *out, int32_t n)
{
    weft_error e = {0};
    kit_must(weft_cloth_get_positions(sim, id, out, n, 0, &e), &e);
}

weft_grid_def kit_grid_def(int32_t n, double side, double x, double y)
{
    weft_grid_def d = weft_grid_def_default();
    d.n_warp = d.n_weft = n;
    d.size_warp = d.size_weft = side;
    d.corner = (weft_vec3){x, y, 0};
    return d;
}

weft_cloth_id kit_grid(weft_sim *sim, int32_t n, double side, double x, double y)
{
    weft_grid_def d = kit_grid_def(n, side, x, y);
    weft_error e = {0};
    weft_cloth_id id = {0};
    kit_must(weft_cloth_create_grid(sim, &d, &id, &e), &e);
    return id;
}

weft_cloth_id kit_cloth(weft_sim *sim, const weft_mesh_def *def)
{
    weft_error e = {0};
    weft_cloth_id id = {0};
    kit_must(weft_cloth_create_mesh(sim, def, &id, &e), &e);
    return id;
}

weft_attachment_id kit_pin(weft_sim *sim, weft_cloth_id cloth, int32_t n, const int32_t *nodes)
{
    weft_attachment_def d = weft_attachment_def_default();
    weft_error e = {0};
    weft_attachment_id id = {0};
    d.cloth = cloth;
    d.nodes = nodes;
    d.n_nodes = n;
    kit_must(weft_attachment_create(sim, &d, &id, &e), &e);
    return id;
}

weft_collider_id kit_sphere(weft_sim *sim, double radius, weft_vec3 centre)
{
    weft_collider_def d = weft_collider_def_default();
    weft_error e = {0};
    weft_collider_id id = {0};
    d.kind = WEFT_COLLIDER_SPHERE;
    d.radius = radius;
    d.position = centre;
    kit_must(weft_collider_create(sim, &d, &id, &e), &e);
    return id;
}

void kit_steps(weft_sim *sim, int32_t n, double h)
{
    weft_error e = {0};
    for (int32_t i = 0; i < n; i++)
        kit_must(weft_sim_step(sim, h, NULL, &e), &e);
}

weft_cloth_info kit_info(const weft_sim *sim, weft_cloth_id cloth)
{
    weft_error e = {0};
    weft_cloth_info info = {0};
    kit_must(weft_cloth_get_info(sim, cloth, &info, &e), &e);
    return info;
}
