/* SPDX-License-Identifier: MIT */
/* Calls of the API from within the user's callbacks: changes are refused and change nothing, reading works where all is
 * whole. The headers are read for functions that the tables of calls lack. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/callback_calls.h"
#include "sim/kit.h"

#include <cmocka.h>

enum { STEPS = 4 };
#define H (1.0 / 60)

typedef enum place { NOWHERE, FORCE, SIZE, LOG, ALLOC, PARALLEL, N_PLACES } place;

static const char *const place_names[N_PLACES] = {"nowhere", "force", "size", "log", "alloc", "parallel_for"};

/* Who calls back, from where, and what came of it. */
typedef struct caller {
    call_world world;
    place from;
    bool inside; /* a callback of the test is at work: allocators are called by what it calls, too */
    int32_t n_visits, n_wrong, n_told;
    char told[504];
} caller;

static bool may_read(const caller *c)
{
    return c->from != ALLOC && c->from != PARALLEL;
}

static void expect(caller *c, const char *name, weft_result found, weft_result wanted, const weft_error *e)
{
    bool right = wanted == WEFT_OK ? found >= 0 : found == wanted;
    if (wanted == WEFT_ERROR_BUSY)
        right = right && e->code == wanted && strncmp(e->text, name, strlen(name)) == 0 && strstr(e->text, "callback");
    if (!right)
        print_message("%s from %s: %d, '%s'\n", name, place_names[c->from], found, e->text);
    c->n_wrong += !right;
}

static void call_everything(caller *c)
{
    for (int i = 0; i < n_changing_calls; i++) {
        weft_error e = {0};
        expect(c, changing_calls[i].name, changing_calls[i].make(&c->world, &e), WEFT_ERROR_BUSY, &e);
        c->n_wrong += changing_calls[i].make(&c->world, NULL) != WEFT_ERROR_BUSY;
    }
    for (int i = 0; i < n_reading_calls; i++) {
        weft_error e = {0};
        expect(c, reading_calls[i].name, reading_calls[i].make(&c->world, &e), may_read(c) ? WEFT_OK : WEFT_ERROR_BUSY,
               &e);
    }
    weft_error e = {0};
    weft_sew_def sew = weft_sew_def_default();
    weft_sew *none = NULL;
    expect(c, "weft_sew_create", weft_sew_create(c->world.sim, &sew, &none, &e), WEFT_ERROR_BUSY, &e);
    weft_sim_destroy(c->world.sim);
}

/* A few times: each visit makes some fifty calls. */
static void visit(caller *c, place from)
{
    if (c->from != from || c->inside || !c->world.sim || c->n_visits >= 20)
        return;
    uint64_t hash = weft_sim_hash(c->world.sim);
    double time = weft_sim_time(c->world.sim);
    c->inside = true;
    c->n_visits++;
    c->n_wrong += (hash == 0) == may_read(c);
    call_everything(c);
    c->n_wrong += weft_sim_hash(c->world.sim) != hash || weft_sim_time(c->world.sim) != time;
    c->inside = false;
}

static void push(void *user, weft_cloth_id cloth, double time, int32_t n, const weft_vec3 *x, const weft_vec3 *v,
                 const double *mass, weft_vec3 *forces)
{
    (void)cloth, (void)time, (void)x, (void)v;
    for (int32_t i = 0; i < n; i++)
        forces[i].z += mass[i];
    visit(user, FORCE);
}

static double fine_at_the_edge(void *user, weft_vec3 position, weft_vec2 uv)
{
    (void)position;
    visit(user, SIZE);
    return uv.u < 0.1 ? 0.012 : 1;
}

static void listen(void *user, weft_log_level level, const char *text)
{
    caller *c = user;
    (void)level;
    if (strstr(text, "weft_sim_destroy")) {
        c->n_told++;
        snprintf(c->told, sizeof c->told, "%s", text);
    }
    visit(c, LOG);
}

