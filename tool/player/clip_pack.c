/* SPDX-License-Identifier: MIT */
/* Packing: numbers as planes of bytes, deflated. A chunk unpacks to records:
 *
 *   u8 1, u8 part, u8 flags, u8 part / 256, u32 nodes, u32 triangles, f32 rest step, f32 uv step; a mesh
 *       columns: corners (first corner less that of the triangle before; others less the first), marks, then those
 *       whose flag is set: 1 rest lengths, 2 u and v (each less the node before), 4 match: node of the part's mesh
 *       before (less the one before)
 *   u8 2, u8 part, u8 mode, u8 part / 256, u32 frame; points of a part
 *       mode 4: as in the frame before. Else three columns, x, y, z: differences to 0 (mode & 3 = 0), to the frame
 *       before (1), or to the way on from the two before (2); with 8 each less that of the node before
 *   u8 3, u8 0, u8 0, u8 0, u32 frame, u32 lines, u32 points; contours: ends and numbers of lines as i32, points as f32
 *   u8 4, u8 part, u8 0, u8 part / 256, u32 frame, u32 triangles; a byte each: 1 intersects, 2 too near a collider, 3
 *       left no room
 *   u8 8, u8 part, u8 0, u8 part / 256, u32 frame; contact pressures of the part's nodes, after its points: a column of
 *       differences to those of its last such record, at first 0 (where a match carried its past over, too), modulo
 *       256; 0 is none, k is 0.05 · 1.15^(k − 1) Pa
 *
 * A column of n numbers: u8 planes, then so many times n bytes; number i has byte i of plane k as bits 8k…8k+7, and
 * 0, 1, 2, 3 … stand for 0, −1, 1, −2 …. Coordinates are 16 bits, modulo 2^16. */
#include "player/clip_inside.h"
#include "player/clip_match.h"
#include "player/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Of a part: its quantised points in the last two frames that were written. */
typedef struct pack_past {
    uint16_t *x1, *x2;
    int32_t form, n_before; /* frames since the form holds */
    const float *points;    /* of the last one */
    uint8_t *pressed;       /* in the last record of pressures; 0: none */
} pack_past;

typedef struct packer {
    const clip *c;
    double origin[3], step;
    page raw, *out;
    pack_past *past;
    uint32_t *words;
    uint8_t *plane;
    uint16_t *now;
    int32_t *match;
    double worst; /* squared */
    bool failed;
} packer;

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

void clip_put_u32(page *p, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    page_add_bytes(p, bytes, 4);
}

void clip_put_float(page *p, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    clip_put_u32(p, bits);
}

void clip_put_record(page *p, int kind, int32_t part, int flags)
{
    uint8_t bytes[4] = {(uint8_t)kind, (uint8_t)part, (uint8_t)flags, (uint8_t)(part >> 8)};
    page_add_bytes(p, bytes, 4);
}

static uint32_t folded(int32_t v)
{
    return (uint32_t)v << 1 ^ (v < 0 ? 0xFFFFFFFFu : 0);
}

/* p->words[0 … n) as a column. */
static void put_column(packer *p, size_t n)
{
    uint32_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= p->words[i];
    uint8_t planes = any >> 24 ? 4 : any >> 16 ? 3 : any >> 8 ? 2 : any ? 1 : 0;
    page_add_bytes(&p->raw, &planes, 1);
    for (int k = 0; k < planes; k++) {
        for (size_t i = 0; i < n; i++)
            p->plane[i] = (uint8_t)(p->words[i] >> 8 * k);
        page_add_bytes(&p->raw, p->plane, n);
    }
}

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

