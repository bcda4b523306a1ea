/* SPDX-License-Identifier: MIT */
/* A body that wears garments: panels are cut, placed, sewn and settled on it, one garment after the other, and then
 * follow its motion. */
#ifndef TOOL_WEAR_H
#define TOOL_WEAR_H

#include "page.h"
#include "render/picture.h"
#include "warnings.h"

#include <weft/io.h>
#include <weft/io/body.h>
#include <weft/io/pattern.h>
#include <weft/weft.h>

typedef struct wear_def {
    const char *body, *landmarks; /* files; landmarks may be NULL */
    const weft_form_data *form;   /* instead of a file, NULL: none; `body` is then its name in messages */
    const char *motion;           /* NULL: none */
    double motion_fps;
    double body_scale; /* times the body's size */
    double size;       /* of the mesh, m */
    double ratio;      /* of the two sides of a seam at most */
    double clearance;  /* of panels from the body at the start, m */
    double step, sew_time, settle_time, speed, tension, still;
    double pair_radius; /* at which layers begin to feel each other, beyond their thickness, m */
    double friction;    /* of the body, times the fabric's */
    const weft_fabric *fabric;
    const weft_fabric *rib; /* of panels that are ribs; its weft goes along the band. NULL: as all */
    int32_t n_threads;
    int32_t adapt; /* how often elements split where the cloth bends, from settling on */
    bool ignore_hints;
    double player_mb; /* size of the report's player at most, 1e6 bytes; 0: none */
} wear_def;

wear_def wear_def_default(void);

/* Seams count as shut up to this gap, m. */
#define WEAR_WIDEST_GAP 1e-3

/* What is known of a garment at the end. */
typedef struct wear_figures {
    int32_t n_nodes, n_triangles, n_seams, n_welded;
    double widest_gap;       /* of all seams, m */
    double widest_pulled;    /* before nodes were drawn together for good, m */
    double fold_size;        /* root of the mean area of triangles where the cloth folds, m */
    double folded;           /* share of the area that does */
    double stretch, rib;     /* largest length over rest length, − 1: of all panels but ribs and elastics; of those */
    double stretch_99;       /* 99 % of the sides of panels but ribs are stretched by less */
    double ease, ease_least; /* distance from the body: mean over nodes, least, m */
    double ease_most;
    double seconds_sew, seconds_settle;
    int32_t n_steps;
} wear_figures;

typedef struct wear_garment {
    const char *path;
    char *name;
    weft_pattern *pattern;
    weft_garment *garment;
    weft_panel_fit *fits;
    weft_sew *sew;
    weft_cloth_id cloth;
    weft_fabric fabrics[3]; /* of all panels; of ribs along warp and along weft */
    int32_t *panel_fabric;
    wear_figures figures;
    weft_sew_state state;
} wear_garment;

enum { WEAR_MOST = 8 };

typedef struct wear {
    wear_def def;
    weft_mesh skin;
    int32_t *skin_triangles;
    int32_t n_skin_triangles;
    weft_body *body;
    weft_sim *sim;
    weft_collider_id collider;
    weft_motion *motion;
    weft_motion_info motion_info;
    wear_garment garments[WEAR_MOST];
    int32_t n_garments;
    /* Told after each step; false: stop. May be NULL. */
    bool (*watch)(void *user, const struct wear *w, const weft_step_stats *stats, double seconds);
    void *watch_user;
    bool stopped;
    bool body_is_odd; /* by its size: nothing can be measured by it */
    warnings warnings;
    int32_t n_squeezed;        /* pairs that the last step left no room */
    weft_cache_writer *writer; /* of the motion */
    int32_t n_recorded;
    struct clip *clip;            /* for the report's player (player/wear_clip.h); NULL: none */
    uint32_t shown[WEAR_MOST];    /* the revision of each garment's mesh that the clip has */
    uint32_t recorded[WEAR_MOST]; /* the revision of each garment's mesh that was written last */
} wear;

/* "shirt" of "patterns/shirt.json"; malloc'ed. */
char *wear_name_of(const char *path);

/* Reads the body. After a failure *w needs wear_end all the same. */
weft_result wear_begin(wear *w, const wear_def *def, weft_error *error);
void wear_end(wear *w);
/* Reads, cuts and places a garment; nothing moves yet. `pattern` is taken over, or NULL: read from the path. */
weft_result wear_add(wear *w, const char *path, weft_pattern *pattern, weft_error *error);
/* Sews and settles the last garment added. w->stopped: the watcher wanted an end. */
weft_result wear_sew(wear *w, weft_error *error);
/* One frame of the motion: the body is where frame `frame` has it. */
weft_result wear_follow(wear *w, int32_t frame, weft_step_stats *stats, weft_error *error);

/* The triangles of all that there is, the body last. */
typedef struct wear_mesh {
    int32_t n_nodes, n_triangles;
    weft_vec3 *positions;
    int32_t *triangles;
    int32_t *objects; /* per triangle: garments, then the body */
    int32_t *same;    /* per node: as seams join them */
    int32_t first_node[WEAR_MOST + 1], first_triangle[WEAR_MOST + 2];
} wear_mesh;

weft_result wear_mesh_get(const wear *w, wear_mesh *m, weft_error *error);
void wear_mesh_free(wear_mesh *m);

/* The exact audit of now. */
typedef struct wear_audit {
    int64_t n_cloth, n_body; /* pairs of triangles that intersect */
} wear_audit;
weft_result wear_check(const wear *w, wear_audit *out, weft_error *error);
/* The same, which tells all that it has found: of the triangles of wear_mesh_get. */
weft_result wear_look(const wear *w, wear_audit *out, void (*tell)(void *user, const weft_audit_found *found),
                      void *user, weft_error *error);
/* Gaps, stretch and ease of garment i into its figures. */
weft_result wear_measure(wear *w, int32_t i, weft_error *error);

/* Detail where garment i folds, into its figures. */
weft_result wear_measure_folds(wear_figures *f, const wear_mesh *m, int32_t i, weft_error *error);

/* Garment i, placed: the least of its width as cut over the body's girth at bust, waist and hips; infinite if it
 * reaches none of them. Below 1 it is too small. */
double wear_girth_ratio(const wear *w, int32_t i);

/* Layers: rays from the body's skin outward; share of them that meet garment `inner` before `outer`, of those that meet
 * both over the skin they come from. For the body as it was when the garments were sewn. */
weft_result wear_layers(const wear *w, int32_t inner, int32_t outer, double *share, int32_t *n, weft_error *error);

/* motion.weft: the garments, frame by frame. */
weft_result wear_record_begin(wear *w, const char *folder, weft_error *error);
weft_result wear_record_frame(wear *w, weft_error *error);
weft_result wear_record_end(wear *w, weft_error *error);

/* Of garment i in pictures. */
picture_color wear_color(int32_t i);
/* The stretch that pictures have red. */
#define WEAR_RED_STRETCH 0.08
/* Front, left and back as one PNG file; stretch: coloured by it. */
weft_result wear_picture(const wear *w, const char *path, bool stretch, weft_error *error);

/* "front.side — back.side". */
void wear_seam_name(page *out, const weft_pattern *pattern, int32_t seam);
/* Figures, seams that are open and the audit, on stdout. */
void wear_tell(const wear *w, const wear_audit *audit);

#endif
