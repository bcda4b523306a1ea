/* SPDX-License-Identifier: MIT */
/* The form, for the drafts: they take the same measures. */
#ifndef WEFT_GARMENT_FORM_H
#define WEFT_GARMENT_FORM_H

#include "base/error.h"

#include <weft/form.h>

/* Every number within its range. */
weft_result form_check_measures(const weft_measures *m, weft_error *error);

#endif