static void flush(packer *p)
{
    if (p->raw.n == 0 || p->raw.failed)
        return;
    z_stream z = {0};
    uLong bound = compressBound((uLong)p->raw.n) + 64;
    uint8_t *bytes = malloc(bound);
    if (!bytes || deflateInit2(&z, 8, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(bytes);
        p->failed = true;
        return;
    }
    z.next_in = (Bytef *)p->raw.bytes;
    z.avail_in = (uInt)p->raw.n;
    z.next_out = bytes;
    z.avail_out = (uInt)bound;
    p->failed = p->failed || deflate(&z, Z_FINISH) != Z_STREAM_END;
    page_add_base64(p->out, bytes, z.total_out);
    page_add(p->out, "\n");
    deflateEnd(&z);
    free(bytes);
    p->raw.n = 0;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static void put_corners(packer *p, const clip_form *f)
{
    int32_t before = 0;
    for (int32_t i = 0; i < f->n_triangles; i++) {
        const int32_t *t = f->triangles + 3 * (size_t)i;
        p->words[i] = folded(t[0] - before);
        p->words[f->n_triangles + i] = folded(t[1] - t[0]);
        p->words[2 * (size_t)f->n_triangles + (size_t)i] = folded(t[2] - t[0]);
        before = t[0];
    }
    put_column(p, 3 * (size_t)f->n_triangles);
    for (int32_t i = 0; i < f->n_triangles; i++)
        p->words[i] = f->marks[i];
    put_column(p, (size_t)f->n_triangles);
}

static float largest_of(const float *v, size_t n)
{
    float most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(v[i]));
    return most;
}

static void put_rest(packer *p, const clip_form *f, float step)
{
    size_t n = 3 * (size_t)f->n_triangles;
    for (size_t i = 0; i < n; i++)
        p->words[i] = (uint32_t)lroundf(f->rest[i] / step);
    put_column(p, n);
}

static void put_uv(packer *p, const clip_form *f, float step)
{
    for (int k = 0; k < 2; k++) {
        int32_t before = 0;
        for (int32_t i = 0; i < f->n_nodes; i++) {
            int32_t now = (int32_t)lroundf(f->uv[2 * (size_t)i + (size_t)k] / step);
            p->words[i] = folded(now - before);
            before = now;
        }
        put_column(p, (size_t)f->n_nodes);
    }
}

static void put_match(packer *p, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        p->words[i] = folded(p->match[i] - (i > 0 ? p->match[i - 1] : -1) - 1);
    put_column(p, (size_t)n);
}

/* The past of the part goes over to the new mesh. */
static void carry_over(packer *p, pack_past *past, int32_t n)
{
    for (int k = 0; k < 2; k++) {
        uint16_t *x = k ? past->x2 : past->x1;
        for (int32_t i = 0; i < n; i++)
            memcpy(p->now + 3 * (size_t)i, x + 3 * (size_t)p->match[i], 3 * sizeof *x);
        memcpy(x, p->now, 3 * (size_t)n * sizeof *x);
    }
    for (int32_t i = 0; i < n; i++)
        p->plane[i] = past->pressed[p->match[i]];
    memcpy(past->pressed, p->plane, (size_t)n);
}

static void put_mesh(packer *p, int32_t part, const clip_pose *pose)
{
    const clip_form *f = &p->c->forms[pose->form];
    pack_past *past = &p->past[part];
    bool matched = past->form >= 0 &&
                   clip_match(past->points, p->c->forms[past->form].n_nodes, pose->points, f->n_nodes, p->match);
    float rest = f->rest ? fmaxf(largest_of(f->rest, 3 * (size_t)f->n_triangles), 1e-6f) / 65535 : 0;
    float uv = f->uv ? fmaxf(largest_of(f->uv, 2 * (size_t)f->n_nodes), 1e-6f) / 65535 : 0;
    clip_put_record(&p->raw, 1, part, (f->rest ? 1 : 0) | (f->uv ? 2 : 0) | (matched ? 4 : 0));
    clip_put_u32(&p->raw, (uint32_t)f->n_nodes);
    clip_put_u32(&p->raw, (uint32_t)f->n_triangles);
    clip_put_float(&p->raw, rest);
    clip_put_float(&p->raw, uv);
    put_corners(p, f);
    if (f->rest)
        put_rest(p, f, rest);
    if (f->uv)
        put_uv(p, f, uv);
    if (matched) {
        put_match(p, f->n_nodes);
        carry_over(p, past, f->n_nodes);
    } else {
        past->n_before = 0;
        memset(past->pressed, 0, (size_t)f->n_nodes);
    }
    past->form = pose->form;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static void quantise(packer *p, const float *x, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            double v = (double)x[3 * (size_t)i + (size_t)k], q = round((v - p->origin[k]) / p->step);
            p->now[3 * (size_t)i + (size_t)k] = (uint16_t)q;
            double d = p->origin[k] + q * p->step - v;
            sum += d * d;
        }
        p->worst = fmax(p->worst, sum);
    }
}

/* What is left of coordinate k of node i once it is predicted. */
static int16_t left_over(const packer *p, const pack_past *past, int mode, size_t i, size_t k)
{
    size_t at = 3 * i + k;
    int v = p->now[at];
    if ((mode & 3) == 1)
        v -= past->x1[at];
    else if ((mode & 3) == 2)
        v -= 2 * past->x1[at] - past->x2[at];
    return (int16_t)v;
}

