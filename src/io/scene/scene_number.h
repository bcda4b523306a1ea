/* SPDX-License-Identifier: MIT */
/* Numbers as text, the same in every language of the system, and angles that give the same bits on every machine. */
#ifndef WEFT_IO_SCENE_SCENE_NUMBER_H
#define WEFT_IO_SCENE_SCENE_NUMBER_H

#include <stdbool.h>

enum { NUMBER_TEXT = 40 };

/* Decimal numbers as JSON and YAML write them; false: the text is none. 1e999 is infinite. */
bool number_read(const char *from, double *out);
/* The shortest of 15 to 17 digits that is read back as the same number. JSON, too. */
const char *number_write(double x, char out[NUMBER_TEXT]);
/* As people write it: 1e6, 1e-6, 0.25. For messages and pages. */
const char *number_show(double x, char out[NUMBER_TEXT]);

/* Made of exact reductions, sums and products only, since libraries round their sines differently. Errors are below
 * 3e-16. */
double sine_degrees(double angle);
double cosine_degrees(double angle);

#endif
