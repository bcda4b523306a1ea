/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "manual.h"
#include "say.h"

#include <stdio.h>

static const char examples[] = "  weft manual run | man -l -                          the manual page of a verb\n"
                               "  weft manual > weft.1                                that of the command\n"
                               "  weft manual --bash > ~/.local/share/bash-completion/completions/weft\n"
                               "  weft manual --zsh > ~/.zsh/completions/_weft        a folder of fpath\n";

static const char page_examples[] = "  weft new drape\n"
                                    "  weft run drape.yaml\n"
                                    "  weft view out/drape\n"
                                    "  weft export out/drape --out drape.glb\n";

/* The page of the command itself. */
static int print_page(void)
{
    manual_page_begin("weft", "cloth simulation in physical units", stdout);
    puts(".SH SYNOPSIS\n.B weft\n.I VERB\n\\&...\n.SH DESCRIPTION");
    manual_prose("Turns a scene file into frames, pictures and a report, and looks after what comes of it: cloth in SI "
                 "units that "
                 "behaves the same on any mesh, and to the last bit the same on any number of threads.\n",
                 stdout);
    puts(".SH VERBS");
    for (const command_verb *v = verbs; v->name; v++) {
        printf(".TP\n.BR weft\\-%s (1)\n", v->name);
        manual_prose(v->about, stdout);
    }
    puts(".TP\n\\fBhelp\\fR \\fI[VERB]\\fR\nall about one verb");
    puts(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nall verbs, with examples\n.TP\n\\fB\\-V\\fR, "
         "\\fB\\-\\-version\\fR\nthe version");
    puts(".SH EXAMPLES");
    manual_example(page_examples, stdout);
    puts(".SH EXIT STATUS\n.TP\n0\nfine\n.TP\n1\nthe answer is no, of a verb that answers a question\n.TP\n2\n"
         "something is wrong, and one message says what\n.TP\n128 + n\nstopped by signal n");
    puts(".SH SEE ALSO");
    for (const command_verb *v = verbs; v->name; v++)
        printf(".BR weft\\-%s (1)%s\n", v->name, v[1].name ? "," : "");
    return EXIT_FINE;
}

static int print_completion(const char *shell, void (*begin)(FILE *), void (*end)(FILE *))
{
    int code = EXIT_FINE;
    begin(stdout);
    for (const command_verb *v = verbs; v->name && code == EXIT_FINE; v++)
        code = verb_tell(v, shell);
    end(stdout);
    return code;
}

int verb_manual(int argc, char **argv)
{
    bool bash = false, zsh = false;
    const args_option options[] = {
        {"bash", 0, ARGS_FLAG, &bash, NULL, "what completes words in bash, in place of a page", 0, 0},
        {"zsh", 0, ARGS_FLAG, &zsh, NULL, "the same for zsh", 0, 0},
    };
    const args_spec spec = {.verb = "manual",
                            .usage = "[VERB] [--bash|--zsh]",
                            .about = "Prints a manual page, for man, or what completes words in a shell.",
                            .examples = examples,
                            .options = options,
                            .n_options = 2,
                            .most_words = 1,
                            .words_shown = "a verb"};
    args_words words;
    int code;
    if (!args_begin(&spec, argc, argv, &words, &code))
        return code;
    if (bash + zsh + words.n > 1)
        return say_wrong("'weft manual' takes one of a verb, --bash and --zsh");
    if (bash)
        return print_completion("bash", manual_bash_begin, manual_bash_end);
    if (zsh)
        return print_completion("zsh", manual_zsh_begin, manual_zsh_end);
    const command_verb *v = words.n > 0 ? verb_find(words.items[0]) : NULL;
    if (words.n > 0 && !v)
        return say_wrong("there is no verb '%s': see 'weft help'", words.items[0]);
    return v ? verb_tell(v, "man") : print_page();
}
