/* SPDX-License-Identifier: MIT */
/* What is left when impulses did not settle it and the step cannot be made shorter: zones that move as one, are
 * stopped, or are carried along; and, when there is no room for that, a step cut short for all. It
 * never ends with PREVENT_RETRY. */
#ifndef WEFT_CONTACT_PREVENT_FAILSAFE_H
#define WEFT_CONTACT_PREVENT_FAILSAFE_H

#include "contact/prevent/prevent_work.h"

prevent_end failsafe(prevent_job *j);

void failsafe_destroy(prevent_work *k, mem *m);

#endif
