/* SPDX-License-Identifier: MIT */
/* The clip of what an audit has looked at: its objects, and what was found. Contours have the numbers that lists of
 * them have: the one of most pairs first. */
#ifndef TOOL_PLAYER_SUBJECT_CLIP_H
#define TOOL_PLAYER_SUBJECT_CLIP_H

#include "player/clip.h"
#include "subject.h"

/* Adds to a clip, moment by moment. The subject may be another one each time, with other triangles, but with as many
 * objects and colliders. */
typedef struct subject_clip {
    clip *c;
    int32_t n_objects, n_solids;
    uint64_t *hashes; /* per object: of its triangles */
    bool rests_first; /* sides are at rest in the first moment: stretch is told against it */
} subject_clip;

/* found NULL: nobody has looked. scene (or NULL) has the analytic colliders. False: out of memory. */
bool subject_clip_add(subject_clip *to, const subject *s, const weft_audit_found *found, const weft_scene *scene,
                      int32_t frame, double time);
/* Not the clip. */
void subject_clip_free(subject_clip *to);

#endif
