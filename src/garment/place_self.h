/* SPDX-License-Identifier: MIT */
/* Placements found from a body's landmarks. */
#ifndef WEFT_GARMENT_PLACE_SELF_H
#define WEFT_GARMENT_PLACE_SELF_H

#include "garment/body.h"
#include "garment/role.h"

/* False: nothing tells where the panel goes. `gap` is the distance from the body that flat panels begin at. */
bool place_self(const weft_body *body, const weft_pattern *pattern, int32_t panel, const weft_panel_info *info,
                double gap, weft_placement *out);

/* Completes a cylinder that is to be put round a joint of the body. False: no such joint. */
bool place_on_joint(const weft_body *body, const weft_panel_info *info, weft_placement *placement);

#endif
