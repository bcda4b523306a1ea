/* SPDX-License-Identifier: MIT */
/* Repair by contours alone: what rigid objects and the paper's own methods go by. */
#ifndef WEFT_UNTANGLE_UNTANGLE_H
#define WEFT_UNTANGLE_UNTANGLE_H

#include <weft/untangle.h>

/* Whether a definition makes sense; else which number, node or triangle of it does not. */
weft_result untangle_check(const weft_untangle_def *def, weft_error *e);
/* What intersects, and what is in colliders, at the definition's positions, into what a report says of the start. */
weft_result untangle_survey(const weft_untangle_def *def, weft_untangle_report *report, weft_error *error);
/* Which vertices are at crossings, or in colliders; *sided: all crossings are with colliders, and the ways out of these
 * agree, so that what is tangled comes free where it is. */
weft_result untangle_mark(const weft_untangle_def *def, uint8_t *tangled, bool *sided, weft_error *error);
/* As weft_untangle, of a definition that was checked. */
weft_result untangle_contours(const weft_untangle_def *def, weft_vec3 *out, weft_untangle_report *report,
                              weft_error *error);

#endif
