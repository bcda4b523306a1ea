/* SPDX-License-Identifier: MIT */
#include "mesh/forest_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char *forest_kit_name(forest_shape shape)
{
    static const char *const names[SHAPE_COUNT] = {"grid",      "mixed",   "torus",      "sphere",    "disc", "tube",
                                                   "thin tube", "moebius", "mixed tube", "one torus", "dart", "pillow"};
    return names[shape];
}

/* ---- following --------------------------------------------------------------------------------------------------- */

static void *grown(void *p, int32_t n, size_t size)
{
    void *q = realloc(p, (size_t)n * size);
    assert_non_null(q);
    return q;
}

static void make_room(forest_kit *k)
{
    int32_t need = k->f.n_nodes > k->f.n_elements ? k->f.n_nodes : k->f.n_elements;
    if (need <= k->capacity)
        return;
    int32_t n = 2 * need;
    k->leaves = grown(k->leaves, n, sizeof *k->leaves);
    k->place = grown(k->place, n, sizeof *k->place);
    k->splits = grown(k->splits, n, sizeof *k->splits);
    k->x = grown(k->x, n, sizeof *k->x);
    for (int32_t i = k->capacity; i < n; i++)
        k->place[i] = -1;
    k->capacity = n;
}

static void add_leaf(forest_kit *k, int32_t ei)
{
    assert_int_equal(k->place[ei], -1);
    k->place[ei] = k->n_leaves;
    k->leaves[k->n_leaves++] = ei;
}

static void remove_leaf(forest_kit *k, int32_t ei)
{
    int32_t at = k->place[ei], last = k->leaves[--k->n_leaves];
    assert_true(at >= 0);
    k->leaves[at] = last;
    k->place[last] = at;
    k->place[ei] = -1;
}

static void follow(void *user, const forest_change *change)
{
    forest_kit *k = user;
    make_room(k);
    for (int32_t i = 0; i < change->n_out; i++)
        remove_leaf(k, change->out[i]);
    for (int32_t i = 0; i < change->n_in; i++)
        add_leaf(k, change->in[i]);
    for (int32_t i = 0; i < change->n_nodes_in; i++) {
        int32_t vi = change->nodes_in[i];
        const int32_t *parent = k->f.nodes[vi].parent;
        k->x[vi] = v3_scale(0.5, v3_add(k->x[parent[0]], k->x[parent[1]]));
    }
    /* What went must still tell where it was. */
    for (int32_t i = 0; i < change->n_nodes_out; i++) {
        int32_t vi = change->nodes_out[i];
        const int32_t *parent = k->f.nodes[vi].parent;
        vec3 x = v3_scale(0.5, v3_add(k->x[parent[0]], k->x[parent[1]]));
        assert_memory_equal(&x, &k->x[vi], sizeof x);
    }
    k->n_nodes += change->n_nodes_in - change->n_nodes_out;
    if (change->n_out == 1 && k->n_splits < k->capacity)
        k->splits[k->n_splits++] = change->out[0];
}

void forest_kit_forget(forest_kit *k)
{
    k->n_splits = 0;
}

