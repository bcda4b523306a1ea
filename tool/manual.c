/* SPDX-License-Identifier: MIT */
/* Manual pages in the macros of man(7), and completion for bash and zsh. All that is said of an option is its line in
 * the table: whether it takes a value, and if that is one of a few words, or a file. */
#include "manual.h"

#include <ctype.h>
#include <string.h>
#include <weft/base.h>

/* ---- manual pages ------------------------------------------------------------------------------------------------ */

/* Text as groff has it; in commands, what typographers would improve stays what a keyboard writes. */
static void put_roff(const char *s, size_t n, bool is_command, FILE *out)
{
    if (n > 0 && (*s == '.' || *s == '\''))
        fputs("\\&", out);
    for (size_t i = 0; i < n; i++)
        switch (s[i]) {
        case '\\': fputs("\\e", out); break;
        case '-': fputs(is_command ? "\\-" : "-", out); break;
        case '\'': fputs(is_command ? "\\(aq" : "'", out); break;
        case '`': fputs("\\(ga", out); break;
        case '^': fputs("\\(ha", out); break;
        case '~': fputs("\\(ti", out); break;
        default: fputc(s[i], out);
        }
}

static void put_roff_text(const char *s, bool is_command, FILE *out)
{
    put_roff(s, strlen(s), is_command, out);
}

void manual_page_begin(const char *name, const char *about, FILE *out)
{
    char title[64] = "";
    for (size_t i = 0; name[i] && i + 1 < sizeof title; i++)
        title[i] = (char)toupper((unsigned char)name[i]);
    fprintf(out, ".TH %s 1 \"\" \"weft %s\" \"User Commands\"\n.SH NAME\n", title, weft_version());
    put_roff_text(name, true, out);
    fprintf(out, " \\- ");
    put_roff_text(about, false, out);
    fputs("\n", out);
}

/* Lines are given to the macros of what they are: those that begin with a blank are left as they are. */
static void put_lines(const char *text, bool all_stay, FILE *out)
{
    bool stays = false;
    const char *first = text;
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        bool is_kept = all_stay || *text == ' ';
        if (is_kept != stays)
            fputs(!is_kept ? ".EE\n.PP\n" : text == first ? ".EX\n" : ".PP\n.EX\n", out);
        stays = is_kept;
        put_roff(text, (size_t)(end - text), is_kept, out);
        fputs("\n", out);
    }
    if (stays)
        fputs(".EE\n", out);
}

void manual_prose(const char *text, FILE *out)
{
    put_lines(text, false, out);
}

void manual_example(const char *text, FILE *out)
{
    put_lines(text, true, out);
}

static void put_option(const args_option *o, FILE *out)
{
    fputs(".TP\n", out);
    if (o->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
    fputs("\\fB\\-\\-", out);
    put_roff_text(o->name, true, out);
    fputs("\\fR", out);
    if (o->shown) {
        fputs(" \\fI", out);
        put_roff_text(o->shown, true, out);
        fputs("\\fR", out);
    }
    fputs("\n", out);
    put_roff_text(*o->about ? o->about : "one of these", false, out);
    fputs("\n", out);
}

static void tell_man(const args_spec *spec, FILE *out)
{
    const command_verb *v = verb_find(spec->verb);
    char name[64];
    snprintf(name, sizeof name, "weft-%s", spec->verb);
    manual_page_begin(name, v ? v->about : spec->about, out);
    fprintf(out, ".SH SYNOPSIS\n.B weft %s\n", spec->verb);
    put_roff_text(spec->usage, true, out);
    fputs("\n.SH DESCRIPTION\n", out);
    manual_prose(spec->about, out);
    if (spec->n_options > 0)
        fputs(".SH OPTIONS\n", out);
    for (int32_t i = 0; i < spec->n_options; i++)
        put_option(&spec->options[i], out);
    fputs(".SH EXAMPLES\n", out);
    manual_example(spec->examples, out);
    if (spec->notes) {
        fputs(".SH NOTES\n", out);
        manual_prose(spec->notes, out);
    }
    fputs(".SH SEE ALSO\n.BR weft (1)\n", out);
}

/* ---- completion -------------------------------------------------------------------------------------------------- */

typedef enum takes { TAKES_NOTHING, TAKES_WORD, TAKES_FILE, TAKES_VALUE } takes;

static takes what_it_takes(const args_option *o)
{
    static const char *const files[] = {"PATH", "DIR", "FILE", "OUT", "MESH"};
    if (o->kind == ARGS_FLAG)
        return TAKES_NOTHING;
    if (strchr(o->shown, '|'))
        return TAKES_WORD;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if ((o->kind == ARGS_TEXT || o->kind == ARGS_LIST) && strcmp(o->shown, files[i]) == 0)
            return TAKES_FILE;
    return TAKES_VALUE;
}

/* "one|two" with blanks between. */
static void put_words(const char *shown, FILE *out)
{
    for (; *shown; shown++)
        fputc(*shown == '|' ? ' ' : *shown, out);
}

static void put_pattern(const args_option *o, FILE *out)
{
    if (o->letter)
        fprintf(out, "-%c | ", o->letter);
    fprintf(out, "--%s) ", o->name);
}

static void tell_bash(const args_spec *spec, FILE *out)
{
    fprintf(out, "    %s)\n        options='", spec->verb);
    for (int32_t i = 0; i < spec->n_options; i++) {
        if (spec->options[i].letter)
            fprintf(out, "-%c ", spec->options[i].letter);
        fprintf(out, "--%s ", spec->options[i].name);
    }
    fputs("-h --help'\n        case $before in\n", out);
    for (int32_t i = 0; i < spec->n_options; i++) {
        const args_option *o = &spec->options[i];
        takes t = what_it_takes(o);
        if (t == TAKES_NOTHING)
            continue;
        fputs("        ", out);
        put_pattern(o, out);
        if (t == TAKES_WORD) {
            fputs("words='", out);
            put_words(o->shown, out);
            fputs("' ;;\n", out);
        } else {
            fprintf(out, "takes=%s ;;\n", t == TAKES_FILE ? "file" : "value");
        }
    }
    fputs("        esac\n        ;;\n", out);
}

void manual_bash_begin(FILE *out)
{
    fputs("# Completion of weft's words in bash. Made by: weft manual --bash\n"
          "_weft()\n{\n"
          "    local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]-}\n"
          "    local options='' words='' takes=''\n"
          "    COMPREPLY=()\n"
          "    # --name=value comes as three words.\n"
          "    [ \"$now\" != = ] || now=''\n"
          "    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    [ \"$COMP_CWORD\" -gt 1 ] || verb=''\n"
          "    case $verb in\n    '' | help)\n        words='",
          out);
    for (const command_verb *v = verbs; v->name; v++)
        fprintf(out, "%s ", v->name);
    fputs("help'\n        [ -n \"$verb\" ] || words+=' --help --version'\n        ;;\n", out);
}

void manual_bash_end(FILE *out)
{
    fputs("    esac\n"
          "    if [ -n \"$words\" ]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$now\")\n"
          "    elif [ -z \"$takes\" ] && [[ $now == -* ]]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$now\")\n"
          "    elif [ \"$takes\" != value ]; then\n"
          "        compopt -o default 2>/dev/null\n"
          "    fi\n"
          "}\n"
          "complete -F _weft weft\n",
          out);
}

/* Within '[...]' of an argument in single quotes. */
static void put_zsh(const char *s, FILE *out)
{
    for (; *s; s++)
        if (*s == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *s))
            fprintf(out, "\\%c", *s);
        else
            fputc(*s, out);
}

