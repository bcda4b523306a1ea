/* SPDX-License-Identifier: MIT */
/* Out of colliders.
 *
 * Idea: contours know nothing of what is deep inside of a collider, or wholly. There the outside is known, so a vertex
 * behind the surface goes to the nearest place of it and a gap beyond. For a solid (plane, sphere, capsule, cylinder,
 * box) the deepest point of a triangle tells all: whether its edges cross the surface at 2, 4 or 6 points, at none, or
 * are inside altogether (ye2012 §4 has the crossings of edges alone, and leaves the other cases out).
 *
 * Where we differ: the paper argues for chords over projection (chord.c has them, for what edges cross). A bounded
 * projection a step, along the normal at the deepest point, averaged with what contours ask for, needs no crossing; a
 * sheet of 41 × 41 on a capsule takes fewer steps with it than with chords and its edges are stretched less
 * (`weft-bench ye --only capsule`), so it comes first, and chords when it gets nowhere.
 *
 * Invariants: 1. only vertices of triangles that are no collider's are asked to move; 2. an open mesh has an inside
 * only where the nearest place is within a triangle and not farther than UNTANGLE_OPEN_MESH_EDGES edges, else nothing
 * is asked. */
#include "untangle/outside.h"

#include <string.h>

#include "untangle/params.h"

/* What is too near a solid by less is left, m: as much as the simulation may lack (ENFORCE_PROMISE). */
#define OUTSIDE_TOLERANCE 1e-9

static bool is_outside_mesh(const weft_untangle_def *d, const weft_untangle_side *sides, int32_t object)
{
    return d->object_is_collider && d->object_is_collider[object] && sides[object] == WEFT_SIDE_OUT;
}

static int32_t triangle_object(const weft_untangle_def *d, int32_t ti)
{
    return d->objects ? d->objects[ti] : 0;
}

static weft_result add_outside_mesh(outside *o, const weft_untangle_def *d, const mesh_adjacency *w, int32_t object,
                                    weft_error *e)
{
    int32_t n = 0, *triangles;
    if (!MEM_MAKE(o->m, triangles, 3 * (int64_t)d->n_triangles))
        return error_memory(e);
    for (int32_t ti = 0; ti < d->n_triangles; ti++)
        if (triangle_object(d, ti) == object && w->tri_edge[ti][0] >= 0)
            memcpy(triangles + 3 * (int64_t)n++, w->tri[ti], 3 * sizeof *triangles);
    weft_result r = WEFT_OK;
    if (n > 0) {
        weft_collider_def c = {.kind = WEFT_COLLIDER_MESH,
                               .vertices = d->positions,
                               .n_vertices = d->n_nodes,
                               .triangles = triangles,
                               .n_triangles = n};
        collider_mesh *mesh = collider_mesh_create(o->m, &c);
        if (mesh) {
            memcpy(mesh->x, d->positions, (size_t)d->n_nodes * sizeof *mesh->x);
            mesh->outside = mesh->info.closed && collider_mesh_volume(mesh) < 0 ? -1 : 1;
            o->n_open_edges += mesh->info.n_border_edges;
            o->n_non_manifold_edges += mesh->info.n_non_manifold_edges;
            o->n_flipped_edges += mesh->info.n_flipped_edges;
            o->meshes[o->n_meshes++] = mesh;
        } else {
            r = error_memory(e);
        }
    }
    MEM_FREE(o->m, triangles, 3 * (int64_t)d->n_triangles);
    return r;
}