bool forest_kit_same_leaves(const forest_kit *k)
{
    int32_t n = 0;
    for (int32_t ei = forest_next_leaf(&k->f, -1); ei >= 0; ei = forest_next_leaf(&k->f, ei), n++)
        if (k->place[ei] < 0)
            return false;
    return n == k->n_leaves && n == k->f.n_leaves && k->n_nodes == k->f.n_live_nodes;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static double grid_random(uint64_t *random)
{
    return (double)((int64_t)(kit_random(random) >> 23) - (INT64_C(1) << 40)) * 0x1p-32;
}

void forest_kit_start_mesh(forest_kit *k, const kit_mesh *m, int32_t grid_columns, uint64_t seed)
{
    *k = (forest_kit){0};
    mem_init(&k->mem, kit_alloc, &k->kit);
    surface_input in = {.n_nodes = m->n_nodes,
                        .n_triangles = m->n_triangles,
                        .n_quads = m->n_quads,
                        .triangles = m->triangles,
                        .quads = m->quads,
                        .uv = m->uv,
                        .rest = m->uv ? NULL : m->x,
                        .grid_columns = grid_columns};
    weft_error e = {0};
    kit_must(surface_create(&k->mem, &in, &k->roots, &e), &e);
    assert_true(forest_create(&k->f, &k->mem, k->roots));
    k->f.replace = follow;
    k->f.replace_user = k;
    k->n_nodes = k->f.n_nodes;
    make_room(k);
    for (int32_t ei = 0; ei < k->f.n_roots; ei++)
        add_leaf(k, ei);
    for (int32_t vi = 0; vi < k->f.n_nodes; vi++)
        k->x[vi] = v3(grid_random(&seed), grid_random(&seed), grid_random(&seed));
}

void forest_kit_end(forest_kit *k)
{
    forest_destroy(&k->f);
    surface_destroy(k->roots);
    free(k->leaves);
    free(k->place);
    free(k->splits);
    free(k->x);
    assert_int_equal(k->kit.n_bytes, 0);
    assert_int_equal(k->kit.n_mistakes, 0);
}

static kit_mesh disc_mesh(int32_t n)
{
    kit_mesh m = kit_patch(n + 1, 2, 1, 1, 0, 0, 1); /* for its room: at least n + 1 nodes and 2n triangles */
    m.n_nodes = n + 1;
    m.n_triangles = n;
    m.uv[0] = (weft_vec2){0, 0};
    for (int32_t i = 0; i < n; i++) {
        double a = 6.283185307179586 * i / n;
        m.uv[1 + i] = (weft_vec2){cos(a), sin(a)};
        memcpy(m.triangles + 3 * i, (int32_t[3]){0, 1 + i, 1 + (i + 1) % n}, 3 * sizeof(int32_t));
    }
    return m;
}

/* Two patches of 2 × 2 cells, some cells triangles. */
static kit_mesh pillow_mesh(uint64_t seed)
{
    kit_mesh m = kit_patch(3, 7, 2, 6, 0.5, 0, seed); /* 2 × 6 cells, of which the rows 2 and 3 go */
    int32_t n = 0;
    for (int32_t i = 0; i < m.n_triangles; i++) {
        int32_t *t = m.triangles + 3 * i, low = t[0] < t[1] ? t[0] : t[1];
        low = t[2] < low ? t[2] : low;
        if (low / 3 != 2 && low / 3 != 3)
            memmove(m.triangles + 3 * n++, t, 3 * sizeof *t);
    }
    m.n_triangles = n;
    n = 0;
    for (int32_t i = 0; i < m.n_quads; i++) {
        int32_t *q = m.quads + 4 * i, row = q[0] / 3;
        if (row != 2 && row != 3)
            memmove(m.quads + 4 * n++, q, 4 * sizeof *q);
    }
    m.n_quads = n;
    return m;
}

static kit_mesh shape_mesh(forest_shape shape, uint64_t seed)
{
    switch (shape) {
    case SHAPE_MIXED: {
        kit_mesh m = kit_patch(4, 3, 3, 2, 0.5, 0.2, seed);
        kit_shuffle(&m, &seed);
        return m;
    }
    case SHAPE_TORUS: return kit_torus(4, 3, 1, 0.4);
    case SHAPE_SPHERE: return kit_icosphere(0, 1);
    case SHAPE_DISC: return disc_mesh(7);
    case SHAPE_THIN_TUBE: return kit_patch(2, 4, 1, 3, 1.5, 0, seed);
    case SHAPE_MIXED_TUBE: return kit_patch(4, 3, 3, 2, 0.5, 0.2, seed);
    case SHAPE_ONE_TORUS: return kit_patch(2, 2, 1, 1, 1.5, 0, seed);
    case SHAPE_DART: return kit_patch(3, 3, 2, 2, 0.5, 0, seed);
    case SHAPE_PILLOW: return pillow_mesh(seed);
    default: return kit_patch(4, 3, 3, 2, 1.5, 0, seed);
    }
}

int32_t forest_kit_edge(const forest *f, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < f->n_root_edges; i++)
        if ((f->edges[i].node[0] == a && f->edges[i].node[1] == b) ||
            (f->edges[i].node[0] == b && f->edges[i].node[1] == a))
            return i;
    fail_msg("no edge between %d and %d", a, b);
    return -1;
}