static void *allocate(void *user, void *p, size_t old_size, size_t new_size)
{
    (void)old_size;
    visit(user, ALLOC);
    if (new_size > 0)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

static void in_turn(void *user, int32_t n, void (*run)(void *context, int32_t i), void *context)
{
    visit(user, PARALLEL);
    for (int32_t i = 0; i < n; i++)
        run(context, i);
}

static void fill(caller *c)
{
    weft_sim_def d = weft_sim_def_default();
    d.force = push;
    d.log = listen;
    d.alloc = allocate;
    d.parallel_for = in_turn;
    d.force_user = d.log_user = d.alloc_user = d.parallel_for_user = c;
    call_world_fill(&c->world, &d, fine_at_the_edge, c);
    call_world_take(&c->world);
}

/* Steps with calls from one place: the hash after each. */
static void run_from(caller *c, place from, uint64_t hashes[STEPS])
{
    weft_error e = {0};
    fill(c);
    for (int k = 0; k < STEPS; k++) {
        c->from = from;
        kit_must(weft_sim_step(c->world.sim, H, NULL, &e), &e);
        c->from = NOWHERE;
        hashes[k] = weft_sim_hash(c->world.sim);
    }
}

static void calls_from_callbacks_are_refused_and_the_step_goes_on(void **state)
{
    (void)state;
    uint64_t wanted[STEPS], found[STEPS];
    caller quiet = {0};
    run_from(&quiet, NOWHERE, wanted);
    call_world_empty(&quiet.world);
    for (place from = FORCE; from < N_PLACES; from++) {
        caller c = {0};
        run_from(&c, from, found);
        print_message("%s: %d visits\n", place_names[from], c.n_visits);
        assert_true(c.n_visits > 0);
        assert_int_equal(c.n_wrong, 0);
        assert_memory_equal(found, wanted, sizeof wanted);
        /* One that the log itself calls is not told to the log. */
        assert_int_equal(c.n_told, from == LOG ? 0 : c.n_visits);
        assert_true(from == LOG || strstr(c.told, "callback"));
        call_world_empty(&c.world);
    }
}

/* All functions that change something call the allocator, some only after much has been done. */
static void calls_from_the_allocator_of_other_functions_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < n_changing_calls; i++) {
        uint64_t wanted = 0;
        for (int calls_back = 0; calls_back < 2; calls_back++) {
            weft_error e = {0};
            caller c = {0};
            fill(&c);
            c.from = calls_back ? ALLOC : NOWHERE;
            kit_must(changing_calls[i].make(&c.world, &e), &e);
            c.from = NOWHERE;
            assert_int_equal(c.n_wrong, 0);
            if (calls_back)
                assert_int_equal(weft_sim_hash(c.world.sim), wanted);
            wanted = weft_sim_hash(c.world.sim);
            call_world_empty(&c.world);
        }
    }
}

/* One that reads and allocates: others may read meanwhile. */
static int n_refused;

static void *allocate_and_change(void *user, void *p, size_t old_size, size_t new_size)
{
    caller *c = user;
    (void)old_size;
    if (c->inside) {
        weft_cloth_info info;
        n_refused += weft_cloth_remove(c->world.sim, c->world.patch, NULL) == WEFT_ERROR_BUSY;
        c->n_wrong += weft_cloth_get_info(c->world.sim, c->world.patch, &info, NULL) != WEFT_OK;
    }
    if (new_size > 0)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

static void a_reader_that_allocates_holds_changes_off(void **state)
{
    (void)state;
    caller c = {0};
    weft_sim_def d = weft_sim_def_default();
    weft_uniform u = {0};
    d.alloc = allocate_and_change;
    d.alloc_user = &c;
    call_world_fill(&c.world, &d, NULL, NULL);
    c.inside = true;
    kit_must(weft_cloth_get_uniform(c.world.sim, c.world.patch, 2, &u, NULL), NULL);
    c.inside = false;
    assert_true(n_refused > 0);
    assert_int_equal(c.n_wrong, 0);
    kit_must(weft_cloth_remove(c.world.sim, c.world.patch, NULL), NULL);
    call_world_empty(&c.world);
}

static void cancelling_from_a_callback_works(void *user, weft_cloth_id cloth, double time, int32_t n,
                                             const weft_vec3 *x, const weft_vec3 *v, const double *mass,
                                             weft_vec3 *forces)
{
    (void)cloth, (void)time, (void)n, (void)x, (void)v, (void)mass, (void)forces;
    weft_sim_cancel(((caller *)user)->world.sim);
}

static void a_step_is_cancelled_from_its_callback_and_can_be_taken_again(void **state)
{
    (void)state;
    caller c = {0};
    weft_sim_def d = weft_sim_def_default();
    d.force = cancelling_from_a_callback_works;
    d.force_user = &c;
    call_world_fill(&c.world, &d, NULL, NULL);
    for (int k = 0; k < 3; k++)
        assert_int_equal(weft_sim_step(c.world.sim, H, NULL, NULL), WEFT_ERROR_CANCELLED);
    kit_must(weft_sim_set_wind(c.world.sim, (weft_vec3){1, 0, 0}, NULL), NULL);
    call_world_empty(&c.world);
}

/* ---- the headers ------------------------------------------------------------------------------------------------- */

static bool is_listed(const api_call *calls, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(calls[i].name, name) == 0)
            return true;
    return false;
}

