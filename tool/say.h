/* SPDX-License-Identifier: MIT */
/* What a program says when something is wrong, and how it ends. */
#ifndef TOOL_SAY_H
#define TOOL_SAY_H

#include "page.h"

/* Ended by a signal: 128 + its number. 1 is left for verbs that answer a question with no. */
enum { EXIT_FINE = 0, EXIT_NO = 1, EXIT_WRONG = 2 };

/* The name of the program, which messages begin with; "weft" unless it is set. */
void say_set_program(const char *name);
const char *say_program(void);

/* "weft: …" on stderr. Returns EXIT_WRONG. */
int say_wrong(const char *format, ...) PAGE_FORMAT(1, 2);
/* "weft: warning: …" on stderr. */
void say_warning(const char *format, ...) PAGE_FORMAT(1, 2);

#endif
