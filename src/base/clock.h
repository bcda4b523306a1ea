/* SPDX-License-Identifier: MIT */
/* Time for statistics. */
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

/* Seconds since some fixed moment, never running backwards. For statistics only: no result may depend on it. */
double clock_seconds(void);

#endif
