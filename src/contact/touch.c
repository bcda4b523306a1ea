/* SPDX-License-Identifier: MIT */
#include "contact/touch.h"

#define PIECE 256
/* Contact begins at this share of the edge length beyond the thickness, but not farther than AUTO_RADIUS: a cloth at
 * rest hovers that much. */
#define AUTO_SHARE 0.1
#define AUTO_RADIUS 5e-4
/* The contact's damper over the node's mass/h². Cloth at rest is then held by the damper over a way of g h²/50, 5e-5 m
 * at h = 1/60 s; less damping lets it bounce, more makes contacts flicker. */
#define DAMPER 50.0
/* A contact whose friction was this much of the cone slid. */
#define SLIDING 0.999

static int32_t pieces(int32_t n)
{
    return (n + PIECE - 1) / PIECE;
}

bool touch_create(touch *t, mem *m, pool *p, const forces *f, int32_t n_colliders)
{
    *t = (touch){.mem = m, .pool = p, .nodes = f->nodes, .faces = f->list[FORCE_FACE].items};
    if (n_colliders == 0)
        return true;
    t->suspect = true;
    t->n_colliders = n_colliders;
    t->n_nodes = f->n_nodes;
    t->n_faces = f->list[FORCE_FACE].n;
    t->capacity = 2 * t->n_nodes + t->n_faces;
    return MEM_MAKE(m, t->pieces, pieces(t->n_nodes) + pieces(t->n_faces)) && MEM_MAKE(m, t->distance, t->n_nodes) &&
           MEM_MAKE(m, t->pushed_by, t->n_nodes) && MEM_MAKE(m, t->pushed_in, t->n_nodes) &&
           MEM_MAKE(m, t->node_touch, t->n_nodes) && MEM_MAKE(m, t->face_touch, t->n_faces) &&
           MEM_MAKE(m, t->contacts, t->capacity) && MEM_MAKE(m, t->node_friction, (int64_t)n_colliders * t->n_nodes) &&
           MEM_MAKE(m, t->face_friction, (int64_t)n_colliders * t->n_faces) &&
           MEM_MAKE(m, t->face_point, (int64_t)n_colliders * t->n_faces) &&
           MEM_MAKE(m, t->node_room, (int64_t)n_colliders * t->n_nodes) &&
           MEM_MAKE(m, t->face_room, (int64_t)n_colliders * t->n_faces) && MEM_MAKE(m, t->start, t->n_nodes) &&
           MEM_MAKE(m, t->moved, t->n_nodes) && MEM_MAKE(m, t->allowed, (int64_t)n_colliders * t->n_nodes) &&
           MEM_MAKE(m, t->before, t->n_nodes);
}

void touch_destroy(touch *t)
{
    if (!t->mem)
        return;
    MEM_FREE(t->mem, t->pieces, pieces(t->n_nodes) + pieces(t->n_faces));
    MEM_FREE(t->mem, t->distance, t->n_nodes);
    MEM_FREE(t->mem, t->pushed_by, t->n_nodes);
    MEM_FREE(t->mem, t->pushed_in, t->n_nodes);
    MEM_FREE(t->mem, t->node_touch, t->n_nodes);
    MEM_FREE(t->mem, t->face_touch, t->n_faces);
    MEM_FREE(t->mem, t->contacts, t->capacity);
    MEM_FREE(t->mem, t->node_friction, (int64_t)t->n_colliders * t->n_nodes);
    MEM_FREE(t->mem, t->face_friction, (int64_t)t->n_colliders * t->n_faces);
    MEM_FREE(t->mem, t->face_point, (int64_t)t->n_colliders * t->n_faces);
    MEM_FREE(t->mem, t->node_room, (int64_t)t->n_colliders * t->n_nodes);
    MEM_FREE(t->mem, t->face_room, (int64_t)t->n_colliders * t->n_faces);
    MEM_FREE(t->mem, t->start, t->n_nodes);
    MEM_FREE(t->mem, t->moved, t->n_nodes);
    MEM_FREE(t->mem, t->allowed, (int64_t)t->n_colliders * t->n_nodes);
    MEM_FREE(t->mem, t->before, t->n_nodes);
    *t = (touch){0};
}

double touch_radius(const touch *t, int32_t vi)
{
    return t->radius > 0 ? t->radius : min_of(AUTO_RADIUS, AUTO_SHARE * t->nodes[vi].edge_length);
}

static int32_t piece_end(int32_t i, int32_t n)
{
    return (i + 1) * PIECE < n ? (i + 1) * PIECE : n;
}

typedef struct distance_run {
    touch *t;
    const vec3 *x;
} distance_run;