static weft_result add_solid(outside *o, const weft_collider_def *c, int32_t i, weft_error *e)
{
    static const shape_kind kinds[] = {SHAPE_PLANE, SHAPE_SPHERE, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_BOX};
    weft_quat q = c->rotation;
    if ((int)c->kind < 0 || c->kind > WEFT_COLLIDER_BOX)
        return error_set(e, WEFT_ERROR_ARGUMENT, i, "collider %d is no plane, sphere, capsule, cylinder or box", i);
    if (!(c->radius >= 0 && c->height >= 0 && c->size.x >= 0 && c->size.y >= 0 && c->size.z >= 0) ||
        !v3_is_finite(c->position) || !(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w > 0))
        return error_set(e, WEFT_ERROR_RANGE, i, "collider %d has no good size, position or rotation", i);
    pose at = {mat3_from_quat(q), c->position};
    shape s = {kinds[c->kind], c->radius, 0.5 * c->height, v3_scale(0.5, c->size)};
    o->solids[o->n_solids++] = (collider){.shape = s, .from = at, .to = at};
    return WEFT_OK;
}

weft_result outside_make(outside *o, mem *m, const weft_untangle_def *d, const mesh_adjacency *w,
                         const weft_untangle_side *sides, weft_error *e)
{
    *o = (outside){.m = m, .n_objects = d->n_objects, .thickness = d->thickness, .n_vertices = w->n_vertices};
    o->solid_room = d->n_colliders;
    bool good = MEM_MAKE(m, o->meshes, d->n_objects);
    good = MEM_MAKE(m, o->solids, d->n_colliders) && good;
    good = MEM_MAKE(m, o->at_cloth, w->n_vertices) && good;
    good = MEM_MAKE(m, o->way, w->n_vertices) && good;
    good = (d->n_colliders == 0 || chords_make(&o->chords, m, w)) && good;
    if (!good)
        return error_memory(e);
    for (int32_t ti = 0; ti < d->n_triangles; ti++)
        for (int i = 0; i < 3; i++)
            if (!d->object_is_collider || !d->object_is_collider[triangle_object(d, ti)])
                o->at_cloth[w->tri[ti][i]] = 1;
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < d->n_objects && r >= 0; i++)
        if (is_outside_mesh(d, sides, i))
            r = add_outside_mesh(o, d, w, i, e);
    for (int32_t i = 0; i < d->n_colliders && r >= 0; i++)
        r = add_solid(o, &d->colliders[i], i, e);
    return r;
}

void outside_free(outside *o)
{
    if (!o->m)
        return;
    for (int32_t i = 0; i < o->n_meshes; i++)
        collider_mesh_destroy(o->meshes[i]);
    MEM_FREE(o->m, o->meshes, o->n_objects);
    MEM_FREE(o->m, o->solids, o->solid_room);
    MEM_FREE(o->m, o->at_cloth, o->n_vertices);
    MEM_FREE(o->m, o->way, o->n_vertices);
    chords_free(&o->chords);
}

/* The ways of all vertices that are in a mesh, each to the nearest place of its surface, into o->way. */
static int64_t find_ways(collider_mesh *mesh, outside *o, const vec3 *x)
{
    const minimise *lengths = o->lengths;
    int64_t n = 0;
    for (int32_t vi = 0; vi < o->n_vertices; vi++) {
        o->way[vi] = v3_zero();
        if (!o->at_cloth[vi] || !minimise_moves(lengths, vi))
            continue;
        collider_mesh_place at = collider_mesh_nearest(mesh, x[vi]);
        if (!at.behind || !at.has_side ||
            (!mesh->info.closed && at.distance > UNTANGLE_OPEN_MESH_EDGES * lengths->edge[vi]))
            continue;
        n++;
        vec3 way = v3_unit_or(v3_sub(at.point, x[vi]), at.normal);
        o->way[vi] = v3_scale(at.distance + lengths->gap, way);
    }
    return n;
}

