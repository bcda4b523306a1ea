/* SPDX-License-Identifier: MIT */
/* The frames of a run as the subject of an audit: cloths from the cache, colliders from the scene. */
#ifndef TOOL_RUN_SUBJECT_H
#define TOOL_RUN_SUBJECT_H

#include "subject.h"

typedef struct run_subject {
    subject subject;
    weft_cache *cache;
    const weft_scene *scene;          /* or NULL: no colliders */
    const weft_topology **topologies; /* per cloth, that the subject was made of */
    int32_t n_cloths;
    int32_t only; /* the cloth that is looked at; -1: all */
    /* Called when the subject has been made anew, to add more objects; NULL: none. */
    weft_result (*extend)(void *user, subject *s, weft_error *error);
    void *user;
} run_subject;

/* cache and scene must outlive it. */
weft_result run_subject_open(weft_cache *cache, const weft_scene *scene, run_subject *out, weft_error *error);
/* Puts all nodes where they are in a frame, and makes the subject anew where topologies have changed. */
weft_result run_subject_pose(run_subject *s, int32_t frame, double *time, weft_error *error);
void run_subject_close(run_subject *s);

#endif
