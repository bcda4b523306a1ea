/* SPDX-License-Identifier: MIT */
/* What `weft untangle` is made of. */
#ifndef TOOL_UNTANGLE_H
#define TOOL_UNTANGLE_H

#include "args.h"
#include "player/subject_clip.h"
#include "run_folder.h"
#include "subject.h"

/* Writes a mesh with new positions. OBJ to OBJ: only the numbers of vertices that moved change, all else in the file
 * stays byte for byte. Other formats are written anew from what was read. */
weft_result untangle_write(const char *from, const char *to, const weft_mesh *mesh, const weft_vec3 *positions,
                           bool force, weft_error *error);

/* Adds meshes, and the colliders of a scene (*scene, to be freed by the caller; NULL: there is none). */
weft_result untangle_add_colliders(subject *s, const args_list *files, weft_scene **scene, weft_error *error);

/* Before and after, side by side; `blame` is per triangle as in marks.h. scene (or NULL) has the solids. */
weft_result untangle_picture(const subject *s, const weft_scene *scene, const weft_vec3 *const x[2],
                             uint8_t *const blame[2], const char *const captions[2], int32_t n_threads,
                             const char *path, weft_error *error);

/* What the subject is like, and what was found: when 0 is before, 1 after. False: out of memory. */
bool untangle_note(subject_clip *to, const subject *s, const weft_scene *scene, const weft_audit_found *found,
                   int32_t when);
/* The page with both. */
weft_result untangle_report_write(const char *name, const weft_untangle_report *report, subject_clip *states,
                                  const char *path, weft_error *error);

/* Faces of the subject that nothing can part: those that are there once more, by the same three places (-1: out of
 * memory), and those without area, which are no cloth. */
int32_t untangle_count_doubles(const subject *s);
int32_t untangle_count_flat(const subject *s);

/* The course of a repair as a run, DIR/scene.yaml and DIR/cache.weft: a frame whenever the repair shows itself. */
typedef struct untangle_frames {
    run_folder folder;
    weft_cache_writer *writer; /* NULL: nothing is kept */
    char *cloth;               /* path of the mesh, from anywhere */
    const args_list *colliders;
    int32_t n;
    weft_result result; /* of the first frame that could not be written */
    weft_error error;
} untangle_frames;

weft_result untangle_frames_begin(untangle_frames *f, const char *folder, bool force, const char *in,
                                  const args_list *colliders, const subject *s, const weft_mesh *mesh,
                                  weft_error *error);
/* A weft_untangle_watch_fn; user is the untangle_frames. */
void untangle_frames_add(void *user, int32_t iteration, const weft_vec3 *positions);
weft_result untangle_frames_end(untangle_frames *f, weft_error *error);
void untangle_frames_free(untangle_frames *f);

/* Groups of the file as objects of their own, colliders behind them. */
typedef struct untangle_parts {
    int32_t n_groups; /* of the mesh; 1 if it has none */
    int32_t n_objects;
    int32_t *objects; /* per triangle of the subject */
    bool *is_collider, *is_rigid;
    weft_untangle_side *sides;
    weft_untangle_layer *layers;
    int32_t n_layers;
} untangle_parts;

/* sides: "NAME=out" or "out" for all; rigid: names; layers: "inner,middle,outer". face is the polygon of each
 * triangle. */
weft_result untangle_parts_make(untangle_parts *p, const subject *s, const weft_mesh *mesh, const int32_t *face,
                                const args_list *sides, const args_list *rigid, const char *layers, weft_error *error);
void untangle_parts_free(untangle_parts *p);

#endif
