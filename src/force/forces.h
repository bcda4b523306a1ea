/* SPDX-License-Identifier: MIT */
/* All forces of a scene as plain arrays of elements, and the properties of its nodes. Built from surfaces and fabrics;
 * the kernels know nothing of either. Node indices are those of the scene. */
#ifndef WEFT_FORCE_FORCES_H
#define WEFT_FORCE_FORCES_H

#include <weft/cloth.h>

#include "base/error.h"
#include "force/air.h"
#include "base/intern_table.h"
#include "force/beam.h"
#include "force/bend.h"
#include "force/clamp.h"
#include "force/dihedral.h"
#include "force/hinge.h"
#include "force/membrane.h"
#include "force/params.h"
#include "force/spring.h"
#include "mesh/surface.h"

/* What springs or beams that are alike have in common. */
typedef struct common_par {
    double k;      /* spring.h, beam.h */
    double length; /* springs: at rest, m */
    double limit;  /* springs: of stretch, 0: none (limit.h) */
    double time;   /* the damping's relaxation time, s */
    double drag;   /* time · rate (energy.h), in the present step */
} common_par;

typedef struct spring_element {
    int32_t node[2];
    int32_t common;
    int32_t place; /* of its block, for the assembly */
    double past;   /* spring.h */
} spring_element;

static inline spring_par spring_par_of(const common_par *commons, const spring_element *e)
{
    const common_par *c = &commons[e->common];
    return (spring_par){c->k, c->length, c->limit, c->drag, e->past};
}

/* Elsewhere `time` is the damping's relaxation time, s. */

typedef struct membrane_element {
    int32_t node[3];
    membrane_par par;
    double time;
} membrane_element;

typedef struct beam_element {
    int32_t node[3];
    int32_t common;
    double past; /* beam.h */
} beam_element;

static inline beam_par beam_par_of(const common_par *commons, const beam_element *e)
{
    return (beam_par){commons[e->common].k, commons[e->common].drag, e->past};
}

typedef struct bend_element {
    int32_t node[6]; /* a missing neighbour repeats node 0 and has no stiffness */
    bend_par par;
    double time;
    double theta[3]; /* angles where they were looked at last, rad */
} bend_element;

/* An edge between two bend elements: its tilt is that of a's angle i and, with the other sign, of b's angle j
 * (bend.h). */
typedef struct tilt_edge {
    int32_t a, i, b, j; /* a is -1 where one of the triangles does not bend */
    double tilt;        /* rad */
    double change;      /* of the present sweep, rad */
} tilt_edge;

typedef struct hinge_element {
    int32_t node[4];
    hinge_par par;
    double time;
} hinge_element;

/* One for each drawn triangle. */
typedef struct face_element {
    int32_t node[3];
} face_element;

/* A spring of rest length 0 from a node to a point: soft pins. */
typedef struct soft_element {
    int32_t node;
    int32_t owner; /* attachment */
    int32_t item;  /* which of its nodes */
    double k;      /* N/m */
    vec3 target;
} soft_element;

/* At a clamped border (build_clamp.c). */
typedef struct clamp_element {
    int32_t node[3];
    int32_t owner; /* attachment */
    int32_t bend;  /* whose angle at its border this is; -1: none's */
    int32_t side;
    double k; /* par.k while it holds, J */
    double time;
    vec3 normal;   /* when it took hold; need not be a unit vector */
    clamp_par par; /* as it is in a substep */
} clamp_element;

/* What edges that are alike have in common. */
typedef struct edge_par {
    double length; /* at rest, m */
    double limit;  /* of Provot's correction; 0: none */
    double taut;   /* stretch beyond which the limit by stiffening is near (FORCES_TAUT); 0: none */
} edge_par;

/* An edge of the mesh, for the stretch statistic and Provot's correction. */
typedef struct edge_element {
    int32_t node[2];
    int32_t common; /* its edge_par */
} edge_element;

/* What nodes that are alike have in common. */
typedef struct node_par {
    double mass;        /* kg */
    double thickness;   /* m, the largest of its faces */
    double friction;    /* k_f, mean of its faces by area */
    double dissipation; /* k_d */
    double stiffness;   /* mean stretch modulus, N/m */
    double edge_length; /* shortest, m */
} node_par;

#define FORCE_KINDS 8
typedef enum force_kind {
    FORCE_SPRING,
    FORCE_MEMBRANE,
    FORCE_BEAM,
    FORCE_BEND,
    FORCE_HINGE,
    FORCE_FACE,
    FORCE_SOFT,
    FORCE_CLAMP
} force_kind;

