/* SPDX-License-Identifier: MIT */
/* Repair by contours alone: what rigid objects and the paper's own methods go by. */
#ifndef WEFT_UNTANGLE_UNTANGLE_H
#define WEFT_UNTANGLE_UNTANGLE_H

#include <weft/untangle.h>

/* Whether a definition makes sense; else which number, node or triangle of it does not. */
weft_result untangle_check(const weft_untangle_def *def, weft_error *e);
/* What intersects, and what is in colliders, at the definition's positions, into what a report says of the start. */
weft_result untangle_survey(const weft_untangle_def *def, weft_untangle_report *report, weft_error *error);
/* What is tangled at the definition's positions, per vertex, and whether it is known where it belongs. */
enum {
    UNTANGLE_MARK_HERE = 1,    /* at a crossing, or in a collider */
    UNTANGLE_MARK_INTRUDES = 2 /* along a line, or of the smaller part that it cuts off */
};
typedef struct untangle_marks {
    uint8_t *at; /* per vertex: these bits; the caller's */
    /* All crossings are with colliders, and the ways out of these agree: what is tangled comes free where it is. */
    bool in_colliders;
    bool sided;        /* all crossings are with colliders, or of two objects of which one is worn over the other … */
    bool agreed;       /* … and the ways out of colliders, if anything is in one, agree: no limb goes right through */
    int32_t n_lines;   /* contours … */
    int32_t n_cut_off; /* … those that cut off a part; */
    int32_t n_vertices; /* the greatest of these parts, the lesser of a line's two */
} untangle_marks;
weft_result untangle_mark(const weft_untangle_def *def, untangle_marks *out, weft_error *e);
/* As weft_untangle, of a definition that was checked. */
weft_result untangle_contours(const weft_untangle_def *def, weft_vec3 *out, weft_untangle_report *report,
                              weft_error *error);

#endif
