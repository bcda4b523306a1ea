/* SPDX-License-Identifier: MIT */
/* Reads the words of a command line by a table of options, and finds the name most like a wrong one. */
#include "args.h"

#include "manual.h"
#include "say.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool args_read_int(const char *text, int32_t *out)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < INT32_MIN || value > INT32_MAX)
        return false;
    *out = (int32_t)value;
    return true;
}

bool args_read_number(const char *text, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
        return false;
    *out = value;
    return true;
}

static int least3(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

enum { LONGEST = 40 };

/* Letters to insert, drop, change or swap to get from a to b. */
static int distance(const char *a, const char *b)
{
    int d[LONGEST + 1][LONGEST + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST)
        return INT_MAX;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[n][m];
}

const char *args_nearest(const char *word, const char *const *names, int32_t n)
{
    const char *best = NULL;
    size_t length = strlen(word);
    int least = INT_MAX;
    for (int32_t i = 0; i < n; i++) {
        int d = distance(word, names[i]);
        /* The beginning of a name means that name. */
        if (length >= 2 && strncmp(word, names[i], length) == 0)
            d = 0;
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best && least <= 1 + (int)length / 3 ? best : NULL;
}

static const args_option *find_option(const args_spec *spec, const char *name, size_t n)
{
    for (int32_t i = 0; i < spec->n_options; i++)
        if (strlen(spec->options[i].name) == n && strncmp(spec->options[i].name, name, n) == 0)
            return &spec->options[i];
    return NULL;
}

static const args_option *find_letter(const args_spec *spec, char letter)
{
    for (int32_t i = 0; i < spec->n_options; i++)
        if (spec->options[i].letter == letter)
            return &spec->options[i];
    return NULL;
}

static bool unknown_option(const args_spec *spec, const char *word, char *message, size_t room)
{
    const char *names[65];
    int32_t n = 0;
    for (int32_t i = 0; i < spec->n_options && n < 64; i++)
        names[n++] = spec->options[i].name;
    names[n++] = "help";
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + strspn(word, "-"), "="), word + strspn(word, "-"));
    const char *near = args_nearest(name, names, n), *program = say_program();
    if (near)
        snprintf(message, room, "'%s %s' has no option '%s': did you mean '--%s'?", program, spec->verb, word, near);
    else
        snprintf(message, room, "'%s %s' has no option '%s': see '%s help %s'", program, spec->verb, word, program,
                 spec->verb);
    return false;
}

static bool read_vector(const char *text, args_vector *out)
{
    char part[3][64];
    double x[3];
    int end = 0;
    if (sscanf(text, "%63[^,],%63[^,],%63[^,]%n", part[0], part[1], part[2], &end) != 3 || text[end])
        return false;
    for (int i = 0; i < 3; i++)
        if (!args_read_number(part[i], &x[i]))
            return false;
    *out = (args_vector){true, {x[0], x[1], x[2]}};
    return true;
}

static bool read_range(const char *text, args_range *out)
{
    char from[32];
    const char *colon = strchr(text, ':');
    if (!colon || colon - text >= (int)sizeof from)
        return false;
    snprintf(from, sizeof from, "%.*s", (int)(colon - text), text);
    args_range range = {true, 0, -1};
    if ((*from && !args_read_int(from, &range.from)) || (colon[1] && !args_read_int(colon + 1, &range.to)))
        return false;
    if (range.from < 0 || (colon[1] && range.to < range.from))
        return false;
    *out = range;
    return true;
}

static bool read_choice(const char *text, const char *choices, int32_t *out)
{
    size_t n = strlen(text);
    for (int32_t i = 0;; i++) {
        size_t length = strcspn(choices, "|");
        if (n > 0 && length == n && strncmp(choices, text, n) == 0) {
            *out = i;
            return true;
        }
        choices += length;
        if (*choices++ == '\0')
            return false;
    }
}

/* What an option wants, for messages. */
static void describe(const args_option *o, char *out, size_t room)
{
    switch (o->kind) {
    case ARGS_INT: snprintf(out, room, "a whole number from %.0f to %.0f", o->low, o->high); break;
    case ARGS_NUMBER: snprintf(out, room, "a number from %g to %g", o->low, o->high); break;
    case ARGS_VECTOR: snprintf(out, room, "three numbers, as in 1,0.5,2"); break;
    case ARGS_RANGE: snprintf(out, room, "a range of frames, as in 10:20, 10: or :20"); break;
    case ARGS_CHOICE: snprintf(out, room, "one of %s", o->shown); break;
    default: snprintf(out, room, "%s", o->shown ? o->shown : ""); break;
    }
}