/* A growable array (base/array.h) of items whose size the force_kind, or who uses it, knows. */
typedef struct force_array {
    void *items;
    int32_t n;
    int64_t room;
} force_array;

typedef struct forces {
    mem *mem;
    force_array list[FORCE_KINDS];
    force_array edges;
    bool limited;      /* some edge has Provot's limit */
    bool stiffened;    /* some has the other */
    force_array tilts; /* every inner edge of triangles that bend, for cloths that do by the tensor */
    int32_t *nodes;    /* of each its node_par */
    int32_t n_nodes;
    intern_table commons, edge_pars, node_pars;
    force_array pressures;  /* of each cloth, Pa */
    force_array face_cloth; /* of each face: its cloth, in the order in which they were added */
} forces;

void forces_init(forces *f, mem *m);
void forces_destroy(forces *f);
bool forces_set_nodes(forces *f, int32_t n_nodes);

/* Appends a zeroed item; NULL without memory. */
void *forces_push(forces *f, force_kind kind);

/* The number of what springs or beams like this have in common; −1 without memory. `own`: it may be changed later. */
int32_t forces_common(forces *f, const common_par *par, bool own);

static inline const common_par *forces_commons(const forces *f)
{
    return f->commons.items;
}

static inline const node_par *forces_node(const forces *f, int32_t vi)
{
    return (const node_par *)f->node_pars.items + f->nodes[vi];
}

static inline const edge_par *forces_edge(const forces *f, const edge_element *e)
{
    return (const edge_par *)f->edge_pars.items + e->common;
}

/* The stretch that is the limit by stiffening; 1 where there is none. */
static inline double edge_limit(const edge_par *p)
{
    return p->taut > 0 ? 1 + (p->taut - 1) / FORCES_TAUT : 1;
}

/* The pressure on a face, Pa. */
static inline double forces_pressure(const forces *f, const face_element *face)
{
    const face_element *first = f->list[FORCE_FACE].items;
    int32_t cloth = ((const int32_t *)f->face_cloth.items)[face - first];
    return ((const double *)f->pressures.items)[cloth];
}

/* Gives back the memory of items that did not come. False without memory to move to. */
bool forces_trim(forces *f);

/* How an item of a kind lies in memory: its nodes come first. */
int32_t force_n_nodes(force_kind kind);
size_t force_size(force_kind kind);

static inline const int32_t *force_nodes(const forces *f, force_kind kind, int32_t i)
{
    return (const int32_t *)((const char *)f->list[kind].items + (size_t)i * force_size(kind));
}

/* What a cloth is made of, apart from its surface. */
typedef struct cloth_material {
    const weft_fabric *fabrics;
    weft_stretch_model stretch;
    weft_spring_law law;
    weft_bending_model bending; /* not AUTO */
    weft_limit_method limit;
    double pressure;
    const double *node_mass; /* or NULL */
} cloth_material;

/* Whether beams can bend this surface: quads only, flat at rest. */
bool forces_beams_fit(const surface *s);

/* Checks that the forces can be made at all (model against surface, masses, closed under pressure). */
weft_result forces_check(const surface *s, const cloth_material *m, weft_error *e);

/* Adds a cloth whose node 0 is `offset` in the scene. False without memory; the forces are then to be destroyed. */
bool forces_add_cloth(forces *f, const surface *s, const cloth_material *c, int32_t offset);

/* Whether triangle ti of s->bent bends by the tensor, and whether it and a later one have a tilt between them. */
bool forces_bends(const surface *s, const cloth_material *c, int32_t ti);
bool forces_have_tilt(const surface *s, const cloth_material *c, int32_t ti, int side);

/* Stiffness of a hinge at a border of triangle ti of s->bent, between it and its mirror image, J (hinge.h). */
double forces_border_hinge(const surface *s, const cloth_material *m, int32_t ti, int side);

/* Adds elements for the border between held nodes of a cloth, whose owner and normal are to be filled in. False without
 * memory. */
bool forces_add_clamp(forces *f, const surface *s, const cloth_material *m, int32_t offset, const bool *held);

/* How many tilts the cloth has. */
int32_t forces_n_tilts(const surface *s, const cloth_material *m);

/* Whether a quad's sides run across its threads, so that springs along them are none of these. */
bool quad_is_askew(const surface *s, int32_t ei);
/* How many quads are membrane where springs are asked for, as springs cannot have such a shear stiffness beside such
 * stretch in such cells; and the first of them. */
int32_t forces_without_springs(const surface *s, const cloth_material *m, int32_t *first);

/* Poisson ratios along warp and weft of an element's stretch model. */
void forces_poisson(const surface *s, const cloth_material *m, int32_t ei, double *warp, double *weft);

#endif