static void put_zsh_option(const args_option *o, FILE *out)
{
    takes t = what_it_takes(o);
    fputs(" \\\n            ", out);
    if (o->letter && o->kind == ARGS_LIST)
        fprintf(out, "'*'{-%c,--%s}'[", o->letter, o->name);
    else if (o->letter)
        fprintf(out, "'(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
    else
        fprintf(out, "'%s--%s[", o->kind == ARGS_LIST ? "*" : "", o->name);
    put_zsh(o->about, out);
    fputs("]", out);
    if (t != TAKES_NOTHING) {
        fputs(":", out);
        put_zsh(t == TAKES_WORD ? o->name : o->shown, out);
        fputs(":", out);
    }
    if (t == TAKES_WORD) {
        fputs("(", out);
        put_words(o->shown, out);
        fputs(")", out);
    }
    fputs(t == TAKES_FILE ? "_files'" : "'", out);
}

static void tell_zsh(const args_spec *spec, FILE *out)
{
    fprintf(out, "    %s)\n        _arguments -s", spec->verb);
    for (int32_t i = 0; i < spec->n_options; i++)
        put_zsh_option(&spec->options[i], out);
    fputs(" \\\n            '(-h --help)'{-h,--help}'[all about it]'", out);
    if (spec->most_words > 0)
        fputs(" \\\n            '*:file:_files'", out);
    fputs("\n        ;;\n", out);
}

void manual_zsh_begin(FILE *out)
{
    fputs("#compdef weft\n# Completion of weft's words in zsh. Made by: weft manual --zsh\n_weft()\n{\n"
          "    local -a verbs\n    verbs=(\n",
          out);
    for (const command_verb *v = verbs; v->name; v++) {
        fprintf(out, "        '%s:", v->name);
        put_zsh(v->about, out);
        fputs("'\n", out);
    }
    fputs("        'help:all about one verb'\n    )\n"
          "    if (( CURRENT == 2 )); then\n        _describe -t verbs verb verbs\n        return\n    fi\n"
          "    shift words\n    (( CURRENT-- ))\n"
          "    case $words[1] in\n    help) _describe -t verbs verb verbs ;;\n",
          out);
}

void manual_zsh_end(FILE *out)
{
    fputs("    esac\n}\n_weft \"$@\"\n", out);
}

bool manual_tell(const args_spec *spec, const char *form, FILE *out)
{
    static const struct {
        const char *name;
        void (*tell)(const args_spec *, FILE *);
    } forms[] = {{"man", tell_man}, {"bash", tell_bash}, {"zsh", tell_zsh}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(form, forms[i].name) == 0) {
            forms[i].tell(spec, out);
            return true;
        }
    return false;
}
