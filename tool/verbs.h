/* SPDX-License-Identifier: MIT */
/* The verbs of the command. argv are the words behind the verb; the result is the exit code. */
#ifndef TOOL_VERBS_H
#define TOOL_VERBS_H

int verb_new(int argc, char **argv);
int verb_run(int argc, char **argv);
int verb_info(int argc, char **argv);
int verb_check(int argc, char **argv);
int verb_untangle(int argc, char **argv);
int verb_view(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_render(int argc, char **argv);
int verb_schema(int argc, char **argv);
int verb_pattern(int argc, char **argv);
int verb_form(int argc, char **argv);
int verb_sew(int argc, char **argv);

#endif
