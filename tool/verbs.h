/* SPDX-License-Identifier: MIT */
/* The verbs of the command. argv are the words behind the verb; the result is the exit code. */
#ifndef TOOL_VERBS_H
#define TOOL_VERBS_H

typedef struct command_verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about; /* after "weft name": … */
} command_verb;

/* All of them, in the order of the help; ends with name NULL. */
extern const command_verb verbs[];
/* NULL: there is none of that name. */
const command_verb *verb_find(const char *name);
/* What a verb says of itself in a form of manual.h: its exit code. */
int verb_tell(const command_verb *v, const char *form);

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
int verb_manual(int argc, char **argv);

#endif
