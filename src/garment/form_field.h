/* SPDX-License-Identifier: MIT */
/* The shape of the dress form as a function that is negative inside. */
#ifndef WEFT_GARMENT_FORM_FIELD_H
#define WEFT_GARMENT_FORM_FIELD_H

#include "math/vec.h"

#include <weft/form.h>

enum { FORM_SECTIONS = 13, FORM_TUNED = 4 };

/* An ellipse of the trunk at a height. */
typedef struct form_section {
    double y, half_width, half_depth, z;
} form_section;

/* A cone with round ends. */
typedef struct form_limb {
    vec3 a, b;
    double ra, rb;
} form_limb;

typedef struct form_field {
    form_section sections[FORM_SECTIONS]; /* from the crotch up to the neck's end */
    double slope[FORM_SECTIONS][3];       /* of half_width, half_depth, z */
    double crotch, top;
    double unit; /* the person's height over that of the figure, 1.68 m */
    bool has_arms;
    form_limb limbs[8]; /* upper arms, lower arms, thighs, shanks */
    vec3 low, high;
} form_field;

/* Heights where girths are tuned: hips, waist, chest, neck. scale multiplies the sections there, and those between in
 * proportion. lift raises the trunk's lower end, which smooth joints let down. A negative arm_angle leaves the arms
 * off. */
void form_field_make(form_field *f, const weft_measures *m, double arm_angle, const double scale[FORM_TUNED],
                     double lift);

/* Height of what is tuned. */
double form_tuned_height(const weft_measures *m, int tuned);

double form_field_at(const void *field, vec3 p);

#endif