static void distance_piece(void *context, int32_t i)
{
    distance_run *r = context;
    for (int32_t vi = i * PIECE; vi < piece_end(i, r->t->n_nodes); vi++)
        r->t->distance[vi] = collider_distance(r->t->current, r->x[vi]);
}

void touch_measure(touch *t, const vec3 *x)
{
    distance_run r = {t, x};
    pool_for(t->pool, pieces(t->n_nodes), distance_piece, &r);
}

double touch_face_thickness(const touch *t, const face_element *f)
{
    return max_of(t->nodes[f->node[0]].thickness,
                  max_of(t->nodes[f->node[1]].thickness, t->nodes[f->node[2]].thickness));
}

static double nearest_corner(const touch *t, const face_element *f)
{
    return min_of(t->distance[f->node[0]], min_of(t->distance[f->node[1]], t->distance[f->node[2]]));
}

/* No point of a triangle is farther from its nearest corner than the longest side over √3. */
bool touch_face_may(const touch *t, const face_element *f, const vec3 x[3], double within)
{
    double nearest = nearest_corner(t, f);
    double side_sq =
        max_of(v3_len_sq(v3_sub(x[1], x[0])), max_of(v3_len_sq(v3_sub(x[2], x[1])), v3_len_sq(v3_sub(x[0], x[2]))));
    double away = nearest - within;
    return away <= 0 || 3 * away * away <= side_sq;
}

static int32_t index_of(const touch *t)
{
    return (int32_t)(t->current - t->colliders);
}

static vec3 weighted(const vec3 x[3], const double b[3])
{
    return v3_madd(v3_madd(v3_scale(b[0], x[0]), b[1], x[1]), b[2], x[2]);
}

