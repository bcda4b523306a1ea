/* SPDX-License-Identifier: MIT */
/* Tables of wrong calls. Every wrong input has its code and a text that names the culprit, and changes nothing: the
 * simulation goes on bit for bit like its twin, which was never disturbed. */
#ifndef TEST_SIM_WRONG_H
#define TEST_SIM_WRONG_H

#include "sim/kit.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Node 0 of the sheet is pinned, 3 on a rod, 12 softly pinned, 15 tied to the bag. */
typedef struct world {
    weft_sim *sim;
    weft_cloth_id sheet; /* a grid of 4 × 4 */
    weft_cloth_id bag;   /* a mesh without uv, 12 nodes */
    weft_cloth_id gone;  /* removed, its place taken by the bag */
    weft_collider_id ball, gone_ball;
    weft_collider_id stone; /* a mesh of 12 vertices */
    weft_attachment_id pin, rod, soft, gone_pin;
    weft_tie_id tie, gone_tie;
    /* Where calls that must fail would put what they make. */
    weft_cloth_id new_cloth;
    weft_collider_id new_collider;
    weft_attachment_id new_attachment;
    weft_tie_id new_tie;
} world;

void world_make(world *w);

weft_attachment_def attachment_def(weft_cloth_id sheet, const int32_t *nodes, int32_t n);
weft_tie_def tie_def(const world *w, const int32_t *a, const int32_t *b, int32_t n);

/* Whether no failed call has put an id anywhere. */
bool nothing_given_out(const world *w);

typedef weft_result (*wrong_call)(world *w, weft_error *e);

typedef struct wrong_row {
    const char *name;
    weft_result code;
    const char *text;
    wrong_call call;
} wrong_row;

/* Makes each call with an error and without, then takes a step; fails at the end if anything was amiss. */
void check_rows(const wrong_row *rows, size_t n);

#endif
