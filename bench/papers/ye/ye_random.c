/* SPDX-License-Identifier: MIT */
/* Measures how many random tangles end clean: sheets crumpled through themselves and each other, tubes, ribbons through
 * tubes, sheets along the arm of a body and with it right through them; 200 in all. At least 95 of 100 are to end
 * clean, none with more pairs than it began. */
#include "ye.h"
#include "progress.h"
#include "say.h"

#include <math.h>
#include <stdio.h>

static double uniform(uint64_t *state, double a, double b)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return a + (b - a) * (double)(z >> 11) * 0x1p-53;
}

/* Waves in every direction added to nodes from `first` on. */
static void crumple(heap *h, int32_t first, double size, uint64_t *seed)
{
    for (int wave = 0; wave < 5; wave++) {
        double k[3], way[3];
        for (int i = 0; i < 3; i++) {
            k[i] = uniform(seed, -9, 9);
            way[i] = uniform(seed, -size, size);
        }
        double phase = uniform(seed, 0, 6);
        for (int32_t vi = first; vi < h->n_nodes; vi++) {
            weft_vec3 *x = &h->x[vi];
            double s = sin(k[0] * x->x + k[1] * x->y + k[2] * x->z + phase);
            *x = (weft_vec3){x->x + s * way[0], x->y + s * way[1], x->z + s * way[2]};
        }
    }
}

typedef enum kind { SELF, SHEETS, DENSE, TUBES, ALONG, THROUGH, KINDS } kind;

static const int numbers[KINDS] = {50, 50, 10, 50, 20, 20};
static const char *const names[KINDS] = {"a sheet through itself", "three sheets",          "two fine sheets", "tubes",
                                         "a sheet along an arm",   "an arm through a sheet"};

static bool make_sheets(heap *h, int n_sheets, int n, double low, double high, uint64_t *seed)
{
    double u = uniform(seed, -0.2, 0.2), v = uniform(seed, -0.2, 0.2), w = uniform(seed, -0.05, 0.05);
    for (int i = 0; i < n_sheets; i++) {
        int32_t first = h->n_nodes;
        if (!heap_sheet(h, (weft_vec3){u * i, v * i, 0.04 * i + w}, (weft_vec3){1, 0, 0.05 * i},
                        (weft_vec3){0, 1, 0.03}, n, n))
            return false;
        crumple(h, first, uniform(seed, low, high), seed);
    }
    return true;
}

static bool make_tubes(heap *h, uint64_t *seed)
{
    double u = uniform(seed, -0.2, 0.2), v = uniform(seed, -0.2, 0.2), w = uniform(seed, -0.05, 0.05);
    if (!heap_tube(h, (weft_vec3){0, 0, 0}, (weft_vec3){0, 1, 0}, 0.2, 20, 20))
        return false;
    if (uniform(seed, 0, 1) < 0.5)
        return heap_tube(h, (weft_vec3){0.3 + u / 2, v, w}, (weft_vec3){0.3 + w, v + 1, u}, 0.15, 18, 20);
    int32_t first = h->n_nodes;
    bool good =
        heap_sheet(h, (weft_vec3){0.1 + w, 0.3 + u, -0.2}, (weft_vec3){0.9, 0.1, 0}, (weft_vec3){0, v, 0.4}, 25, 11);
    crumple(h, first, 0.02, seed);
    return good;
}

/* Where an arm of a body that stands with its arms out along x is: the middle of it at a part of its reach. */
static weft_vec3 middle_of_arm(const heap *h, double side, double part)
{
    double high = -1e9, y = 0, z = 0, n = 0;
    for (int32_t i = 0; i < h->n_nodes; i++)
        high = fmax(high, side * h->x[i].x);
    for (int32_t i = 0; i < h->n_nodes; i++)
        if (fabs(side * h->x[i].x - part * high) < 0.03) {
            y += h->x[i].y;
            z += h->x[i].z;
            n++;
        }
    return (weft_vec3){side * part * high, y / n, z / n};
}

/* A sheet lies lengthwise in a forearm, sunk into it by a part of its thickness. */
static bool make_along(heap *h, const bench_options *o, uint64_t *seed)
{
    double side = uniform(seed, 0, 1) < 0.5 ? -1 : 1;
    if (!heap_read(h, o, "bodies/mh_female_tpose.obj"))
        return false;
    weft_vec3 at = middle_of_arm(h, side, 0.62);
    double a = uniform(seed, -0.12, 0.12), size = 0.4, off = uniform(seed, -0.03, 0.03);
    weft_vec3 u = {size * cos(a), size * sin(a), 0}, v = {0, 0.05, size};
    int32_t first = h->n_nodes;
    bool good = heap_sheet(h, (weft_vec3){at.x - u.x / 2, at.y - u.y / 2 + off, at.z - size * uniform(seed, 0.2, 0.8)},
                           u, v, 30, 30);
    crumple(h, first, 0.004, seed);
    return good;
}