/* What returns no result, and weft_sew_create, which changes a simulation by means of others. */
static bool is_special(const char *name)
{
    static const char *const names[] = {"weft_sim_destroy", "weft_sim_cancel", "weft_sim_time", "weft_sim_hash",
                                        "weft_sew_create"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Of a declaration that ends at `end`: whether it takes a simulation, by which it may be changed or only read. */
static const char *taken(const char *from, const char *end, bool *changes)
{
    const char *word = "weft_sim *", *at = strstr(from, word);
    while (at && at < end && at[strlen(word)] == '*') /* makes one */
        at = strstr(at + 1, word);
    if (!at || at >= end)
        return NULL;
    *changes = strncmp(at - 6, "const ", 6) != 0;
    return at;
}

/* Counts functions that take a simulation and are in neither table, nor special. */
static int count_unlisted(const char *text, int *n_found)
{
    int n = 0;
    for (const char *at = strstr(text, "WEFT_API "); at; at = strstr(at + 1, "WEFT_API ")) {
        const char *end = strchr(at, ';'), *bracket = strchr(at, '('), *name = bracket;
        bool changes;
        char copy[100];
        if (!end || !bracket || bracket > end || !taken(bracket, end, &changes))
            continue;
        while (name > at && (name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z')))
            name--;
        snprintf(copy, sizeof copy, "%.*s", (int)(bracket - name), name);
        ++*n_found;
        bool listed = changes ? is_listed(changing_calls, n_changing_calls, copy)
                              : is_listed(reading_calls, n_reading_calls, copy);
        if (!listed && !is_special(copy)) {
            print_message("%s takes a simulation: it belongs in test/sim/callback_calls.c\n", copy);
            n++;
        }
    }
    return n;
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) < (1 << 20) - 1);
    fclose(f);
    return text;
}

static int count_unlisted_in(const char *folder, int *n_found)
{
    char path[1024];
    int n = 0;
    snprintf(path, sizeof path, "%s/%s", getenv("WEFT_ROOT"), folder);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (const struct dirent *f = readdir(d); f; f = readdir(d)) {
        if (strlen(f->d_name) < 3 || strcmp(f->d_name + strlen(f->d_name) - 2, ".h") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", getenv("WEFT_ROOT"), folder, f->d_name);
        char *text = read_text(path);
        n += count_unlisted(text, n_found);
        free(text);
    }
    closedir(d);
    return n;
}

static void every_function_of_the_headers_is_called(void **state)
{
    (void)state;
    int n_found = 0;
    if (!getenv("WEFT_ROOT"))
        skip();
    assert_int_equal(count_unlisted_in("include/weft", &n_found) + count_unlisted_in("include/weft/io", &n_found), 0);
    assert_int_equal(n_found, n_changing_calls + n_reading_calls + 5); /* is_special's */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_of_the_headers_is_called),
        cmocka_unit_test(calls_from_callbacks_are_refused_and_the_step_goes_on),
        cmocka_unit_test(calls_from_the_allocator_of_other_functions_are_refused),
        cmocka_unit_test(a_reader_that_allocates_holds_changes_off),
        cmocka_unit_test(a_step_is_cancelled_from_its_callback_and_can_be_taken_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
