/* SPDX-License-Identifier: MIT */
/* Every pixel has the same pattern of samples, shifted for its light by a hash of its place; a pixel depends on nothing
 * else. Threads take tiles as they come. */
#include "picture/picture.h"
#include "picture/camera.h"
#include "picture/light.h"
#include "picture/stage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { TILE = 32, MAX_THREADS = 256 };

typedef struct sample {
    float x, y; /* in the pixel, [0, 1) */
    chance chance;
} sample;

typedef struct job {
    const stage *stage;
    const light *light;
    const camera *camera;
    const sample *samples;
    int32_t n_samples;
    float exposure;
    picture_image *image;
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
 * light always go together. */
static bool make_samples(sample *out, int32_t n)
{
    uint32_t *order = malloc(2 * (size_t)n * sizeof *order), *other = order ? order + n : NULL;
    if (!order)
        return false;
    shuffle(order, n, 1u);
    shuffle(other, n, 0x10001u);
    for (int32_t i = 0; i < n; i++) {
        out[i].x = ((float)i + 0.5f) / (float)n;
        out[i].y = reversed_bits((uint32_t)i);
        out[i].chance.sky_u = ((float)order[i] + 0.5f) / (float)n;
        out[i].chance.sky_v = reversed_bits(order[i]);
        out[i].chance.sun_u = ((float)other[i] + 0.5f) / (float)n;
        out[i].chance.sun_v = reversed_bits(other[i]);
    }
    free(order);
    return true;
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

static void render_pixel(const job *j, int32_t px, int32_t py)
{
    const picture_image *image = j->image;
    uint32_t seed = mixed((uint32_t)px + mixed((uint32_t)py));
    chance shift = {unit_float(mixed(seed + 1)), unit_float(mixed(seed + 2)), unit_float(mixed(seed + 3)),
                    unit_float(mixed(seed + 4))};
    float3 sum = f3(0, 0, 0);
    for (int32_t i = 0; i < j->n_samples; i++) {
        const sample *s = &j->samples[i];
        float x = 2 * ((float)px + s->x) / (float)image->width - 1;
        float y = 1 - 2 * ((float)py + s->y) / (float)image->height;
        chance c = shifted(&s->chance, &shift);
        sum = f3_add(sum, light_along(j->light, j->stage, j->camera->eye, camera_ray(j->camera, x, y), &c));
    }
    sum = f3_scale(sum, j->exposure / (float)j->n_samples);
    float *rgb = &image->rgb[3 * ((size_t)py * (size_t)image->width + (size_t)px)];
    rgb[0] = sum.x, rgb[1] = sum.y, rgb[2] = sum.z;
}

static void render_tile(const job *j, int tile)
{
    int32_t x0 = tile % j->tiles_across * TILE, y0 = tile / j->tiles_across * TILE;
    for (int32_t y = y0; y < y0 + TILE && y < j->image->height; y++)
        for (int32_t x = x0; x < x0 + TILE && x < j->image->width; x++)
            render_pixel(j, x, y);
}

static void *render_tiles(void *argument)
{
    job *j = argument;
    for (int tile; (tile = atomic_fetch_add(&j->next_tile, 1)) < j->n_tiles;)
        render_tile(j, tile);
    return NULL;
}

/* A thread that cannot be had leaves its tiles to the others. */
static void render_threads(job *j, int32_t n_threads)
{
    pthread_t threads[MAX_THREADS];
    int n = 0;
    while (n < n_threads - 1 && pthread_create(&threads[n], NULL, render_tiles, j) == 0)
        n++;
    render_tiles(j);
    while (n > 0)
        pthread_join(threads[--n], NULL);
}

static int32_t threads_wanted(int32_t n)
{
    long cores = n > 0 ? n : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (int32_t)cores;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static const char *settings_fault(const picture_scene *scene, const picture_size *size)
{
    const picture_camera *c = &scene->camera;
    if (size->width < 1 || size->width > 16384 || size->height < 1 || size->height > 16384)
        return "width and height must be in [1, 16384]";
    if (size->n_samples < 1 || size->n_samples > 1024)
        return "n_samples must be in [1, 1024]";
    if (size->n_threads < 0 || size->n_threads > MAX_THREADS)
        return "n_threads must be in [0, 256]";
    if (!(c->height_angle > 0 && c->height_angle <= 150))
        return "the camera's height_angle must be in (0, 150] degrees";
    if (!(c->margin >= 0 && c->margin <= 0.4))
        return "the camera's margin must be in [0, 0.4]";
    if (!(scene->sun_size >= 0 && scene->sun_size <= 60))
        return "sun_size must be in [0, 60] degrees";
    if (!(scene->exposure > 0 && scene->exposure <= 100))
        return "exposure must be in (0, 100]";
    return NULL;
}

static const char *render_stage(const picture_scene *scene, const picture_size *size, const stage *s,
                                picture_image *out)
{
    sample *samples = malloc((size_t)size->n_samples * sizeof *samples);
    out->rgb = malloc(3 * (size_t)size->width * (size_t)size->height * sizeof *out->rgb);
    const char *fault = "out of memory";
    if (samples && out->rgb && make_samples(samples, size->n_samples)) {
        light l = light_make(scene, s);
        camera c = camera_make(&scene->camera, s, (float)size->width / (float)size->height);
        job j = {.stage = s,
                 .light = &l,
                 .camera = &c,
                 .samples = samples,
                 .n_samples = size->n_samples,
                 .exposure = (float)scene->exposure,
                 .image = out,
                 .tiles_across = (size->width + TILE - 1) / TILE};
        j.n_tiles = j.tiles_across * ((size->height + TILE - 1) / TILE);
        atomic_init(&j.next_tile, 0);
        render_threads(&j, threads_wanted(size->n_threads));
        fault = NULL;
    }
    free(samples);
    return fault;
}

const char *picture_render(const picture_scene *scene, const picture_size *size, picture_image *out)
{
    stage s;
    *out = (picture_image){.width = size->width, .height = size->height};
    const char *fault = settings_fault(scene, size);
    if (fault)
        return fault;
    fault = stage_make(scene, &s);
    if (!fault)
        fault = render_stage(scene, size, &s, out);
    stage_free(&s);
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
                           .sun = {-0.5, 1, 0.8},
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
