/* SPDX-License-Identifier: MIT */
/* Attacks the library with random scenes, and tells what broke by kind and seed.
 *
 * usage: attack --seeds A..B [--seconds N] [--nodes N] [--steps N] [--jobs N] [--hang N] [--known FILE] [--verbose]
 *        attack --minimise SEED [--kind KIND] [--nodes N] [--steps N]     the least scene that fails in the same way
 *        attack --replay TEXT                                              one scene, by its text
 *        attack --show SEED                                                the text of a seed
 *        attack --cases FILE                                               scenes with what is expected of them
 *        attack --self-test                                                the judge before scenes with known answers
 *
 * Exit code 0: nothing broke but what is known; 1: something did; 2: the question makes no sense. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attack/self_test.h"
#include "attack/trial.h"

enum { SHOWN_SEEDS = 12, TOUCHING = 100 };

typedef struct options {
    uint64_t first, last;
    double seconds;
    int nodes, steps, jobs, kind;
    attack_limits limits;
    bool verbose, have_seeds;
    const char *known, *replay, *cases, *minimise, *show;
    bool self_test;
} options;

typedef struct tally {
    const options *o;
    uint64_t next;
    double start;
    int n_scenes, n_touching, n_free, n_tangled, n_squeezed, n_steps, n_ways, n_parted;
    int count[N_ATTACK_KINDS];
    uint64_t seeds[N_ATTACK_KINDS][SHOWN_SEEDS];
    char text[N_ATTACK_KINDS][120];
    bool known[N_ATTACK_KINDS];
} tally;

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "attack: %s: %s\n", what, why);
    return 2;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- what is known ----------------------------------------------------------------------------------------------- */

/* Lines "kind  why"; # begins a comment. */
static int read_known(const char *path, bool known[N_ATTACK_KINDS])
{
    char line[1000];
    FILE *f = fopen(path, "r");
    if (!f)
        return fail(path, strerror(errno));
    int code = 0;
    for (int number = 1; code == 0 && fgets(line, sizeof line, f); number++) {
        size_t at = strspn(line, " \t\r\n"), length = strcspn(line + at, " \t\r\n");
        if (length == 0 || line[at] == '#')
            continue;
        int kind = attack_kind_find(line + at, length);
        if (kind >= 0)
            known[kind] = true;
        else
            code = 2, fprintf(stderr, "attack: %s:%d: there is no kind '%.*s'\n", path, number, (int)length, line + at);
    }
    fclose(f);
    return code;
}

/* ---- many seeds -------------------------------------------------------------------------------------------------- */

static bool next_seed(void *user, attack_recipe *r, uint64_t *label)
{
    tally *t = user;
    if (t->next > t->o->last || (t->o->seconds > 0 && now() - t->start > t->o->seconds))
        return false;
    *label = t->next++;
    *r = attack_recipe_make(*label, t->o->nodes, t->o->steps);
    return true;
}

static void print_report(const attack_report *r)
{
    printf("%d nodes, %d steps, %d touching, %d squeezed, %d in parts, %d ways judged%s, %.1f s\n", r->n_nodes,
           r->steps_done, r->touching, r->squeezed_steps, r->parted_steps, r->judged_ways,
           r->tangled_start ? ", tangled at the start" : "", r->seconds);
    for (int k = 0; k < N_ATTACK_KINDS; k++)
        if (r->kinds >> k & 1)
            printf("    %-16s step %d: %s\n", attack_kind_name(k), r->step[k], r->text[k]);
}

static void count_seed(void *user, const attack_recipe *recipe, uint64_t seed, const attack_report *r)
{
    tally *t = user;
    (void)recipe;
    t->n_scenes++;
    t->n_touching += r->touching > TOUCHING;
    t->n_tangled += r->tangled_start;
    t->n_squeezed += r->squeezed_steps > 0;
    t->n_steps += r->steps_done;
    t->n_ways += r->judged_ways;
    t->n_parted += r->parted_steps;
    for (int k = 0; k < N_ATTACK_KINDS; k++) {
        if (!(r->kinds >> k & 1))
            continue;
        if (t->count[k] == 0)
            memcpy(t->text[k], r->text[k], sizeof t->text[k]);
        if (t->count[k] < SHOWN_SEEDS)
            t->seeds[k][t->count[k]] = seed;
        t->count[k]++;
    }
    if (t->o->verbose) {
        printf("seed %llu: ", (unsigned long long)seed);
        print_report(r);
        fflush(stdout);
    }
}

