/* SPDX-License-Identifier: MIT */
/* What the table of a verb's options says, for other readers than those of args_help: a manual page, and the part of a
 * shell's completion that is about the verb. */
#ifndef TOOL_MANUAL_H
#define TOOL_MANUAL_H

#include "args.h"
#include "verbs.h"

/* form: "man", "bash" or "zsh", as in --help=man; false: another. */
bool manual_tell(const args_spec *spec, const char *form, FILE *out);

/* The page of the command, and what surrounds the verbs' parts of completion. */
void manual_page_begin(const char *name, const char *about, FILE *out);
void manual_prose(const char *text, FILE *out);   /* lines that begin with blanks stay as they are */
void manual_example(const char *text, FILE *out); /* all lines stay as they are */
void manual_bash_begin(FILE *out);
void manual_bash_end(FILE *out);
void manual_zsh_begin(FILE *out);
void manual_zsh_end(FILE *out);

#endif