/* The same for a mesh: all that is in it goes along the sheet's own normal, whither more of the nearest ways lead. */
static bool find_common_way_of_mesh(const outside *o, const mesh_adjacency *w, const vec3 *x, vec3 *way)
{
    vec3 units = v3_zero(), ways = v3_zero(), areas = v3_zero();
    double area = 0;
    int64_t n = 0;
    for (int32_t ti = 0; ti < w->n_triangles; ti++) {
        const int32_t *t = w->tri[ti];
        if (!o->at_cloth[t[0]] || !o->at_cloth[t[1]] || !o->at_cloth[t[2]])
            continue;
        vec3 a = v3_cross(v3_sub(x[t[1]], x[t[0]]), v3_sub(x[t[2]], x[t[0]]));
        for (int i = 0; i < 3; i++) {
            if (v3_len_sq(o->way[t[i]]) == 0)
                continue;
            n++;
            units = v3_add(units, v3_unit_or(o->way[t[i]], v3_zero()));
            ways = v3_add(ways, o->way[t[i]]);
            areas = v3_add(areas, a);
            area += v3_len(a);
        }
    }
    if (n < UNTANGLE_PIERCED_LEAST || v3_len(units) > UNTANGLE_PIERCED_WAYS * (double)n ||
        v3_len(areas) < UNTANGLE_PIERCED_NORMALS * area)
        return false;
    vec3 normal = v3_unit_or(areas, v3_zero());
    *way = v3_dot(normal, ways) < 0 ? v3_neg(normal) : normal;
    return true;
}

static int64_t push_from_mesh(collider_mesh *mesh, outside *o, minimise *k, const mesh_adjacency *w, const vec3 *x)
{
    int64_t n = find_ways(mesh, o, x);
    vec3 way = v3_zero();
    bool common = k && n > 0 && (v3_len_sq(o->slide) > 0 || find_common_way_of_mesh(o, w, x, &way));
    way = v3_len_sq(o->slide) > 0 ? o->slide : way;
    for (int32_t vi = 0; vi < o->n_vertices && k && n > 0; vi++)
        if (v3_len_sq(o->way[vi]) > 0)
            minimise_ask(k, vi, common ? v3_scale(o->lengths->edge[vi], way) : o->way[vi]);
    return n;
}

/* The corners that are too near go out by themselves; if only the inside of the triangle is, all of it does. */
static void push_triangle_out(minimise *k, const collider *c, const int32_t t[3], const vec3 y[3],
                              const shape_deepest *deepest, double thickness)
{
    bool any = false;
    for (int i = 0; i < 3; i++) {
        double distance = collider_distance(c, y[i]);
        if (distance >= thickness)
            continue;
        any = true;
        if (minimise_moves(k, t[i])) /* straight on along the deepest point's normal where its own is not unique */
            minimise_ask(k, t[i], v3_scale(thickness - distance + k->gap, deepest->normal));
    }
    for (int i = 0; i < 3 && !any; i++)
        if (minimise_moves(k, t[i]))
            minimise_ask(k, t[i], v3_scale(thickness - deepest->distance + k->gap, deepest->normal));
}

/* What is known of all triangles too near a solid. */
typedef struct embedded {
    int64_t n;
    vec3 normals; /* sum of the solid's unit normals at their deepest points */
    vec3 areas;   /* sum of their own area vectors */
    double area;
} embedded;

static bool find_deepest(const collider *c, const outside *o, const mesh_adjacency *w, const vec3 *x, int32_t ti,
                         vec3 y[3], shape_deepest *out)
{
    const int32_t *t = w->tri[ti];
    if (!o->at_cloth[t[0]] || !o->at_cloth[t[1]] || !o->at_cloth[t[2]])
        return false;
    for (int i = 0; i < 3; i++)
        y[i] = x[t[i]];
    *out = collider_deepest(c, y);
    return out->distance < o->thickness - OUTSIDE_TOLERANCE;
}

