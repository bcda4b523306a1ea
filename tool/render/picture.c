/* SPDX-License-Identifier: MIT */
/* Every pixel has the same pattern of samples, shifted for its light by its place; it depends on nothing else. Threads
 * take tiles as they come. Then noise is smoothed, in rounds. */
#include "render/picture.h"
#include "render/camera.h"
#include "render/light.h"
#include "render/smooth.h"
#include "render/scenery.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { TILE = 32, MAX_THREADS = 256, EDGE_ROUNDS = 4 };

typedef struct sample {
    float x, y; /* in the pixel, [0, 1) */
    chance chance;
} sample;

typedef struct job {
    const scenery *scenery;
    const light *light;
    const camera *camera;
    const sample *samples;
    int32_t n_samples;
    float exposure;
    bool is_noisy; /* with so few samples that smoothing helps */
    picture_image *image;
    smooth_field field;
    void (*make_pixel)(const struct job *j, int32_t x, int32_t y); /* the round's work */
    atomic_int next_tile;
    int tiles_across, n_tiles;
} job;

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Mixes all bits of x into all bits: shift and multiply, with the constants of C. Wellons's lowbias32. */
static uint32_t mixed(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static float unit_float(uint32_t bits)
{
    return (float)(bits >> 8) * 0x1p-24f;
}

static float reversed_bits(uint32_t i)
{
    uint32_t r = 0;
    for (int bit = 0; bit < 32; bit++)
        r |= (i >> bit & 1u) << (31 - bit);
    return unit_float(r);
}

/* A shuffle of 0 … n − 1 that the seed decides. */
static void shuffle(uint32_t *order, int32_t n, uint32_t seed)
{
    for (int32_t i = 0; i < n; i++) {
        int32_t k = (int32_t)(mixed(seed + (uint32_t)i) % (uint32_t)(i + 1));
        if (k < i)
            order[i] = order[k];
        order[k] = (uint32_t)i;
    }
}

/* Three times Hammersley's points, which fill the square evenly; shuffled, lest a place in the pixel and a direction of
 * light always go together. Every second sample looks at the sky as the one before. */
static bool make_samples(sample *out, int32_t n)
{
    uint32_t *sun = malloc(2 * (size_t)n * sizeof *sun), *sky = sun ? sun + n : NULL;
    int32_t n_sky = (n + 1) / 2;
    if (!sun)
        return false;
    shuffle(sun, n, 0x10001u);
    shuffle(sky, n_sky, 1u);
    for (int32_t i = 0; i < n; i++) {
        out[i].x = ((float)i + 0.5f) / (float)n;
        out[i].y = reversed_bits((uint32_t)i);
        uint32_t look = sky[i / 2];
        out[i].chance = (chance){.sun_u = ((float)sun[i] + 0.5f) / (float)n,
                                 .sun_v = reversed_bits(sun[i]),
                                 .sky_u = ((float)look + 0.5f) / (float)n_sky,
                                 .sky_v = reversed_bits(look)};
    }
    free(sun);
    return true;
}

/* The shift of a pixel's light: 8 × 8 pixels have between them all of 64 points that fill the square evenly, so the
 * mean over pixels around is good; each block has them in another order, so there is no pattern. */
static chance pixel_shift(int32_t px, int32_t py, uint32_t turn)
{
    uint32_t block = mixed((uint32_t)(px / 8) + mixed((uint32_t)(py / 8) + mixed(turn)));
    uint32_t sky = (uint32_t)(px % 8 + py % 8 * 8), sun;
    for (int i = 0; i < 3; i++) {
        sky = (sky * (2 * (block & 31) + 1) + (block >> 5)) & 63;
        sky ^= sky >> 3;
        block = mixed(block);
    }
    sun = (sky * 37 + block) & 63;
    return (chance){
        .sun_u = (float)sun / 64, .sun_v = reversed_bits(sun), .sky_u = (float)sky / 64, .sky_v = reversed_bits(sky)};
}

static float wrapped(float a)
{
    return a >= 1 ? a - 1 : a;
}

static chance shifted(const chance *c, const chance *by)
{
    return (chance){wrapped(c->sun_u + by->sun_u), wrapped(c->sun_v + by->sun_v), wrapped(c->sky_u + by->sky_u),
                    wrapped(c->sky_v + by->sky_v)};
}

/* ---- pixels ------------------------------------------------------------------------------------------------------ */

static void add_seen(seen *sum, const seen *s)
{
    sum->light = f3_add(sum->light, s->light);
    sum->albedo = f3_add(sum->albedo, s->albedo);
    sum->sky = f3_add(sum->sky, s->sky);
    sum->sun_due += s->sun_due;
    sum->sun_got += s->sun_got;
    sum->position = f3_add(sum->position, s->position);
    sum->normal = f3_add(sum->normal, s->normal);
    sum->n_surface += s->n_surface;
}

static seen mean_of(const seen *sum, float n)
{
    float each = 1 / n;
    return (seen){.light = f3_scale(sum->light, each),
                  .albedo = f3_scale(sum->albedo, each),
                  .sky = f3_scale(sum->sky, each),
                  .sun_due = sum->sun_due * each,
                  .sun_got = sum->sun_got * each,
                  .position = f3_scale(sum->position, each),
                  .normal = f3_scale(sum->normal, each),
                  .n_surface = sum->n_surface * each};
}

static void add_samples(const job *j, int32_t px, int32_t py, uint32_t turn, seen *sum)
{
    chance shift = pixel_shift(px, py, turn);
    seen one;
    for (int32_t i = 0; i < j->n_samples; i++) {
        const sample *s = &j->samples[i];
        const seen *last = i & 1 ? &one : NULL;
        chance c = shifted(&s->chance, &shift);
        one = light_at(j->light, j->scenery, j->camera, (float)px + s->x, (float)py + s->y, &c, last);
        add_seen(sum, &one);
    }
}

/* A pixel with an edge in it, which cannot be smoothed later, gets more samples. */
static void sample_pixel(const job *j, int32_t px, int32_t py)
{
    seen sum = {.n_surface = 0}, *cell = &j->field.cells[(size_t)py * (size_t)j->image->width + (size_t)px];
    add_samples(j, px, py, 0, &sum);
    *cell = mean_of(&sum, (float)j->n_samples);
    if (!smooth_is_edge(cell) || sum.n_surface == 0)
        return;
    for (uint32_t turn = 1; turn < EDGE_ROUNDS; turn++)
        add_samples(j, px, py, turn, &sum);
    *cell = mean_of(&sum, (float)(EDGE_ROUNDS * j->n_samples));
}

static void smooth_pixel(const job *j, int32_t px, int32_t py)
{
    smooth_near(&j->field, px, py);
}

static void finish_pixel(const job *j, int32_t px, int32_t py)
{
    size_t i = (size_t)py * (size_t)j->image->width + (size_t)px;
    float3 c = f3_scale(j->is_noisy ? smooth_far(&j->field, px, py) : j->field.cells[i].light, j->exposure);
    float *rgb = &j->image->rgb[3 * i];
    rgb[0] = c.x, rgb[1] = c.y, rgb[2] = c.z;
}

static void render_tile(const job *j, int tile)
{
    int32_t x0 = tile % j->tiles_across * TILE, y0 = tile / j->tiles_across * TILE;
    for (int32_t y = y0; y < y0 + TILE && y < j->image->height; y++)
        for (int32_t x = x0; x < x0 + TILE && x < j->image->width; x++)
            j->make_pixel(j, x, y);
}

static void *render_tiles(void *argument)
{
    job *j = argument;
    for (int tile; (tile = atomic_fetch_add(&j->next_tile, 1)) < j->n_tiles;)
        render_tile(j, tile);
    return NULL;
}

/* A thread that cannot be had leaves its tiles to the others. */
static void make_pixels(job *j, void (*make_pixel)(const job *j, int32_t x, int32_t y), int32_t n_threads)
{
    pthread_t threads[MAX_THREADS];
    int n = 0;
    j->make_pixel = make_pixel;
    atomic_store(&j->next_tile, 0);
    while (n < n_threads - 1 && pthread_create(&threads[n], NULL, render_tiles, j) == 0)
        n++;
    render_tiles(j);
    while (n > 0)
        pthread_join(threads[--n], NULL);
}

static void make_picture(job *j, int32_t n_threads)
{
    make_pixels(j, sample_pixel, n_threads);
    if (j->is_noisy)
        make_pixels(j, smooth_pixel, n_threads);
    make_pixels(j, finish_pixel, n_threads);
}

static int32_t threads_wanted(int32_t n)
{
    long cores = n > 0 ? n : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (int32_t)cores;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool is_finite(weft_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static const char *settings_fault(const picture_scene *scene, const picture_size *size)
{
    const picture_camera *c = &scene->camera;
    if (size->width < 1 || size->width > 8192 || size->height < 1 || size->height > 8192)
        return "width and height must be in [1, 8192]";
    if (size->n_samples < 1 || size->n_samples > 1024)
        return "n_samples must be in [1, 1024]";
    if (size->n_threads < 0 || size->n_threads > MAX_THREADS)
        return "n_threads must be in [0, 256]";
    if (!(c->height_angle > 0 && c->height_angle <= 150))
        return "the camera's height_angle must be in (0, 150] degrees";
    if (!(c->margin >= 0 && c->margin <= 0.4))
        return "the camera's margin must be in [0, 0.4]";
    if (!is_finite(c->eye) || !is_finite(c->target) || !is_finite(c->direction) || !is_finite(scene->sun))
        return "the camera or the sun has a number that is not finite";
    if (!(scene->sun_size >= 0 && scene->sun_size <= 60))
        return "sun_size must be in [0, 60] degrees";
    if (!(scene->exposure > 0 && scene->exposure <= 100))
        return "exposure must be in (0, 100]";
    return NULL;
}

static const char *render_scenery(const picture_scene *scene, const picture_size *size, const scenery *s,
                                  const camera *c, picture_image *out)
{
    size_t n = (size_t)size->width * (size_t)size->height;
    sample *samples = malloc((size_t)size->n_samples * sizeof *samples);
    smooth_field field = {.cells = malloc(n * sizeof *field.cells),
                          .sky = malloc(n * sizeof *field.sky),
                          .width = size->width,
                          .height = size->height,
                          .footprint = c->reach / c->half_height};
    out->rgb = malloc(3 * n * sizeof *out->rgb);
    const char *fault = "out of memory";
    if (samples && field.cells && field.sky && out->rgb && make_samples(samples, size->n_samples)) {
        light l = light_make(scene, c);
        job j = {.scenery = s,
                 .light = &l,
                 .camera = c,
                 .samples = samples,
                 .n_samples = size->n_samples,
                 .exposure = (float)scene->exposure,
                 .is_noisy = size->n_samples <= 256,
                 .image = out,
                 .field = field,
                 .tiles_across = (size->width + TILE - 1) / TILE};
        j.n_tiles = j.tiles_across * ((size->height + TILE - 1) / TILE);
        make_picture(&j, threads_wanted(size->n_threads));
        fault = NULL;
    }
    free(samples);
    free(field.cells);
    free(field.sky);
    return fault;
}

/* The scene's camera, with eye and target found if it does not say them. */
static const char *find_camera(const picture_scene *scene, double aspect, picture_camera *out)
{
    picture_framing *framing = picture_framing_create(&scene->camera, aspect);
    const char *fault = framing ? NULL : "out of memory";
    if (framing && !scene->camera.given)
        fault = picture_framing_add_scene(framing, scene);
    if (framing)
        *out = picture_framing_camera(framing);
    picture_framing_free(framing);
    return fault;
}

const char *picture_render(const picture_scene *scene, const picture_size *size, picture_image *out)
{
    *out = (picture_image){.width = size->width, .height = size->height};
    picture_camera def;
    const char *fault = settings_fault(scene, size);
    fault = fault ? fault : scene_fault(scene);
    fault = fault ? fault : find_camera(scene, (double)size->width / (double)size->height, &def);
    if (fault)
        return fault;
    scenery s;
    camera c = camera_make(&def, size->width, size->height);
    fault = scenery_make(scene, def.target, &s);
    if (!fault)
        fault = render_scenery(scene, size, &s, &c, out);
    scenery_free(&s);
    if (fault)
        picture_image_free(out);
    return fault;
}

void picture_image_free(picture_image *image)
{
    free(image->rgb);
    *image = (picture_image){.width = 0};
}

picture_scene picture_scene_default(void)
{
    return (picture_scene){.has_ground = true,
                           .ground = {0.84f, 0.82f, 0.79f},
                           .background = {0.93f, 0.93f, 0.93f},
                           .camera = {.direction = {0.55, 0.42, 1}, .height_angle = 28, .margin = 0.08},
                           .sun = {-0.85, 1, 0.85},
                           .sun_size = 5,
                           .exposure = 0.55};
}

picture_size picture_size_default(void)
{
    return (picture_size){.width = 960, .height = 720, .n_samples = 16};
}

picture_solid picture_solid_from_collider(const weft_sim *sim, weft_collider_id id, const weft_collider_def *def,
                                          picture_color color)
{
    picture_solid s = {.kind = def->kind,
                       .radius = def->radius,
                       .height = def->height,
                       .size = def->size,
                       .position = def->position,
                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                       .color = color};
    weft_collider_get_pose(sim, id, &s.position, s.rotation, NULL); /* fails for a stale id: then it stands there */
    return s;
}