/* Bits that a mode takes, about. */
static double cost_of(const packer *p, const pack_past *past, int mode, int32_t n)
{
    double cost = 0;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 1; i < (size_t)n; i += 3) {
            int16_t v = left_over(p, past, mode, i, k);
            if (mode & 8)
                v = (int16_t)(v - left_over(p, past, mode, i - 1, k));
            cost += log2(1 + fabs((double)v));
        }
    return cost;
}

static int choose_mode(const packer *p, const pack_past *past, int32_t n)
{
    static const int modes[] = {8, 1, 9, 2, 10};
    int n_modes = past->n_before == 0 ? 1 : past->n_before == 1 ? 3 : 5, best = 8;
    double least = HUGE_VAL;
    for (int i = 0; i < n_modes; i++) {
        double cost = n_modes > 1 ? cost_of(p, past, modes[i], n) : 0;
        if (cost < least) {
            least = cost;
            best = modes[i];
        }
    }
    return best;
}

static void put_coordinates(packer *p, pack_past *past, int mode, int32_t n)
{
    for (size_t k = 0; k < 3; k++) {
        int16_t before = 0;
        for (size_t i = 0; i < (size_t)n; i++) {
            int16_t v = left_over(p, past, mode, i, k);
            p->words[i] = folded(mode & 8 ? (int16_t)(v - before) : v) & 0xFFFF;
            before = v;
        }
        put_column(p, (size_t)n);
    }
}

static void put_points(packer *p, int32_t frame, int32_t part, const clip_pose *pose)
{
    pack_past *past = &p->past[part];
    int32_t n = p->c->forms[pose->form].n_nodes;
    bool same = past->form == pose->form && past->points == pose->points && past->n_before > 0;
    if (past->form != pose->form)
        put_mesh(p, part, pose);
    if (same)
        memcpy(p->now, past->x1, 3 * (size_t)n * sizeof *p->now);
    else
        quantise(p, pose->points, n);
    int mode = same ? 4 : choose_mode(p, past, n);
    clip_put_record(&p->raw, 2, part, mode);
    clip_put_u32(&p->raw, (uint32_t)frame);
    if (!same)
        put_coordinates(p, past, mode, n);
    uint16_t *oldest = past->x2;
    past->x2 = past->x1;
    past->x1 = oldest;
    memcpy(oldest, p->now, 3 * (size_t)n * sizeof *oldest);
    past->points = pose->points;
    past->n_before++;
}

static void put_pressures(packer *p, int32_t frame, int32_t part, const clip_pose *pose)
{
    pack_past *past = &p->past[part];
    size_t n = (size_t)p->c->forms[pose->form].n_nodes;
    clip_put_record(&p->raw, 8, part, 0);
    clip_put_u32(&p->raw, (uint32_t)frame);
    for (size_t i = 0; i < n; i++)
        p->words[i] = folded((int8_t)(pose->pressed[i] - past->pressed[i])) & 0xFF;
    put_column(p, n);
    memcpy(past->pressed, pose->pressed, n);
}