static embedded find_embedded_triangles(const collider *c, const outside *o, const mesh_adjacency *w, const vec3 *x)
{
    embedded all = {0};
    vec3 y[3];
    shape_deepest deepest;
    for (int32_t ti = 0; ti < w->n_triangles; ti++)
        if (find_deepest(c, o, w, x, ti, y, &deepest)) {
            vec3 area = v3_cross(v3_sub(y[1], y[0]), v3_sub(y[2], y[0]));
            all.n++;
            all.normals = v3_add(all.normals, deepest.normal);
            all.areas = v3_add(all.areas, area);
            all.area += v3_len(area);
        }
    return all;
}

/* n·y of the solid's farthest point in a direction of the world. */
static double reach_of(const collider *c, vec3 n)
{
    return shape_support(&c->shape, pose_unrotate(&c->to, n)) + v3_dot(n, c->to.p);
}

/* A sheet that a solid pierces has nearest ways out on all sides, which tear at it: then it goes one way, along its own
 * normal, to the end of the solid that is nearer. False: the ways agree, or the sheet has no one normal. */
static bool find_common_way(const collider *c, const outside *o, const mesh_adjacency *w, const vec3 *x,
                            const embedded *all, vec3 *way)
{
    if (c->shape.kind == SHAPE_PLANE || all->n < UNTANGLE_PIERCED_LEAST ||
        v3_len(all->normals) > UNTANGLE_PIERCED_WAYS * (double)all->n ||
        v3_len(all->areas) < UNTANGLE_PIERCED_NORMALS * all->area)
        return false;
    vec3 n = v3_unit_or(all->areas, v3_zero()), y[3];
    shape_deepest deepest;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t ti = 0; ti < w->n_triangles; ti++)
        for (int i = 0; i < 3 && find_deepest(c, o, w, x, ti, y, &deepest); i++) {
            low = min_of(low, v3_dot(n, y[i]));
            high = max_of(high, v3_dot(n, y[i]));
        }
    *way = reach_of(c, n) - low <= reach_of(c, v3_neg(n)) + high ? n : v3_neg(n);
    return true;
}

static int64_t push_from_solid(const collider *c, outside *o, minimise *k, const mesh_adjacency *w, const vec3 *x)
{
    embedded all = find_embedded_triangles(c, o, w, x);
    if (all.n == 0)
        return 0;
    chords_find(&o->chords, w, x, o->at_cloth, c, o->thickness);
    for (int i = 0; i < 3; i++)
        o->n_cut[i] += o->chords.n_triangles[i + 1];
    if (!k)
        return all.n;
    vec3 way, y[3];
    shape_deepest deepest;
    bool common = !o->chords_alone && find_common_way(c, o, w, x, &all, &way);
    if (o->chords_alone)
        chords_push(&o->chords, k, w, x);
    double reach = common ? reach_of(c, way) + o->thickness + k->gap : 0;
    for (int32_t ti = 0; ti < w->n_triangles; ti++) {
        if (!find_deepest(c, o, w, x, ti, y, &deepest))
            continue;
        const int32_t *t = w->tri[ti];
        /* Rigid bodies are not moved by chords, which ask vertices. */
        bool by_chords = o->chords_alone && chords_cut(&o->chords, w, ti) &&
                         k->mobility[t[0]] + k->mobility[t[1]] + k->mobility[t[2]] > 0;
        if (!common && !by_chords)
            push_triangle_out(k, c, t, y, &deepest, o->thickness);
        for (int i = 0; i < 3 && common; i++)
            if (minimise_moves(k, t[i]))
                minimise_ask(k, t[i], v3_scale(max_of(0, reach - v3_dot(way, y[i])), way));
    }
    return all.n;
}

int64_t outside_push(outside *o, minimise *k, const mesh_adjacency *w, const vec3 *x)
{
    int64_t n = 0;
    memset(o->n_cut, 0, sizeof o->n_cut);
    for (int32_t i = 0; i < o->n_meshes; i++)
        n += push_from_mesh(o->meshes[i], o, k, w, x);
    for (int32_t i = 0; i < o->n_solids; i++)
        n += push_from_solid(&o->solids[i], o, k, w, x);
    return n;
}
