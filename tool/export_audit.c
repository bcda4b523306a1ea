/* SPDX-License-Identifier: MIT */
#include "export_audit.h"

#include "interrupt.h"
#include "run_subject.h"

#include <stdlib.h>
#include <string.h>

bool export_audit_is_needed(weft_export_format format)
{
    return format == WEFT_EXPORT_PC2 || format == WEFT_EXPORT_MDD || format == WEFT_EXPORT_GLB ||
           format == WEFT_EXPORT_USDA;
}

/* By way of memory, so that no compiler drops it. */
static double to_float(double x)
{
    volatile float f = (float)x;
    return (double)f;
}

/* GLB has the first frame and differences from it, which are added as floats. */
static double to_morph(double x, double base)
{
    volatile float difference = (float)(x - base);
    volatile float sum = (float)base + difference;
    return (double)sum;
}

static weft_vec3 turned(weft_vec3 x, const weft_export_def *def)
{
    weft_vec3 y = def->axes == WEFT_AXES_Z_UP ? (weft_vec3){x.x, -x.z, x.y} : x;
    return (weft_vec3){def->scale * y.x, def->scale * y.y, def->scale * y.z};
}

typedef struct rounding {
    const weft_export_def *def;
    run_subject run;
    weft_vec3 *exact; /* of the frame */
    weft_vec3 *base;  /* GLB: the first frame, rounded */
    int32_t n_nodes;
} rounding;

static weft_result make_room(rounding *k, weft_error *error)
{
    int32_t n = k->run.subject.n_nodes;
    if (k->exact && n == k->n_nodes)
        return WEFT_OK;
    free(k->exact);
    free(k->base);
    k->exact = calloc((size_t)n + 1, sizeof *k->exact);
    k->base = NULL;
    k->n_nodes = n;
    if (k->exact)
        return WEFT_OK;
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory"};
    return WEFT_ERROR_MEMORY;
}

static void round_points(rounding *k)
{
    weft_vec3 *x = k->run.subject.x;
    bool morphs = k->def->format == WEFT_EXPORT_GLB && k->base;
    memcpy(k->exact, x, (size_t)k->n_nodes * sizeof *x);
    for (int32_t i = 0; i < k->n_nodes; i++) {
        weft_vec3 y = turned(x[i], k->def);
        x[i].x = morphs ? to_morph(y.x, k->base[i].x) : to_float(y.x);
        x[i].y = morphs ? to_morph(y.y, k->base[i].y) : to_float(y.y);
        x[i].z = morphs ? to_morph(y.z, k->base[i].z) : to_float(y.z);
    }
    if (!k->base && (k->base = calloc((size_t)k->n_nodes + 1, sizeof *k->base)))
        memcpy(k->base, x, (size_t)k->n_nodes * sizeof *x);
}

/* Whether the frame intersects as floats, and not as doubles. */
static weft_result audit_frame(rounding *k, int32_t frame, export_audit *out, weft_error *error)
{
    double time;
    weft_audit_found found;
    weft_result r = run_subject_pose(&k->run, frame, &time, error);
    r = r < 0 ? r : make_room(k, error);
    if (r < 0)
        return r;
    round_points(k);
    r = subject_judge(&k->run.subject, time, 0, &found, error);
    int64_t pairs = found.n_pairs;
    if (r < 0 || pairs == 0)
        return r;
    memcpy(k->run.subject.x, k->exact, (size_t)k->n_nodes * sizeof *k->exact);
    r = subject_judge(&k->run.subject, time, 0, &found, error);
    if (r >= 0 && found.n_pairs == 0 && out->n_new++ == 0) {
        out->first = frame;
        out->pairs = pairs;
    }
    return r;
}

weft_result export_audit_run(weft_cache *cache, const weft_export_def *def, progress *p, export_audit *out,
                             weft_error *error)
{
    rounding k = {.def = def};
    int32_t to = def->to >= 0 ? def->to : weft_cache_get_info(cache).n_frames - 1;
    *out = (export_audit){0};
    weft_result r = run_subject_open(cache, NULL, &k.run, error);
    k.run.only = def->cloth;
    for (int32_t i = def->from; i <= to && r >= 0; i += def->every) {
        r = audit_frame(&k, i, out, error);
        out->n_frames++;
        progress_show_count(p, "checking", i - def->from + 1, to - def->from + 1);
        if (r >= 0 && interrupt_signal()) {
            *error = (weft_error){.code = WEFT_ERROR_CANCELLED, .element = -1, .text = "stopped"};
            r = WEFT_ERROR_CANCELLED;
        }
    }
    run_subject_close(&k.run);
    free(k.exact);
    free(k.base);
    return r;
}