void clip_put_faults(const clip *c, page *p, int32_t frame, const clip_frame *f)
{
    if (f->n_lines > 0) {
        clip_put_record(p, 3, 0, 0);
        clip_put_u32(p, (uint32_t)frame);
        clip_put_u32(p, (uint32_t)f->n_lines);
        clip_put_u32(p, (uint32_t)f->n_points);
        for (int32_t i = 0; i < f->n_lines; i++)
            clip_put_u32(p, (uint32_t)f->ends[i]);
        for (int32_t i = 0; i < f->n_lines; i++)
            clip_put_u32(p, (uint32_t)f->contours[i]);
        for (int32_t i = 0; i < 3 * f->n_points; i++)
            clip_put_float(p, f->lines[i]);
    }
    for (int32_t i = 0; i < c->n_parts; i++) {
        const clip_pose *pose = &f->poses[i];
        if (!pose->blame || pose->form < 0)
            continue;
        uint32_t n = (uint32_t)c->forms[pose->form].n_triangles;
        clip_put_record(p, 4, i, 0);
        clip_put_u32(p, (uint32_t)frame);
        clip_put_u32(p, n);
        page_add_bytes(p, pose->blame, n);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static bool is_kept(const clip *c, int32_t frame, int32_t every)
{
    return frame % every == 0 || frame == c->n_frames - 1;
}

static void put_pose(packer *p, int32_t frame, int32_t part, const clip_pose *pose)
{
    put_points(p, frame, part, pose);
    if (pose->pressed)
        put_pressures(p, frame, part, pose);
}

static void put_frames(packer *p, int32_t every)
{
    int32_t n = 0;
    for (int32_t i = 0; i < p->c->n_frames && !p->raw.failed; i++) {
        const clip_frame *f = &p->c->frames[i];
        if (!is_kept(p->c, i, every))
            continue;
        for (int32_t k = 0; k < p->c->n_parts; k++)
            if (f->poses[k].form >= 0)
                put_pose(p, n, k, &f->poses[k]);
        clip_put_faults(p->c, &p->raw, n++, f);
        if (n == 1 || p->raw.n >= CLIP_CHUNK)
            flush(p);
    }
    flush(p);
}

/* The box of all points; its largest side. */
static double find_extent(const clip *c, double low[3])
{
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, extent = 1e-6;
    low[0] = low[1] = low[2] = HUGE_VAL;
    for (int32_t i = 0; i < c->n_frames; i++)
        for (int32_t k = 0; k < c->n_parts; k++) {
            const clip_pose *pose = &c->frames[i].poses[k];
            size_t n = pose->form >= 0 && !pose->same ? 3 * (size_t)c->forms[pose->form].n_nodes : 0;
            for (size_t j = 0; j < n; j++) {
                low[j % 3] = fmin(low[j % 3], (double)pose->points[j]);
                high[j % 3] = fmax(high[j % 3], (double)pose->points[j]);
            }
        }
    for (int k = 0; k < 3; k++) {
        extent = fmax(extent, high[k] - low[k]);
        low[k] = isfinite(low[k]) ? low[k] : 0;
    }
    return extent;
}

static bool allocate(packer *p)
{
    size_t n_nodes = 1, n_words = 1;
    for (int32_t i = 0; i < p->c->n_forms; i++) {
        size_t nodes = (size_t)p->c->forms[i].n_nodes, corners = 3 * (size_t)p->c->forms[i].n_triangles;
        n_nodes = nodes > n_nodes ? nodes : n_nodes;
        n_words = corners > n_words ? corners : n_words;
    }
    n_words = n_nodes > n_words ? n_nodes : n_words;
    p->past = calloc((size_t)p->c->n_parts + 1, sizeof *p->past);
    p->words = malloc(n_words * sizeof *p->words);
    p->plane = malloc(n_words);
    p->now = malloc(3 * n_nodes * sizeof *p->now);
    p->match = malloc(n_nodes * sizeof *p->match);
    bool fine = p->past && p->words && p->plane && p->now && p->match;
    for (int32_t i = 0; fine && i < p->c->n_parts; i++) {
        p->past[i].form = -1;
        p->past[i].x1 = malloc(3 * n_nodes * sizeof *p->now);
        p->past[i].x2 = malloc(3 * n_nodes * sizeof *p->now);
        p->past[i].pressed = calloc(n_nodes, 1);
        fine = p->past[i].x1 && p->past[i].x2 && p->past[i].pressed;
    }
    return fine;
}

static void free_packer(packer *p)
{
    for (int32_t i = 0; p->past && i < p->c->n_parts; i++) {
        free(p->past[i].x1);
        free(p->past[i].x2);
        free(p->past[i].pressed);
    }
    free(p->past);
    free(p->words);
    free(p->plane);
    free(p->now);
    free(p->match);
    page_free(&p->raw);
}

/* Frames at this error, every so many. False: out of memory. */
static bool pack_at(const clip *c, double error, int32_t every, page *out, packer *result)
{
    packer p = {.c = c, .out = out};
    double extent = find_extent(c, p.origin);
    p.step = fmax(2 * error / sqrt(3.0), extent / 65535);
    page_free(out);
    bool fine = allocate(&p);
    if (fine)
        put_frames(&p, every);
    fine = fine && !p.failed && !p.raw.failed && !out->failed;
    free_packer(&p);
    *result = p;
    return fine;
}

bool clip_pack(clip *c, size_t budget, page *head, page *chunks, clip_summary *s)
{
    packer p;
    double error = CLIP_GOOD_ERROR;
    int32_t every = 1;
    budget = budget ? budget : CLIP_BUDGET;
    bool fine = pack_at(c, error, every, chunks, &p);
    while (fine && chunks->n > budget && (2 * error <= CLIP_WORST_ERROR || every < c->n_frames)) {
        if (2 * error <= CLIP_WORST_ERROR)
            error *= 2;
        else
            every *= 2;
        fine = pack_at(c, error, every, chunks, &p);
    }
    if (!fine)
        return false;
    *s = (clip_summary){.n_given = c->n_given, .step = p.step, .worst_error = sqrt(p.worst), .size = chunks->n};
    for (int32_t i = 0; i < c->n_frames; i++)
        s->n_frames += is_kept(c, i, every);
    clip_put_head(c, every, p.origin, s, head);
    return !head->failed;
}