static bool read_value(const args_option *o, const char *text)
{
    double number;
    int32_t whole;
    switch (o->kind) {
    case ARGS_FLAG: return false;
    case ARGS_TEXT: return *(const char **)o->value = text, *text != '\0';
    case ARGS_INT:
        if (!args_read_int(text, &whole) || whole < o->low || whole > o->high)
            return false;
        *(int32_t *)o->value = whole;
        return true;
    case ARGS_NUMBER:
        if (!args_read_number(text, &number) || !(number >= o->low && number <= o->high))
            return false;
        *(double *)o->value = number;
        return true;
    case ARGS_VECTOR: return read_vector(text, o->value);
    case ARGS_RANGE: return read_range(text, o->value);
    case ARGS_CHOICE: return read_choice(text, o->shown, o->value);
    case ARGS_LIST: ((args_list *)o->value)->items[((args_list *)o->value)->n++] = text; return true;
    }
    return false;
}

/* One option; *i is the index of its word and becomes that of its last word. */
static bool take_option(const args_spec *spec, int argc, char **argv, int *i, char *message, size_t room)
{
    const char *word = argv[*i];
    bool is_long = word[1] == '-';
    size_t n = strcspn(word, "=");
    const args_option *o = is_long ? find_option(spec, word + 2, n - 2) : find_letter(spec, word[1]);
    if (!o || (!is_long && o->kind == ARGS_FLAG && word[2]))
        return unknown_option(spec, word, message, room);
    const char *value = is_long ? (word[n] == '=' ? word + n + 1 : NULL) : (word[2] ? word + 2 : NULL);
    if (o->kind == ARGS_FLAG) {
        if (value)
            snprintf(message, room, "'--%s' takes no value, found '%s'", o->name, value);
        else
            *(bool *)o->value = true;
        return !value;
    }
    if (!value && *i + 1 < argc)
        value = argv[++*i];
    char wanted[128];
    describe(o, wanted, sizeof wanted);
    if (!value)
        snprintf(message, room, "'--%s' needs %s%s", o->name, o->kind == ARGS_TEXT ? "a value: " : "", wanted);
    else if (read_value(o, value))
        return true;
    else
        snprintf(message, room, "'--%s %s': expected %s", o->name, value, wanted);
    return false;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strncmp(word, "--help=", 7) == 0;
}

args_result args_parse(const args_spec *spec, int argc, char **argv, args_words *words, char *message, size_t room)
{
    bool no_more_options = false;
    words->n = 0;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!no_more_options && asks_for_help(word))
            return ARGS_HELP;
        if (!no_more_options && strcmp(word, "--") == 0) {
            no_more_options = true;
            continue;
        }
        if (!no_more_options && word[0] == '-' && word[1]) {
            if (!take_option(spec, argc, argv, &i, message, room))
                return ARGS_WRONG;
            continue;
        }
        if (words->n >= spec->most_words) {
            snprintf(message, room, "'%s %s' does not take '%s'; usage: %s %s %s", say_program(), spec->verb, word,
                     say_program(), spec->verb, spec->usage);
            return ARGS_WRONG;
        }
        words->items[words->n++] = word;
    }
    if (words->n >= spec->least_words)
        return ARGS_GO;
    snprintf(message, room, "'%s %s' needs %s; usage: %s %s %s", say_program(), spec->verb, spec->words_shown,
             say_program(), spec->verb, spec->usage);
    return ARGS_WRONG;
}

static void print_option(const args_option *o, FILE *out)
{
    char head[160];
    char letter[4] = {'-', o->letter, ',', '\0'};
    snprintf(head, sizeof head, "%s --%s%s%s", o->letter ? letter : "   ", o->name, o->shown ? " " : "",
             o->shown ? o->shown : "");
    if (strlen(head) > 28) /* too long to stand beside it */
        fprintf(out, "  %s\n%-30s %s\n", head, "", o->about);
    else
        fprintf(out, "  %-28s %s\n", head, o->about);
}

void args_help(const args_spec *spec, FILE *out)
{
    fprintf(out, "%s\n\nusage: %s %s %s\n\nexamples\n%s\n", spec->about, say_program(), spec->verb, spec->usage,
            spec->examples);
    if (spec->n_options > 0)
        fprintf(out, "options\n");
    for (int32_t i = 0; i < spec->n_options; i++)
        print_option(&spec->options[i], out);
    if (spec->notes)
        fprintf(out, "%s%s", spec->n_options > 0 ? "\n" : "", spec->notes);
}

/* --help, or --help=man and what else manual.h has. */
static int tell(const args_spec *spec, int argc, char **argv)
{
    const char *form = "";
    for (int i = argc - 1; i >= 0; i--)
        if (strncmp(argv[i], "--help=", 7) == 0)
            form = argv[i] + 7;
    if (!*form)
        args_help(spec, stdout);
    else if (!manual_tell(spec, form, stdout))
        return say_wrong("--help=%s: there are --help, --help=man, --help=bash and --help=zsh", form);
    return EXIT_FINE;
}

bool args_begin(const args_spec *spec, int argc, char **argv, args_words *words, int *exit_code)
{
    char message[512];
    switch (args_parse(spec, argc, argv, words, message, sizeof message)) {
    case ARGS_GO: return true;
    case ARGS_HELP: *exit_code = tell(spec, argc, argv); return false;
    case ARGS_WRONG: *exit_code = say_wrong("%s", message); return false;
    }
    return false;
}
