/* SPDX-License-Identifier: MIT */
/* All of Weft's API. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <weft/audit.h>
#include <weft/ccd.h>
#include <weft/detect.h>
#include <weft/form.h>
#include <weft/sew.h>
#include <weft/sim.h>
#include <weft/untangle.h>

#endif