/* A sheet stands across an arm, which goes right through it: anywhere between armpit and wrist, anywhere in the sheet,
 * at a slant of up to 45°. */
static bool make_through(heap *h, const bench_options *o, uint64_t *seed)
{
    double side = uniform(seed, 0, 1) < 0.5 ? -1 : 1;
    if (!heap_read(h, o, "bodies/mh_female_tpose.obj"))
        return false;
    weft_vec3 at = middle_of_arm(h, side, uniform(seed, 0.4, 0.78));
    double a = uniform(seed, -0.785, 0.785), b = uniform(seed, -0.785, 0.785), size = uniform(seed, 0.3, 0.5);
    double p = uniform(seed, 0.2, 0.8), q = uniform(seed, 0.2, 0.8);
    weft_vec3 u = {size * sin(a), size * cos(a), 0}, v = {size * sin(b), 0, size * cos(b)};
    int32_t first = h->n_nodes;
    bool good = heap_sheet(h, (weft_vec3){at.x - p * u.x - q * v.x, at.y - p * u.y - q * v.y, at.z - p * u.z - q * v.z},
                           u, v, 30, 30);
    crumple(h, first, 0.004, seed);
    return good;
}

static bool make(heap *h, kind k, const bench_options *o, uint64_t *seed)
{
    switch (k) {
    case SELF: {
        bool good = heap_sheet(h, (weft_vec3){0}, (weft_vec3){1, 0, 0}, (weft_vec3){0, 1, 0}, 25, 25);
        crumple(h, 0, uniform(seed, 0.15, 0.3), seed);
        return good;
    }
    case SHEETS: return make_sheets(h, 3, 21, 0.03, 0.12, seed);
    case DENSE: return make_sheets(h, 2, 51, 0.1, 0.2, seed);
    case TUBES: return make_tubes(h, seed);
    case ALONG: return make_along(h, o, seed);
    default: return make_through(h, o, seed);
    }
}

typedef struct tally {
    int32_t n, n_clean, n_worse;
    int64_t pairs, most, left;
    double seconds, longest;
} tally;

static bool untangle(heap *h, kind k, const bench_options *o, tally *t)
{
    weft_untangle_report r;
    weft_error e;
    weft_untangle_def d = heap_def(h, o);
    bool is_collider[2] = {true, false};
    d.object_is_collider = k >= ALONG ? is_collider : NULL;
    double start = progress_now();
    if (weft_untangle(&d, h->x, &r, &e) < 0)
        return say_wrong("%s: %s", names[k], e.text), false;
    double seconds = progress_now() - start;
    int64_t before = r.pairs_before + r.inside_before, after = r.pairs_after + r.inside_after;
    if (before == 0)
        return true;
    t->n++;
    t->n_clean += after == 0;
    t->n_worse += r.pairs_after > r.pairs_before;
    t->pairs += r.pairs_before;
    t->left += r.pairs_after;
    t->most = r.pairs_before > t->most ? r.pairs_before : t->most;
    t->seconds += seconds;
    t->longest = fmax(t->longest, seconds);
    return true;
}

bool ye_random(const bench_options *o)
{
    tally all = {0};
    printf("%-26s %6s %6s %6s %10s %10s %8s %9s\n", "random tangles", "number", "clean", "worse", "mean pairs",
           "most pairs", "mean s", "longest s");
    for (int k = 0; k < KINDS; k++) {
        tally t = {0};
        for (int i = 0; t.n < (o->quick ? 3 : numbers[k]); i++) { /* some are not tangled */
            heap h = {0};
            uint64_t seed = 1000 * (uint64_t)k + (uint64_t)i;
            bool made = make(&h, (kind)k, o, &seed), good = !made || untangle(&h, (kind)k, o, &t);
            heap_free(&h);
            if (!good)
                return false;
            if (!made) /* which is said */
                break;
        }
        if (t.n > 0)
            printf("%-26s %6d %6d %6d %10.0f %10lld %8.2f %9.2f\n", names[k], t.n, t.n_clean, t.n_worse,
                   (double)t.pairs / t.n, (long long)t.most, t.seconds / t.n, t.longest);
        fflush(stdout);
        all.n += t.n;
        all.n_clean += t.n_clean;
        all.n_worse += t.n_worse;
    }
    printf("%d of %d clean, %.1f %%\n", all.n_clean, all.n, all.n > 0 ? 100.0 * all.n_clean / all.n : 0);
    return 100 * all.n_clean >= 95 * all.n && all.n_worse == 0;
}