/* The middle, unless the deepest point is deeper than it and the corners by more than half the radius. */
static void choose_point(const touch *t, const face_element *f, const vec3 x[3], face_point *point)
{
    static const double middle[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    shape_deepest d = collider_deepest(t->current, x);
    double covered = min_of(nearest_corner(t, f), collider_distance(t->current, weighted(x, middle)));
    bool middle_does = d.distance > covered - 0.5 * touch_radius(t, f->node[0]);
    for (int j = 0; j < 3; j++)
        point->b[j] = middle_does ? middle[j] : d.b[j];
    point->chosen = true;
}

static void touch_face(touch *t, const face_element *f, face_touch *ft, face_point *point)
{
    double within = touch_face_margin(t, index_of(t), f) + touch_radius(t, f->node[0]);
    vec3 x[3] = {t->x[f->node[0]], t->x[f->node[1]], t->x[f->node[2]]};
    ft->near = touch_face_may(t, f, x, within);
    if (!ft->near)
        return;
    if (!point->chosen)
        choose_point(t, f, x, point);
    shape_near n = shape_distance(&t->current->shape, pose_unapply(&t->current->to, weighted(x, point->b)));
    ft->distance = n.distance;
    ft->normal = m3_mul_v(t->current->to.r, n.normal);
    ft->near = n.distance < within;
}

/* ---- what is far away -------------------------------------------------------------------------------------------- */

/* A solve asks many times where the cloth is; most of it is far from a collider, and moves little beside that. A signed
 * distance changes by at most the way gone, so a bound taken at the solve's start spares the rest of it a closer look.
 * A little less than exact arithmetic has: for rounding, at coordinates of up to 1e3 m. */
#define ROUNDING 1e-9

static void moved_piece(void *context, int32_t i)
{
    touch *t = context;
    for (int32_t vi = i * PIECE; vi < piece_end(i, t->n_nodes); vi++) {
        if (t->mode == TOUCH_START)
            t->start[vi] = t->x[vi];
        t->moved[vi] = v3_len(v3_sub(t->x[vi], t->start[vi]));
    }
}

/* collider_keep_out finds nothing while the distance is more than margin and radius, and more than margin and way. */
static double room_of_node(const touch *t, int32_t vi)
{
    double far = t->distance[vi] - touch_margin(t, index_of(t), vi);
    vec3 a = pose_unapply(&t->current->from, t->x0[vi]), b = pose_unapply(&t->current->to, t->x[vi]);
    return min_of(far - touch_radius(t, vi), 0.5 * (far - v3_len(v3_sub(b, a)))) - ROUNDING;
}

static double room_of_face(const touch *t, const face_element *f)
{
    const vec3 *x = t->x;
    vec3 a = x[f->node[0]], b = x[f->node[1]], c = x[f->node[2]];
    double side_sq = max_of(v3_len_sq(v3_sub(b, a)), max_of(v3_len_sq(v3_sub(c, b)), v3_len_sq(v3_sub(a, c))));
    double within = touch_face_margin(t, index_of(t), f) + touch_radius(t, f->node[0]);
    return nearest_corner(t, f) - sqrt(side_sq / 3) - within - ROUNDING;
}

static bool has_room(const touch *t, const face_element *f, double room)
{
    return max_of(t->moved[f->node[0]], max_of(t->moved[f->node[1]], t->moved[f->node[2]])) < room;
}

/* ---- what is near ------------------------------------------------------------------------------------------------ */

static void face_piece(void *context, int32_t i)
{
    touch *t = context;
    touch_piece *piece = &t->pieces[pieces(t->n_nodes) + i];
    int64_t first = (int64_t)index_of(t) * t->n_faces;
    *piece = (touch_piece){0};
    for (int32_t fi = i * PIECE; fi < piece_end(i, t->n_faces); fi++) {
        const face_element *f = &t->faces[fi];
        double *room = &t->face_room[first + fi];
        if (t->mode == TOUCH_START)
            *room = room_of_face(t, f);
        t->face_touch[fi].near = false;
        if (!has_room(t, f, *room))
            touch_face(t, f, &t->face_touch[fi], &t->face_point[first + fi]);
        piece->n += t->face_touch[fi].near;
    }
}

static double distance_at_start(const touch *t, vec3 x0)
{
    return shape_distance(&t->current->shape, pose_unapply(&t->current->from, x0)).distance;
}

static void node_piece(void *context, int32_t i)
{
    touch *t = context;
    t->pieces[i] = (touch_piece){0};
    for (int32_t vi = i * PIECE; vi < piece_end(i, t->n_nodes); vi++) {
        double margin = touch_margin(t, index_of(t), vi), *room = &t->node_room[(int64_t)index_of(t) * t->n_nodes + vi];
        node_touch *nt = &t->node_touch[vi];
        if (t->mode == TOUCH_START)
            *room = room_of_node(t, vi);
        nt->near = false;
        if (t->moved[vi] < *room)
            continue;
        nt->near = collider_keep_out(t->current, margin, touch_radius(t, vi), t->x0[vi], t->x[vi], &nt->keep);
        if (nt->near)
            nt->past = margin + touch_radius(t, vi) - distance_at_start(t, t->x0[vi]);
        t->pieces[i].n += nt->near;
    }
}

static void renew_friction(const touch *t, const contact_term *c, friction_state *f, touch_piece *sums)
{
    sums->force_was += f->force;
    sums->n_switched += friction_renew(c, t->x, f);
    sums->force += f->force;
}

bool touch_is_settled(const touch *t)
{
    return t->n_switched == 0 && fabs(t->force - t->force_was) <= 0.01 * t->force;
}

/* The anchor lies behind the place that the collider has carried the point to, by what its friction spring held. */
static void set_friction(const touch *t, contact_term *c, friction_state *f, vec3 x0, vec3 hold, touch_piece *sums)
{
    if (t->mode == TOUCH_START)
        *f = (friction_state){contact_resting_force(c), v3_zero(), v3_len(hold) > SLIDING};
    vec3 carried = m3_mul_v(t->current->to.r, pose_unrotate(&t->current->from, hold));
    c->force = contact_resting_force(c);
    c->anchor = v3_sub(collider_carry(t->current, x0), contact_slip(c, carried));
    if (t->mode == TOUCH_UPDATE)
        renew_friction(t, c, f, sums);
    c->force = f->force;
    c->slides = f->slides;
}

static void set_node(touch *t, int32_t vi, int32_t owner, contact_term *c, touch_piece *sums)
{
    const node_touch *nt = &t->node_touch[vi];
    const node_par *n = &t->nodes[vi];
    *c = (contact_term){.n = 1,
                        .node = {vi},
                        .w = {1},
                        .normal = nt->keep.normal,
                        .reach = nt->keep.reach,
                        .radius = touch_radius(t, vi),
                        .k = t->stiffness * n->stiffness,
                        .drag = DAMPER * n->mass / (t->h * t->h),
                        .past = max_of(0.0, nt->past),
                        .friction = n->friction * t->current->friction,
                        .owner = owner};
    contact_ready(c);
    vec3 hold = t->memory[vi].owner == owner ? t->memory[vi].hold : v3_zero();
    set_friction(t, c, &t->node_friction[(int64_t)owner * t->n_nodes + vi], t->x0[vi], hold, sums);
}

/* What a face remembers is the mean of its nodes. */
static vec3 face_hold(const touch *t, const face_element *f, const double b[3], int32_t owner)
{
    vec3 mean = v3_zero();
    for (int j = 0; j < 3; j++)
        if (t->memory[f->node[j]].owner == owner)
            mean = v3_madd(mean, b[j], t->memory[f->node[j]].hold);
    return mean;
}

static void set_face(touch *t, int32_t fi, int32_t owner, contact_term *c, touch_piece *sums)
{
    const face_element *f = &t->faces[fi];
    const face_touch *ft = &t->face_touch[fi];
    const double *b = t->face_point[(int64_t)owner * t->n_faces + fi].b;
    vec3 x[3], x0[3];
    double share = 0, heft = 0; /* Σ b², Σ b²/m */
    *c = (contact_term){.n = 3, .normal = ft->normal, .radius = touch_radius(t, f->node[0]), .owner = owner};
    for (int j = 0; j < 3; j++) {
        c->node[j] = f->node[j];
        c->w[j] = b[j];
        share += b[j] * b[j];
        heft += b[j] * b[j] / t->nodes[f->node[j]].mass;
        c->friction += b[j] * t->nodes[f->node[j]].friction * t->current->friction;
        x[j] = t->x[f->node[j]];
        x0[j] = t->x0[f->node[j]];
    }
    vec3 start = weighted(x0, b);
    c->reach = v3_dot(ft->normal, weighted(x, b)) - ft->distance + touch_face_margin(t, owner, f);
    c->k = t->stiffness * t->nodes[f->node[0]].stiffness / share;
    c->drag = DAMPER / (heft * t->h * t->h);
    c->past = max_of(0.0, touch_face_margin(t, owner, f) + c->radius - distance_at_start(t, start));
    contact_ready(c);
    set_friction(t, c, &t->face_friction[(int64_t)owner * t->n_faces + fi], start, face_hold(t, f, b, owner), sums);
}

static void set_nodes(void *context, int32_t i)
{
    touch *t = context;
    int32_t at = t->pieces[i].at;
    for (int32_t vi = i * PIECE; vi < piece_end(i, t->n_nodes); vi++)
        if (t->node_touch[vi].near && at < t->capacity)
            set_node(t, vi, index_of(t), &t->contacts[at++], &t->pieces[i]);
}

static void set_faces(void *context, int32_t i)
{
    touch *t = context;
    touch_piece *piece = &t->pieces[pieces(t->n_nodes) + i];
    int32_t at = piece->at;
    for (int32_t fi = i * PIECE; fi < piece_end(i, t->n_faces); fi++)
        if (t->face_touch[fi].near && at < t->capacity)
            set_face(t, fi, index_of(t), &t->contacts[at++], piece);
}

/* Contacts with t->current: those of nodes, then those of faces. */
static void add_contacts(touch *t)
{
    int32_t n_pieces = pieces(t->n_nodes) + pieces(t->n_faces);
    for (int32_t i = 0; i < n_pieces; i++) {
        t->pieces[i].at = t->n_contacts;
        t->n_contacts += t->pieces[i].n;
    }
    t->n_contacts = t->n_contacts < t->capacity ? t->n_contacts : t->capacity;
    pool_for(t->pool, pieces(t->n_nodes), set_nodes, t);
    pool_for(t->pool, pieces(t->n_faces), set_faces, t);
    for (int32_t i = 0; i < n_pieces; i++) {
        t->n_switched += t->pieces[i].n_switched;
        t->force += t->pieces[i].force;
        t->force_was += t->pieces[i].force_was;
    }
}

/* Distances, faces and nodes against t->current. */
static void measure(touch *t)
{
    touch_measure(t, t->x);
    pool_for(t->pool, pieces(t->n_faces), face_piece, t);
    pool_for(t->pool, pieces(t->n_nodes), node_piece, t);
}

/* A contact that only appears during the solve starts without friction, not with a force of some earlier step; and the
 * points of faces are chosen anew. */
static void forget_step(touch *t)
{
    int64_t n = t->n_colliders;
    for (int64_t i = 0; i < n * t->n_nodes; i++)
        t->node_friction[i] = (friction_state){0};
    for (int64_t i = 0; i < n * t->n_faces; i++) {
        t->face_friction[i] = (friction_state){0};
        t->face_point[i].chosen = false;
    }
}

void touch_find(touch *t, touch_mode mode)
{
    t->mode = mode;
    t->n_contacts = t->n_switched = 0;
    t->force = t->force_was = 0;
    if (mode == TOUCH_START)
        forget_step(t);
    pool_for(t->pool, pieces(t->n_nodes), moved_piece, t);
    for (int32_t ci = 0; ci < t->n_colliders; ci++) {
        t->current = &t->colliders[ci];
        measure(t);
        add_contacts(t);
    }
}