/* So that a lies at c and b at d. */
static void stitch(forest *f, int32_t a, int32_t b, int32_t c, int32_t d)
{
    int32_t i = forest_kit_edge(f, a, b), j = forest_kit_edge(f, c, d);
    bool turned = (f->edges[i].node[0] == a) != (f->edges[j].node[0] == c);
    assert_true(forest_stitch(f, i, j, turned));
}

/* The left border of n_u × n_v nodes to the right one. */
static void stitch_tube(forest *f, int32_t n_u, int32_t n_v, bool moebius)
{
    for (int32_t j = 0; j < n_v - 1; j++) {
        int32_t to = moebius ? n_v - 1 - j : j, after = moebius ? to - 1 : to + 1;
        stitch(f, n_u * j, n_u * (j + 1), n_u * to + n_u - 1, n_u * after + n_u - 1);
    }
}

/* Nodes round a patch of 3 × 3 nodes. */
static void stitch_pillow(forest *f)
{
    static const int32_t round[8] = {0, 1, 2, 5, 8, 7, 6, 3};
    for (int i = 0; i < 8; i++) {
        int32_t a = round[i], b = round[(i + 1) % 8];
        stitch(f, a, b, 12 + a, 12 + b);
    }
}

static int32_t grid_columns(forest_shape shape)
{
    switch (shape) {
    case SHAPE_GRID:
    case SHAPE_TUBE:
    case SHAPE_MOEBIUS: return 3;
    case SHAPE_THIN_TUBE: return 1;
    default: return 0;
    }
}

void forest_kit_start(forest_kit *k, forest_shape shape, uint64_t seed)
{
    kit_mesh m = shape_mesh(shape, seed);
    forest_kit_start_mesh(k, &m, grid_columns(shape), seed);
    kit_mesh_free(&m);
    switch (shape) {
    case SHAPE_TUBE:
    case SHAPE_MIXED_TUBE: stitch_tube(&k->f, 4, 3, false); break;
    case SHAPE_MOEBIUS: stitch_tube(&k->f, 4, 3, true); break;
    case SHAPE_THIN_TUBE: stitch_tube(&k->f, 2, 4, false); break;
    case SHAPE_ONE_TORUS:
        stitch(&k->f, 0, 2, 1, 3);
        stitch(&k->f, 0, 1, 2, 3);
        break;
    case SHAPE_DART:
        stitch(&k->f, 0, 1, 0, 3);
        stitch(&k->f, 1, 2, 3, 6);
        break;
    case SHAPE_PILLOW: stitch_pillow(&k->f); break;
    default: break;
    }
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

int32_t forest_kit_leaf(forest_kit *k, int32_t below, uint64_t *random)
{
    for (int tries = 0; tries < 50; tries++) {
        int32_t ei = k->leaves[kit_random_below(random, k->n_leaves)];
        if (k->f.elements[ei].level < below)
            return ei;
    }
    return -1;
}

void forest_kit_operate(forest_kit *k, int32_t size, int32_t most_level, uint64_t *random)
{
    int32_t chance = k->n_leaves < size ? 70 : 20;
    if (kit_random_below(random, 100) < chance) {
        int32_t ei = forest_kit_leaf(k, most_level, random);
        if (ei >= 0)
            assert_true(forest_refine(&k->f, ei));
        return;
    }
    for (int tries = 0; tries < 20; tries++) {
        int32_t ei = k->f.elements[k->leaves[kit_random_below(random, k->n_leaves)]].parent;
        if (ei >= 0 && forest_can_merge(&k->f, ei)) {
            forest_merge(&k->f, ei);
            return;
        }
    }
}

uint8_t *forest_kit_encode(const forest *f, int64_t *n_bytes)
{
    *n_bytes = forest_encode(f, NULL);
    uint8_t *bits = malloc((size_t)*n_bytes + 1);
    assert_non_null(bits);
    assert_int_equal(forest_encode(f, bits), *n_bytes);
    return bits;
}
