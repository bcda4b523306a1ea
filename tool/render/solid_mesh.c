/* SPDX-License-Identifier: MIT */
/* Everything round is a surface of revolution about y: a profile of points with normals, from the bottom to the top,
 * turned in N_TURN parts. An edge in the profile is two points at one place with two normals. The nodes lie on the true
 * surface, so the triangles are inside it and cloth that rests on the collider is never hidden. */
#include "render/solid_mesh.h"

#include <math.h>
#include <stdlib.h>

enum {
    N_TURN = 160,   /* the outline of a ball that fills the picture looks round */
    N_QUARTER = 40, /* parts of a quarter circle in a profile */
    MAX_PROFILE = 2 * (N_QUARTER + 1)
};

typedef struct profile_point {
    double radius, y;
    double normal_radius, normal_y;
} profile_point;

typedef struct profile {
    profile_point points[MAX_PROFILE];
    int n;
} profile;

static void profile_add(profile *p, double radius, double y, double normal_radius, double normal_y)
{
    p->points[p->n++] = (profile_point){radius, y, normal_radius, normal_y};
}

/* Two quarters of a circle, the second lifted: a sphere, or a capsule. */
static void profile_capsule(profile *p, double radius, double height)
{
    const double half_pi = 1.57079632679489662;
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i <= N_QUARTER; i++) {
            bool at_pole = i == half * N_QUARTER;
            double a = half_pi * ((double)i / N_QUARTER - 1 + half);
            double c = at_pole ? 0 : cos(a);
            profile_add(p, radius * c, radius * sin(a) + (half - 0.5) * height, c, sin(a));
        }
    }
}

static void profile_cylinder(profile *p, double radius, double height)
{
    profile_add(p, 0, -0.5 * height, 0, -1);
    profile_add(p, radius, -0.5 * height, 0, -1);
    profile_add(p, radius, -0.5 * height, 1, 0);
    profile_add(p, radius, 0.5 * height, 1, 0);
    profile_add(p, radius, 0.5 * height, 0, 1);
    profile_add(p, 0, 0.5 * height, 0, 1);
}

static bool solid_mesh_reserve(solid_mesh *m, int32_t n_nodes, int32_t n_triangles)
{
    m->positions = malloc((size_t)n_nodes * sizeof *m->positions);
    m->normals = malloc((size_t)n_nodes * sizeof *m->normals);
    m->triangles = malloc((size_t)n_triangles * 3 * sizeof *m->triangles);
    return m->positions && m->normals && m->triangles;
}

static void add_node(solid_mesh *m, weft_vec3 position, weft_vec3 normal)
{
    m->positions[m->n_nodes] = position;
    m->normals[m->n_nodes++] = normal;
}

static void add_quad(solid_mesh *m, int32_t a, int32_t b, int32_t c, int32_t d)
{
    const int32_t corners[6] = {a, b, c, a, c, d};
    for (int i = 0; i < 6; i++)
        m->triangles[3 * m->n_triangles + i] = corners[i];
    m->n_triangles += 2;
}

static bool turn_profile(const profile *p, solid_mesh *m)
{
    if (!solid_mesh_reserve(m, p->n * N_TURN, 2 * (p->n - 1) * N_TURN))
        return false;
    for (int i = 0; i < p->n; i++) {
        const profile_point *q = &p->points[i];
        for (int k = 0; k < N_TURN; k++) {
            double angle = 6.28318530717958648 * k / N_TURN, c = cos(angle), s = sin(angle);
            add_node(m, (weft_vec3){q->radius * c, q->y, -q->radius * s},
                     (weft_vec3){q->normal_radius * c, q->normal_y, -q->normal_radius * s});
        }
    }
    for (int i = 0; i + 1 < p->n; i++) {
        for (int k = 0; k < N_TURN; k++) {
            int next = (k + 1) % N_TURN;
            add_quad(m, i * N_TURN + k, i * N_TURN + next, (i + 1) * N_TURN + next, (i + 1) * N_TURN + k);
        }
    }
    return true;
}

static bool make_box(weft_vec3 size, solid_mesh *m)
{
    if (!solid_mesh_reserve(m, 24, 12))
        return false;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            for (int corner = 0; corner < 4; corner++) {
                double e[3], normal[3] = {0, 0, 0};
                e[axis] = normal[axis] = side;
                e[(axis + 1) % 3] = corner == 1 || corner == 2 ? side : -side;
                e[(axis + 2) % 3] = corner >= 2 ? 1 : -1;
                add_node(m, (weft_vec3){0.5 * size.x * e[0], 0.5 * size.y * e[1], 0.5 * size.z * e[2]},
                         (weft_vec3){normal[0], normal[1], normal[2]});
            }
            add_quad(m, m->n_nodes - 4, m->n_nodes - 3, m->n_nodes - 2, m->n_nodes - 1);
        }
    }
    return true;
}

static weft_vec3 rotated(const double r[9], weft_vec3 a)
{
    return (weft_vec3){r[0] * a.x + r[1] * a.y + r[2] * a.z, r[3] * a.x + r[4] * a.y + r[5] * a.z,
                       r[6] * a.x + r[7] * a.y + r[8] * a.z};
}

static void place(const picture_solid *solid, solid_mesh *m)
{
    for (int32_t i = 0; i < m->n_nodes; i++) {
        weft_vec3 x = rotated(solid->rotation, m->positions[i]);
        m->positions[i] = (weft_vec3){x.x + solid->position.x, x.y + solid->position.y, x.z + solid->position.z};
        m->normals[i] = rotated(solid->rotation, m->normals[i]);
    }
}

bool solid_mesh_make(const picture_solid *solid, solid_mesh *out)
{
    profile p = {.n = 0};
    bool done = true;
    *out = (solid_mesh){.n_nodes = 0};
    switch (solid->kind) {
    case WEFT_COLLIDER_PLANE:
    case WEFT_COLLIDER_MESH: break;
    case WEFT_COLLIDER_SPHERE: profile_capsule(&p, solid->radius, 0); break;
    case WEFT_COLLIDER_CAPSULE: profile_capsule(&p, solid->radius, solid->height); break;
    case WEFT_COLLIDER_CYLINDER: profile_cylinder(&p, solid->radius, solid->height); break;
    case WEFT_COLLIDER_BOX: done = make_box(solid->size, out); break;
    }
    if (p.n > 0)
        done = turn_profile(&p, out);
    if (done)
        place(solid, out);
    else
        solid_mesh_free(out);
    return done;
}

void solid_mesh_free(solid_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->triangles);
    *mesh = (solid_mesh){.n_nodes = 0};
}
