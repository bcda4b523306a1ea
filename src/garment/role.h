/* SPDX-License-Identifier: MIT */
/* What a panel covers, told by its name, its label and the names of its edges. */
#ifndef WEFT_GARMENT_ROLE_H
#define WEFT_GARMENT_ROLE_H

#include <weft/pattern.h>

typedef enum role_part {
    ROLE_UNKNOWN,
    ROLE_TORSO, /* hangs from the shoulders */
    ROLE_SKIRT, /* hangs from the waist */
    ROLE_LEG,
    ROLE_SLEEVE,
    ROLE_CUFF,
    ROLE_WAISTBAND,
    ROLE_COLLAR,
    ROLE_HOOD
} role_part;

typedef enum role_face { ROLE_FRONT, ROLE_BACK } role_face;
typedef enum role_side { ROLE_BOTH, ROLE_ON_LEFT, ROLE_ON_RIGHT } role_side;

typedef struct panel_role {
    role_part part;
    role_face face;
    role_side side;
    bool is_half; /* of a sleeve cut in a front and a back */
} panel_role;

panel_role role_of(const weft_panel *panel);
/* Whether it is a band, which is stretched on what it is sewn to: a cuff, a waistband, a collar. */
bool role_is_band(const weft_panel *panel);

#endif
