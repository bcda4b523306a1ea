/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "render/crease.h"
#include "render/picture.h"
#include "render/solid_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a small cloth ----------------------------------------------------------------------------------------------- */

enum { SIDE = 9, N_NODES = SIDE * SIDE, N_TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

typedef struct square {
    weft_vec3 positions[N_NODES];
    int32_t triangles[3 * N_TRIANGLES];
} square;

/* One metre square at height y, its front up, waved by `wave`. */
static void make_square(square *s, double y, double wave)
{
    for (int i = 0; i < N_NODES; i++) {
        double u = (double)(i % SIDE) / (SIDE - 1) - 0.5, v = (double)(i / SIDE) / (SIDE - 1) - 0.5;
        s->positions[i] = (weft_vec3){u, y + wave * sin(9 * u + 4 * v), -v};
    }
    int32_t *t = s->triangles;
    for (int j = 0; j < SIDE - 1; j++) {
        for (int i = 0; i < SIDE - 1; i++) {
            int a = j * SIDE + i;
            const int corners[6] = {a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE};
            for (int k = 0; k < 6; k++)
                *t++ = corners[k];
        }
    }
}

static picture_mesh mesh_of(const square *s)
{
    return (picture_mesh){.positions = s->positions,
                          .n_nodes = N_NODES,
                          .triangles = s->triangles,
                          .n_triangles = N_TRIANGLES,
                          .front = {0.8f, 0.2f, 0.2f},
                          .back = {0.2f, 0.2f, 0.8f}};
}

static const picture_solid ball = {.kind = WEFT_COLLIDER_SPHERE,
                                   .radius = 0.2,
                                   .position = {0, 0.2, 0},
                                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                   .color = {0.3f, 0.5f, 0.7f}};

/* Seen from straight above and without ground. */
static picture_scene scene_above(const picture_mesh *m)
{
    picture_scene scene = picture_scene_default();
    scene.meshes = m;
    scene.n_meshes = 1;
    scene.has_ground = false;
    scene.camera.direction = (weft_vec3){0, 1, 0};
    return scene;
}

static picture_bytes bytes_of(const picture_scene *scene, picture_size size)
{
    picture_image image;
    picture_bytes bytes;
    assert_null(picture_render(scene, &size, &image));
    assert_null(picture_develop(&image, &bytes));
    picture_image_free(&image);
    return bytes;
}

static const uint8_t *pixel(const picture_bytes *b, int x, int y)
{
    return &b->rgb[3 * (y * b->width + x)];
}

/* ---- rendering --------------------------------------------------------------------------------------------------- */

static void same_scene_gives_same_bytes_for_any_threads(void **state)
{
    (void)state;
    square s;
    uint8_t lines[N_TRIANGLES];
    make_square(&s, 0.45, 0.06);
    picture_mesh m = mesh_of(&s);
    assert_null(picture_grid_lines(s.positions, N_NODES, s.triangles, N_TRIANGLES, lines));
    m.lines = lines;
    picture_scene scene = picture_scene_default();
    scene.meshes = &m;
    scene.n_meshes = 1;
    scene.solids = &ball;
    scene.n_solids = 1;
    picture_bytes first = {.width = 0};
    for (int i = 0; i < 4; i++) {
        picture_bytes again = bytes_of(&scene, (picture_size){121, 90, 5, 1 + i % 2});
        if (i == 0) {
            first = again;
            continue;
        }
        assert_memory_equal(again.rgb, first.rgb, 3 * 121 * 90);
        picture_bytes_free(&again);
    }
    picture_bytes_free(&first);
}

static void empty_scene_shows_its_background(void **state)
{
    (void)state;
    picture_scene scene = picture_scene_default();
    scene.has_ground = false;
    scene.background = (picture_color){0.2f, 0.4f, 0.6f};
    picture_bytes b = bytes_of(&scene, (picture_size){20, 10, 2, 1});
    for (int i = 0; i < 20 * 10; i++) {
        assert_in_range(b.rgb[3 * i], 51 - 1, 51 + 1);
        assert_in_range(b.rgb[3 * i + 1], 102 - 1, 102 + 1);
        assert_in_range(b.rgb[3 * i + 2], 153 - 1, 153 + 1);
    }
    picture_bytes_free(&b);
}

static void cloth_shows_the_side_that_is_seen(void **state)
{
    (void)state;
    square s;
    make_square(&s, 1, 0);
    picture_mesh m = mesh_of(&s);
    picture_scene scene = scene_above(&m);
    for (int below = 0; below < 2; below++) {
        scene.camera.direction.y = below ? -1 : 1;
        picture_bytes b = bytes_of(&scene, (picture_size){40, 40, 4, 1});
        const uint8_t *p = pixel(&b, 20, 20);
        assert_true(below ? p[2] > p[0] + 30 : p[0] > p[2] + 30);
        picture_bytes_free(&b);
    }
}

static void colors_replace_front_and_back(void **state)
{
    (void)state;
    square s;
    picture_color nodes[N_NODES], triangles[N_TRIANGLES];
    make_square(&s, 1, 0);
    for (int i = 0; i < N_NODES; i++)
        nodes[i] = s.positions[i].x < 0 ? (picture_color){0.1f, 0.8f, 0.1f} : (picture_color){0.1f, 0.1f, 0.8f};
    for (int i = 0; i < N_TRIANGLES; i++)
        triangles[i] = (picture_color){0.1f, 0.8f, 0.1f};
    picture_mesh m = mesh_of(&s);
    picture_scene scene = scene_above(&m);
    m.colors = nodes;
    picture_bytes b = bytes_of(&scene, (picture_size){40, 40, 4, 1});
    assert_true(pixel(&b, 10, 20)[1] > pixel(&b, 10, 20)[2] + 30);
    assert_true(pixel(&b, 30, 20)[2] > pixel(&b, 30, 20)[1] + 30);
    picture_bytes_free(&b);
    m.triangle_colors = triangles;
    b = bytes_of(&scene, (picture_size){40, 40, 4, 1});
    assert_true(pixel(&b, 30, 20)[1] > pixel(&b, 30, 20)[2] + 30);
    picture_bytes_free(&b);
}

static void a_thing_shades_the_ground(void **state)
{
    (void)state;
    picture_scene scene = picture_scene_default();
    scene.solids = &ball;
    scene.n_solids = 1;
    scene.camera = (picture_camera){
        .given = true, .eye = {0.5, 6, 0}, .target = {0.5, 0, 0}, .direction = {0, 1, 0}, .height_angle = 20};
    scene.sun = (weft_vec3){-1, 1, 0}; /* the ball's shadow is about (0.4, 0, 0) */
    picture_bytes b = bytes_of(&scene, (picture_size){41, 41, 8, 1});
    assert_true(pixel(&b, 18, 20)[1] + 40 < pixel(&b, 38, 20)[1]);
    picture_bytes_free(&b);
}

static void wrong_scenes_are_refused(void **state)
{
    (void)state;
    square s;
    picture_image image;
    make_square(&s, 0, 0);
    picture_mesh m = mesh_of(&s);
    picture_scene scene = scene_above(&m);
    picture_size size = {8, 8, 1, 1};
    s.triangles[5] = N_NODES;
    assert_non_null(picture_render(&scene, &size, &image));
    assert_null(image.rgb);
    s.triangles[5] = 0;
    assert_null(picture_render(&scene, &size, &image));
    picture_image_free(&image);
    s.positions[3].y = nan("");
    assert_non_null(picture_render(&scene, &size, &image));
    s.positions[3].y = 0;
    scene.camera.height_angle = 0;
    assert_non_null(picture_render(&scene, &size, &image));
    scene.camera.height_angle = 30;
    size.width = 0;
    assert_non_null(picture_render(&scene, &size, &image));
    size.width = 8;
    scene.n_solids = 1;
    assert_non_null(picture_render(&scene, &size, &image));
    assert_null(image.rgb);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Pixels that differ from another picture by more than a few steps. */
static int count_changes(const picture_bytes *a, const picture_bytes *b)
{
    int n = 0;
    for (int i = 0; i < a->width * a->height; i++)
        n += abs((int)a->rgb[3 * i] - (int)b->rgb[3 * i]) > 12;
    return n;
}

/* How many pixels the lines of a mask change; the cloth's cells are about 17 pixels wide. */
static int pixels_of_lines(const square *s, uint8_t mask)
{
    uint8_t lines[N_TRIANGLES];
    memset(lines, mask, sizeof lines);
    picture_mesh m = mesh_of(s);
    picture_scene scene = scene_above(&m);
    picture_size size = {160, 160, 4, 2};
    picture_bytes plain = bytes_of(&scene, size);
    m.lines = lines;
    picture_bytes lined = bytes_of(&scene, size);
    int n = count_changes(&plain, &lined);
    picture_bytes_free(&plain);
    picture_bytes_free(&lined);
    return n;
}

static void lines_are_drawn_only_where_asked(void **state)
{
    (void)state;
    square s;
    make_square(&s, 0, 0);
    int none = pixels_of_lines(&s, 0), one = pixels_of_lines(&s, 1), all = pixels_of_lines(&s, 7);
    assert_int_equal(none, 0);
    /* Side 0 of the one kind of triangle is along x, of the other the diagonal: (1 + √2) × 8 × 8 cells of 17 pixels,
     * one to three pixels wide, half of them (the other half of the line is the next triangle's). */
    assert_in_range(one, 64 * 17 * 2.4 / 2, 64 * 17 * 2.4 * 2);
    /* All: 2 × 9 lines of 8 cells and the diagonals. */
    assert_true(all > one);
    assert_in_range(all, 17 * (144 + 90) * 0.8, 17 * (144 + 90) * 2);
}

static void lines_are_as_wide_in_pixels_at_any_size(void **state)
{
    (void)state;
    square s;
    uint8_t lines[N_TRIANGLES];
    double share[2];
    make_square(&s, 0, 0);
    picture_mesh m = mesh_of(&s);
    picture_scene scene = scene_above(&m);
    assert_null(picture_grid_lines(s.positions, N_NODES, s.triangles, N_TRIANGLES, lines));
    for (int i = 0; i < 2; i++) {
        picture_size size = {100 << i, 100 << i, 4, 2};
        m.lines = NULL;
        picture_bytes plain = bytes_of(&scene, size);
        m.lines = lines;
        picture_bytes lined = bytes_of(&scene, size);
        share[i] = count_changes(&plain, &lined) / (double)size.width;
        picture_bytes_free(&plain);
        picture_bytes_free(&lined);
    }
    assert_true(fabs(share[1] / share[0] - 1) < 0.25);
}

static void grid_lines_leave_out_diagonals(void **state)
{
    (void)state;
    square s;
    uint8_t lines[N_TRIANGLES];
    make_square(&s, 0, 0);
    assert_null(picture_grid_lines(s.positions, N_NODES, s.triangles, N_TRIANGLES, lines));
    for (int i = 0; i < N_TRIANGLES; i++)
        assert_int_equal(lines[i], i % 2 == 0 ? 3 : 6);
    /* A lone right triangle keeps its long side. */
    assert_null(picture_grid_lines(s.positions, N_NODES, s.triangles, 1, lines));
    assert_int_equal(lines[0], 7);
}

/* ---- solids ------------------------------------------------------------------------------------------------------ */

static void creases_stay_sharp(void **state)
{
    (void)state;
    weft_vec3 x[8];
    float3 normals[36];
    for (int i = 0; i < 8; i++)
        x[i] = (weft_vec3){i & 1, i >> 1 & 1, i >> 2};
    const int32_t t[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    picture_mesh cube = {.positions = x, .n_nodes = 8, .triangles = t, .n_triangles = 12, .is_solid = true};
    assert_true(crease_normals(&cube, normals));
    for (int i = 0; i < 36; i++) {
        float most = fmaxf(fabsf(normals[i].x), fmaxf(fabsf(normals[i].y), fabsf(normals[i].z)));
        assert_true(most > 0.9999f);
    }
}

static void round_solids_stay_round(void **state)
{
    (void)state;
    solid_mesh m;
    assert_true(solid_mesh_make(&ball, &m));
    picture_mesh mesh = {
        .positions = m.positions, .n_nodes = m.n_nodes, .triangles = m.triangles, .n_triangles = m.n_triangles};
    float3 *normals = calloc(3 * (size_t)m.n_triangles, sizeof *normals);
    assert_non_null(normals);
    assert_true(crease_normals(&mesh, normals));
    for (int i = 0; i < 3 * m.n_triangles; i++) {
        weft_vec3 x = m.positions[m.triangles[i]];
        float3 radial = f3_unit_or(f3((float)x.x, (float)(x.y - 0.2), (float)x.z), f3(0, 0, 0));
        float turn = f3_dot(radial, normals[i]), length = f3_length(normals[i]);
        assert_true(length < 0.5f || turn > 0.999f); /* none where a triangle has no area, at the poles */
    }
    free(normals);
    solid_mesh_free(&m);
}

/* ---- framing ----------------------------------------------------------------------------------------------------- */

/* Greatest |x| and |y| of points seen, 1 at the picture's border; huge for points behind the eye. */
static double spread_seen(const picture_camera *c, double aspect, const weft_vec3 *x, int n)
{
    double most = 0, t = tan(c->height_angle * 0.5 * 3.14159265358979324 / 180);
    weft_vec3 a = {c->target.x - c->eye.x, c->target.y - c->eye.y, c->target.z - c->eye.z};
    double l = sqrt(a.x * a.x + a.y * a.y + a.z * a.z), flat = sqrt(a.x * a.x + a.z * a.z);
    a = (weft_vec3){a.x / l, a.y / l, a.z / l};
    weft_vec3 r = {-a.z * l / flat, 0, a.x * l / flat};
    weft_vec3 u = {r.y * a.z - r.z * a.y, r.z * a.x - r.x * a.z, r.x * a.y - r.y * a.x};
    for (int i = 0; i < n; i++) {
        weft_vec3 d = {x[i].x - c->eye.x, x[i].y - c->eye.y, x[i].z - c->eye.z};
        double depth = d.x * a.x + d.y * a.y + d.z * a.z;
        if (depth <= 0)
            return HUGE_VAL;
        most = fmax(most, fabs(d.x * r.x + d.z * r.z) / (depth * t * aspect));
        most = fmax(most, fabs(d.x * u.x + d.y * u.y + d.z * u.z) / (depth * t));
    }
    return most;
}

static void framing_sees_all_cloth_of_all_frames(void **state)
{
    (void)state;
    square frames[3];
    picture_camera camera = picture_scene_default().camera;
    picture_framing *f = picture_framing_create(&camera, 1.5);
    assert_non_null(f);
    for (int i = 0; i < 3; i++) {
        make_square(&frames[i], 1000 - 0.4 * i, 0.1 * i);
        picture_framing_add_cloth(f, frames[i].positions, N_NODES);
    }
    picture_camera c = picture_framing_camera(f);
    picture_framing_free(f);
    assert_true(c.given);
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = fmax(most, spread_seen(&c, 1.5, frames[i].positions, N_NODES));
    /* Up to the margin on both sides, and no less: but for a thousandth of air. */
    assert_true(most <= 1 - 2 * camera.margin + 1e-9);
    assert_true(most >= (1 - 2 * camera.margin) * 0.995);
}

static picture_camera framed_with(const picture_solid *solid)
{
    square s;
    make_square(&s, 0.5, 0);
    picture_camera camera = picture_scene_default().camera;
    picture_framing *f = picture_framing_create(&camera, 1);
    assert_non_null(f);
    picture_framing_add_cloth(f, s.positions, N_NODES);
    if (solid)
        assert_null(picture_framing_add_solid(f, 3, solid));
    picture_camera c = picture_framing_camera(f);
    picture_framing_free(f);
    return c;
}

static void framing_keeps_near_solids_and_leaves_out_great_and_far_ones(void **state)
{
    (void)state;
    picture_camera alone = framed_with(NULL), with_ball = framed_with(&ball);
    picture_solid table = ball, far = ball;
    table.kind = WEFT_COLLIDER_BOX;
    table.size = (weft_vec3){10, 1, 10};
    far.position.x = 5;
    picture_camera with_table = framed_with(&table), with_far = framed_with(&far);
    assert_memory_equal(&alone.eye, &with_table.eye, sizeof alone.eye);
    assert_memory_equal(&alone.eye, &with_far.eye, sizeof alone.eye);
    const weft_vec3 bottom = {0, 0, 0};
    assert_true(spread_seen(&with_ball, 1, &bottom, 1) < 1);
    assert_true(spread_seen(&with_ball, 1, &bottom, 1) > spread_seen(&alone, 1, &bottom, 1) * 0.5);
    assert_true(with_ball.eye.y != alone.eye.y);
}

static void framing_without_cloth_sees_all_solids(void **state)
{
    (void)state;
    picture_camera camera = picture_scene_default().camera;
    picture_framing *f = picture_framing_create(&camera, 1);
    picture_solid far = ball;
    far.position.x = 50;
    assert_non_null(f);
    assert_null(picture_framing_add_solid(f, 0, &ball));
    assert_null(picture_framing_add_solid(f, 1, &far));
    picture_camera c = picture_framing_camera(f);
    picture_framing_free(f);
    assert_true(spread_seen(&c, 1, (weft_vec3[]){ball.position, far.position}, 2) < 1);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static uint32_t big_endian(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void png_is_well_formed(void **state)
{
    (void)state;
    picture_bytes b;
    uint8_t *png;
    size_t n, at = 8;
    int n_chunks = 0;
    assert_null(picture_bytes_make(37, 21, (picture_color){0.5f, 0.2f, 0.1f}, &b));
    assert_null(picture_encode_png(&b, &png, &n));
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png + 12, "IHDR", 4);
    assert_int_equal(big_endian(png + 16), 37);
    assert_int_equal(big_endian(png + 20), 21);
    assert_memory_equal(png + 24, "\x08\x02\x00\x00\x00", 5); /* 8 bits, RGB, not interlaced */
    for (; at + 12 <= n; n_chunks++)
        at += 12 + (size_t)big_endian(png + at);
    assert_int_equal(at, n);
    assert_memory_equal(png + n - 8, "IEND", 4);
    free(png);
    picture_bytes_free(&b);
}

static void png_is_written_whole_or_not_at_all(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    char folder[512], path[600];
    snprintf(folder, sizeof folder, "%s/weft_picture_XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.png", folder);
    picture_bytes b;
    struct stat there;
    assert_null(picture_bytes_make(5, 4, (picture_color){0.5f, 0.2f, 0.1f}, &b));
    assert_null(picture_write_png(&b, path));
    assert_null(picture_write_png(&b, path)); /* over the old one */
    assert_int_equal(stat(path, &there), 0);
    assert_true(there.st_size > 50);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0); /* so nothing was left beside */
    assert_non_null(picture_write_png(&b, path));
    picture_bytes_free(&b);
}

static void raw_bytes_have_even_sizes(void **state)
{
    (void)state;
    picture_bytes b;
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_null(picture_bytes_make(5, 3, (picture_color){0, 0, 0}, &b));
    for (int i = 0; i < 5 * 3 * 3; i++)
        b.rgb[i] = (uint8_t)i;
    assert_null(picture_write_raw(&b, f));
    uint8_t raw[200];
    rewind(f);
    assert_int_equal(fread(raw, 1, sizeof raw, f), picture_even(5) * picture_even(3) * 3);
    assert_memory_equal(raw, b.rgb, 15);
    assert_memory_equal(raw + 15, b.rgb + 12, 3);
    assert_memory_equal(raw + 3 * 18, raw + 2 * 18, 18);
    fclose(f);
    picture_bytes_free(&b);
}

/* ---- sheets and captions ----------------------------------------------------------------------------------------- */

static int count_dark(const picture_bytes *b, int x0, int y0, int width, int height)
{
    int n = 0;
    for (int y = y0; y < y0 + height; y++)
        for (int x = x0; x < x0 + width; x++)
            n += pixel(b, x, y)[0] < 100;
    return n;
}

static void sheet_puts_tiles_in_rows_with_captions(void **state)
{
    (void)state;
    picture_bytes tile, sheet;
    picture_tile tiles[7];
    assert_null(picture_bytes_make(80, 60, (picture_color){0, 0, 0}, &tile));
    for (int i = 0; i < 7; i++)
        tiles[i] = (picture_tile){&tile, i == 6 ? NULL : "0.25 s, frame 15, and so on and on"};
    assert_null(picture_sheet(tiles, 7, 3, &sheet));
    /* Gaps of 4, strips of 12. */
    assert_int_equal(sheet.width, 3 * 84 + 4);
    assert_int_equal(sheet.height, 3 * 76 + 4);
    assert_int_equal(count_dark(&sheet, 4, 4, 80, 60), 80 * 60);
    assert_int_equal(count_dark(&sheet, 4 + 84, 4 + 76, 80, 60), 80 * 60);
    assert_int_equal(count_dark(&sheet, 4 + 84, 4 + 2 * 76, 80, 60), 0); /* the eighth */
    assert_true(count_dark(&sheet, 4, 64, 80, 12) > 100);
    assert_int_equal(count_dark(&sheet, 84, 0, 4, sheet.height), 0); /* captions are cut off at their tile */
    assert_int_equal(count_dark(&sheet, 4, 4 + 2 * 76 + 60, 80, 12), 0);
    picture_bytes_free(&sheet);
    assert_null(picture_sheet(tiles, 7, 0, &sheet));
    assert_int_equal(sheet.width, 3 * 84 + 4);
    picture_bytes_free(&sheet);
    assert_non_null(picture_sheet(tiles, 0, 0, &sheet));
    picture_bytes_free(&tile);
}

static void letters_differ_and_stay_in_the_picture(void **state)
{
    (void)state;
    picture_bytes b[95];
    for (int i = 0; i < 95; i++) {
        const char text[2] = {(char)(' ' + i), 0};
        assert_null(picture_bytes_make(6, 8, (picture_color){1, 1, 1}, &b[i]));
        picture_text(&b[i], 0, 0, 1, (picture_color){0, 0, 0}, text);
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(b[i].rgb, b[k].rgb, 3 * 6 * 8);
    }
    picture_text(&b[0], -20, -9, 3, (picture_color){0, 0, 0}, "cut \xc3\xa9 off");
    picture_draw_legend(&b[0], &(picture_legend){picture_diverging, -1, 1, "title", "-1", "0", "1"});
    assert_int_equal(picture_text_width(2, "abc"), 2 * 17);
    for (int i = 0; i < 95; i++)
        picture_bytes_free(&b[i]);
}

static double lightness(picture_color c)
{
    return 0.2126 * pow((double)c.r, 2.2) + 0.7152 * pow((double)c.g, 2.2) + 0.0722 * pow((double)c.b, 2.2);
}

static void color_maps_get_darker_step_by_step(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        double t = i / 100.0, u = (i + 1) / 100.0;
        assert_true(lightness(picture_sequential(u)) < lightness(picture_sequential(t)));
        assert_true(lightness(picture_diverging(u)) < lightness(picture_diverging(t)));
        assert_true(lightness(picture_diverging(-u)) < lightness(picture_diverging(-t)));
    }
    picture_color cold = picture_diverging(-9), hot = picture_diverging(9), none = picture_diverging(nan(""));
    assert_true(cold.b > cold.r + 0.3f && hot.r > hot.b + 0.3f);
    assert_true(none.r == none.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_scene_gives_same_bytes_for_any_threads),
        cmocka_unit_test(empty_scene_shows_its_background),
        cmocka_unit_test(cloth_shows_the_side_that_is_seen),
        cmocka_unit_test(colors_replace_front_and_back),
        cmocka_unit_test(a_thing_shades_the_ground),
        cmocka_unit_test(wrong_scenes_are_refused),
        cmocka_unit_test(lines_are_drawn_only_where_asked),
        cmocka_unit_test(lines_are_as_wide_in_pixels_at_any_size),
        cmocka_unit_test(grid_lines_leave_out_diagonals),
        cmocka_unit_test(creases_stay_sharp),
        cmocka_unit_test(round_solids_stay_round),
        cmocka_unit_test(framing_sees_all_cloth_of_all_frames),
        cmocka_unit_test(framing_keeps_near_solids_and_leaves_out_great_and_far_ones),
        cmocka_unit_test(framing_without_cloth_sees_all_solids),
        cmocka_unit_test(png_is_well_formed),
        cmocka_unit_test(png_is_written_whole_or_not_at_all),
        cmocka_unit_test(raw_bytes_have_even_sizes),
        cmocka_unit_test(sheet_puts_tiles_in_rows_with_captions),
        cmocka_unit_test(letters_differ_and_stay_in_the_picture),
        cmocka_unit_test(color_maps_get_darker_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