static int print_table(const tally *t)
{
    int broken = 0;
    double n = t->n_scenes > 0 ? t->n_scenes : 1;
    printf("%d scenes, %d steps in %.0f s; %.0f %% touch in more than %d pairs; %.0f %% tangled at the start, %.0f %% "
           "squeezed at times; %d ways judged, %d steps in parts\n",
           t->n_scenes, t->n_steps, now() - t->start, 100 * t->n_touching / n, TOUCHING, 100 * t->n_tangled / n,
           100 * t->n_squeezed / n, t->n_ways, t->n_parted);
    for (int k = 0; k < N_ATTACK_KINDS; k++) {
        if (t->count[k] == 0)
            continue;
        broken += t->known[k] ? 0 : t->count[k];
        printf("%-16s %5d %s  %s\n    first: %s\n    seeds:", attack_kind_name(k), t->count[k],
               t->known[k] ? "known" : "     ", attack_kind_text(k), t->text[k]);
        for (int i = 0; i < t->count[k] && i < SHOWN_SEEDS; i++)
            printf(" %llu", (unsigned long long)t->seeds[k][i]);
        printf("%s\n", t->count[k] > SHOWN_SEEDS ? " ..." : "");
    }
    printf("%d failures that are not known\n", broken);
    return broken > 0;
}

static int attack_seeds(const options *o)
{
    static tally t;
    t = (tally){.o = o, .next = o->first, .start = now()};
    if (o->known && read_known(o->known, t.known) != 0)
        return 2;
    attack_queue q = {next_seed, count_seed, &t};
    attack_try_many(&q, o->jobs, o->limits);
    return print_table(&t);
}

/* ---- single scenes ----------------------------------------------------------------------------------------------- */

static int lowest_kind(uint32_t kinds)
{
    for (int k = 0; k < N_ATTACK_KINDS; k++)
        if (kinds >> k & 1)
            return k;
    return -1;
}

static int replay(const options *o, const char *text)
{
    attack_recipe r;
    const char *wrong;
    if (!attack_recipe_read(&r, text, &wrong))
        return fail("the scene's text is not understood here", wrong);
    attack_report report = attack_try_apart(&r, o->limits);
    print_report(&report);
    return report.kinds != 0;
}

static int minimise(const options *o)
{
    char text[ATTACK_TEXT];
    attack_recipe r = attack_recipe_make(strtoull(o->minimise, NULL, 10), o->nodes, o->steps);
    attack_report report = attack_try_apart(&r, o->limits);
    int kind = o->kind >= 0 ? o->kind : lowest_kind(report.kinds);
    print_report(&report);
    if (kind < 0 || !(report.kinds >> kind & 1)) {
        printf("nothing to minimise\n");
        return 0;
    }
    r = attack_minimise(&r, kind, o->limits, o->verbose);
    attack_recipe_write(&r, text);
    printf("%s : %s\n", attack_kind_name(kind), text);
    return 1;
}

static int show(const options *o)
{
    char text[ATTACK_TEXT];
    attack_recipe r = attack_recipe_make(strtoull(o->show, NULL, 10), o->nodes, o->steps);
    attack_recipe_write(&r, text);
    printf("%s\n", text);
    return 0;
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

/* 0: as expected, 1: not, 2: the line makes no sense. `name expectation : text`, expectation a kind or ok. */
static int try_case(const options *o, const char *line, const char *where)
{
    attack_recipe r;
    const char *wrong, *colon = strstr(line, " : ");
    size_t name = strcspn(line, " "), at = name + strspn(line + name, " ");
    size_t length = strcspn(line + at, " ");
    bool ok = strncmp(line + at, "ok", length) == 0 && length == 2;
    int kind = attack_kind_find(line + at, length);
    if (!colon || (!ok && kind < 0) || !attack_recipe_read(&r, colon + 3, &wrong)) {
        return fail(where, !colon            ? "a case reads 'name kind : text', or 'name ok : text'"
                           : !ok && kind < 0 ? "that kind there is not"
                                             : wrong);
    }
    attack_report report = attack_try_apart(&r, o->limits);
    bool as_expected = report.kinds == (ok ? 0 : 1u << kind);
    printf("%-28.*s %.*s%s: ", (int)name, line, (int)length, line + at, as_expected ? "" : " EXPECTED, NOT SEEN");
    print_report(&report);
    return !as_expected;
}

/* All lines at once: children that end would move a file that is still being read. */
static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    size_t n = 0, room = 1 << 20;
    char *text = f ? calloc(1, room) : NULL;
    if (text)
        n = fread(text, 1, room - 1, f);
    if (f)
        fclose(f);
    if (text && n == room - 1) {
        free(text);
        text = NULL;
        errno = EFBIG;
    }
    return text;
}

static int try_cases(const options *o)
{
    char where[300], *text = read_file(o->cases);
    if (!text)
        return fail(o->cases, strerror(errno));
    int code = 0, number = 1;
    for (char *line = text; *line && code < 2; number++) {
        char *end = line + strcspn(line, "\n");
        bool last = *end == 0;
        *end = 0;
        snprintf(where, sizeof where, "%.200s:%d", o->cases, number);
        int one = line[0] == 0 || line[0] == '#' ? 0 : try_case(o, line, where);
        code = one > code ? one : code;
        line = last ? end : end + 1;
    }
    free(text);
    return code;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static bool read_number(const char *text, double low, double high, double *out)
{
    char *end;
    *out = text ? strtod(text, &end) : 0;
    return text && *text && *end == 0 && *out >= low && *out <= high;
}

static bool read_seeds(const char *text, options *o)
{
    char *end;
    if (!text)
        return false;
    o->first = o->last = strtoull(text, &end, 10);
    o->have_seeds = true;
    if (end == text || *end == 0)
        return end > text;
    if (strncmp(end, "..", 2) != 0)
        return false;
    const char *second = end + 2;
    o->last = strtoull(second, &end, 10);
    return end > second && *end == 0 && o->last >= o->first;
}

/* True: the option was understood with its value. */
static bool read_option(options *o, const char *name, const char *value)
{
    double x = 0;
    const struct {
        const char *name;
        double low, high;
        int *whole;
        double *real;
    } numbers[] = {{"--seconds", 1, 1e6, NULL, &o->seconds},
                   {"--nodes", 20, 100000, &o->nodes, NULL},
                   {"--steps", 1, 100000, &o->steps, NULL},
                   {"--jobs", 1, 64, &o->jobs, NULL},
                   {"--hang", 1, 1e5, NULL, &o->limits.seconds}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) != 0)
            continue;
        if (!read_number(value, numbers[i].low, numbers[i].high, &x))
            return false;
        if (numbers[i].whole)
            *numbers[i].whole = (int)x;
        else
            *numbers[i].real = x;
        return true;
    }
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"--known", &o->known},
                 {"--replay", &o->replay},
                 {"--cases", &o->cases},
                 {"--minimise", &o->minimise},
                 {"--show", &o->show}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0)
            return (*texts[i].text = value) != NULL;
    if (strcmp(name, "--kind") == 0)
        return value && (o->kind = attack_kind_find(value, strlen(value))) >= 0;
    return strcmp(name, "--seeds") == 0 && read_seeds(value, o);
}

static int read_options(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0)
            o->verbose = true;
        else if (strcmp(argv[i], "--self-test") == 0)
            o->self_test = true;
        else if (!read_option(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL))
            return fail(argv[i],
                        "no such option, or its value is missing or out of range; the file attack.c lists them");
        else
            i++;
    }
    return 0;
}

int main(int argc, char **argv)
{
    options o = {.nodes = 500, .steps = 60, .jobs = 2, .kind = -1, .limits = {30}};
    int code = read_options(argc, argv, &o);
    if (code != 0)
        return code;
    if (o.self_test)
        return attack_self_test();
    if (o.replay)
        return replay(&o, o.replay);
    if (o.minimise)
        return minimise(&o);
    if (o.show)
        return show(&o);
    if (o.cases)
        return try_cases(&o);
    if (o.have_seeds)
        return attack_seeds(&o);
    return fail("nothing to do",
                "--seeds A..B, --minimise SEED, --replay TEXT, --show SEED, --cases FILE or --self-test");
}
