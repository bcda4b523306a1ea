/* SPDX-License-Identifier: MIT */
#include "pictures.h"

#include "marks.h"
#include "run_subject.h"
#include "tint.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHEET_TILES = 12, SHEET_COLUMNS = 4, FRAMED_FRAMES = 200 };

/* A mesh of the picture, and what its arrays are. */
typedef struct sitter {
    int32_t cloth, collider; /* one of them is -1 */
    const weft_topology *topology;
    weft_vec3 *positions;
    int32_t n_nodes, n_triangles;
    int32_t *triangles;             /* collider: own */
    picture_color *colors;          /* per node */
    picture_color *triangle_colors; /* per triangle */
    uint8_t *lines;
} sitter;

struct pictures {
    weft_cache *cache;
    const weft_scene *scene;
    pictures_look look;
    sitter *sitters;
    picture_mesh *meshes; /* one each */
    int32_t n_sitters;
    picture_solid *solids;
    int32_t *solid_colliders;
    int32_t n_solids;
    const char **missing;
    int32_t n_missing;
    picture_scene shown;
    bool has_plane;
    run_subject faults; /* where intersections are shown: of the last frame */
    uint8_t *blame;
    tint *tint;
    picture_camera aim; /* as it was wished for */
    double reach;       /* of a camera that follows, from what it looks at, m */
};

static weft_result trouble(weft_error *error, weft_result code, const char *text)
{
    *error = (weft_error){.code = code, .element = -1};
    snprintf(error->text, sizeof error->text, "%s", text);
    return code;
}

static weft_result no_memory(weft_error *error)
{
    return trouble(error, WEFT_ERROR_MEMORY, "out of memory for a picture");
}

/* What the renderer says: NULL is fine. */
static weft_result told(const char *text, weft_error *error)
{
    return text ? trouble(error, WEFT_ERROR_FILE, text) : WEFT_OK;
}

static picture_color color_of(weft_color c)
{
    return (picture_color){(float)c.r, (float)c.g, (float)c.b};
}

/* ---- looks ----------------------------------------------------------------------------------------------------- */

static double largest_limit(const weft_scene *scene)
{
    double limit = 0;
    for (int32_t i = 0; i < scene->n_cloths; i++) {
        const weft_cloth_model *model = &scene->cloths[i].model;
        for (int32_t j = 0; j < model->n_fabrics; j++)
            limit = model->fabrics[j].stretch_limit > limit ? model->fabrics[j].stretch_limit : limit;
    }
    return limit;
}

pictures_look pictures_look_of(const weft_scene *scene)
{
    pictures_look look = {.stretch_limit = 1.05, .max_level = 1};
    picture_scene p = picture_scene_default();
    look.picture = (weft_scene_picture){.width = 960, .height = 720, .samples = 16, .view_angle = 30};
    look.picture.direction = (weft_vec3){0.5, 0.45, 1};
    look.picture.background = (weft_color){(double)p.background.r, (double)p.background.g, (double)p.background.b};
    if (!scene)
        return look;
    look.picture = scene->picture;
    double limit = largest_limit(scene);
    look.stretch_limit = limit > 1 ? limit : 1.05;
    for (int32_t i = 0; i < scene->n_cloths; i++) {
        int32_t level = scene->cloths[i].model.adapt.max_level;
        look.max_level = level > look.max_level ? level : look.max_level;
    }
    return look;
}

/* ---- what is in the picture ------------------------------------------------------------------------------------ */

static void free_sitter(sitter *s)
{
    free(s->positions);
    free(s->triangles);
    free(s->colors);
    free(s->triangle_colors);
    free(s->lines);
}

/* Lines along the sides that have a rest length: a quad's diagonal has none. */
static void find_lines(const weft_topology *t, const weft_vec3 *positions, uint8_t *lines)
{
    if (!t->rest_lengths) {
        picture_grid_lines(positions, t->n_nodes, t->triangles, t->n_triangles, lines);
        return;
    }
    for (int32_t i = 0; i < t->n_triangles; i++)
        for (int k = 0; k < 3; k++)
            lines[i] = (uint8_t)(lines[i] | (t->rest_lengths[3 * i + k] > 0) << k);
}

/* Buffers for a cloth of this topology, if they are not there already. */
static bool fit_cloth(pictures *p, sitter *s, const weft_topology *t)
{
    if (s->topology == t)
        return true;
    int32_t cloth = s->cloth;
    free_sitter(s);
    *s = (sitter){.cloth = cloth, .collider = -1, .n_nodes = t->n_nodes, .n_triangles = t->n_triangles};
    size_t n = (size_t)t->n_nodes + 1;
    s->positions = calloc(n, sizeof *s->positions);
    s->colors = calloc(n, sizeof *s->colors);
    s->triangle_colors = calloc((size_t)t->n_triangles + 1, sizeof *s->triangle_colors);
    s->lines = calloc((size_t)t->n_triangles + 1, 1);
    if (!s->positions || !s->colors || !s->triangle_colors || !s->lines)
        return false;
    s->topology = t;
    weft_error ignored;
    bool known =
        t->rest_lengths || weft_cache_read_positions(p->cache, 0, cloth, s->positions, s->n_nodes, &ignored) >= 0;
    if (p->look.picture.wire && known)
        find_lines(t, s->positions, s->lines);
    return true;
}

static weft_result make_mesh_collider(sitter *s, const weft_mesh *mesh, int32_t collider, weft_error *error)
{
    int64_t n_corners = mesh->face_start[mesh->n_faces];
    *s = (sitter){.cloth = -1, .collider = collider, .n_nodes = mesh->n_nodes};
    s->positions = calloc((size_t)mesh->n_nodes + 1, sizeof *s->positions);
    s->triangles = calloc((size_t)(3 * n_corners - 6 * (int64_t)mesh->n_faces) + 1, sizeof *s->triangles);
    if (!s->positions || !s->triangles)
        return no_memory(error);
    s->n_triangles = weft_mesh_triangulate(mesh, s->triangles, NULL);
    s->triangle_colors = calloc((size_t)s->n_triangles + 1, sizeof *s->triangle_colors);
    return s->triangle_colors ? WEFT_OK : no_memory(error);
}

static weft_result make_colliders(pictures *p, weft_error *error)
{
    for (int32_t i = 0; p->scene && i < p->scene->n_colliders; i++) {
        const weft_scene_collider *c = &p->scene->colliders[i];
        if (!c->visible)
            continue;
        if (!c->is_mesh) {
            p->has_plane = p->has_plane || c->def.kind == WEFT_COLLIDER_PLANE;
            p->solid_colliders[p->n_solids++] = i;
            continue;
        }
        if (c->mesh.n_faces == 0) {
            p->missing[p->n_missing++] = c->name;
            continue;
        }
        weft_result r = make_mesh_collider(&p->sitters[p->n_sitters++], &c->mesh, i, error);
        if (r < 0)
            return r;
    }
    return WEFT_OK;
}

static weft_result make_parts(pictures *p, weft_error *error)
{
    int32_t n_cloths = weft_cache_get_info(p->cache).n_cloths;
    size_t n_colliders = p->scene ? (size_t)p->scene->n_colliders : 0, n = (size_t)n_cloths + n_colliders + 1;
    p->sitters = calloc(n, sizeof *p->sitters);
    p->meshes = calloc(n, sizeof *p->meshes);
    p->solids = calloc(n, sizeof *p->solids);
    p->solid_colliders = calloc(n, sizeof *p->solid_colliders);
    p->missing = calloc(n, sizeof *p->missing);
    if (!p->sitters || !p->meshes || !p->solids || !p->solid_colliders || !p->missing)
        return no_memory(error);
    for (int32_t i = 0; i < n_cloths; i++)
        p->sitters[p->n_sitters++] = (sitter){.cloth = i, .collider = -1};
    return make_colliders(p, error);
}

/* ---- a frame --------------------------------------------------------------------------------------------------- */

static void color_by_level(const pictures *p, sitter *s, picture_mesh *mesh)
{
    for (int32_t i = 0; i < s->n_triangles; i++)
        s->triangle_colors[i] =
            picture_sequential((s->topology->levels ? s->topology->levels[i] : 0) / (double)p->look.max_level);
    mesh->triangle_colors = s->triangle_colors;
}

static void set_cloth_look(const pictures *p, sitter *s, picture_mesh *mesh)
{
    assert(s->topology);
    mesh->front = (picture_color){0.80f, 0.26f, 0.22f};
    mesh->back = (picture_color){0.86f, 0.78f, 0.62f};
    if (p->scene && s->cloth < p->scene->n_cloths) {
        mesh->front = color_of(p->scene->cloths[s->cloth].front);
        mesh->back = color_of(p->scene->cloths[s->cloth].back);
    }
    mesh->lines = p->look.picture.wire ? s->lines : NULL;
    if (p->look.picture.coloring == WEFT_COLOR_LEVEL)
        color_by_level(p, s, mesh);
}

/* Colours of one mesh; `object` is what it is in the subject. */
static void color_by_blame(pictures *p, int32_t object, sitter *s, picture_mesh *mesh)
{
    const subject_object *o = &p->faults.subject.objects[object];
    for (int32_t i = 0; i < s->n_triangles && i < o->n_triangles; i++) {
        int blame = p->blame[o->first_triangle + i];
        s->triangle_colors[i] = blame || s->cloth >= 0 ? marks_color(blame) : mesh->front;
    }
    mesh->triangle_colors = s->triangle_colors;
}

/* Objects of the subject are all cloths, then all mesh colliders that could be read, drawn or not. */
static int32_t object_of(const pictures *p, const sitter *s)
{
    if (s->cloth >= 0)
        return s->cloth;
    int32_t object = p->faults.n_cloths;
    for (int32_t i = 0; i < s->collider; i++)
        object += p->scene->colliders[i].is_mesh && p->scene->colliders[i].mesh.n_faces > 0;
    return object;
}

/* Triangles of a cloth with a node that was left no room, and nothing else to blame for. */
static weft_result blame_squeezed(pictures *p, int32_t frame, const sitter *s, weft_error *error)
{
    const subject_object *o = &p->faults.subject.objects[s->cloth];
    uint8_t *squeezed = calloc((size_t)o->n_nodes + 1, 1);
    weft_result r = squeezed ? WEFT_OK : no_memory(error);
    r = r < 0 ? r : weft_cache_read_contacts(p->cache, frame, s->cloth, NULL, squeezed, o->n_nodes, error);
    for (int32_t i = 0; r >= 0 && i < 3 * o->n_triangles; i++) {
        uint8_t *blame = &p->blame[o->first_triangle + i / 3];
        if (*blame == 0 && squeezed[p->faults.subject.triangles[3 * o->first_triangle + i] - o->first_node])
            *blame = 3;
    }
    free(squeezed);
    return r;
}

static weft_result show_faults(pictures *p, int32_t frame, weft_error *error)
{
    double time;
    weft_audit_found found;
    weft_result r = p->faults.topologies ? WEFT_OK : run_subject_open(p->cache, p->scene, &p->faults, error);
    r = r < 0 ? r : run_subject_pose(&p->faults, frame, &time, error);
    r = r < 0 ? r : subject_judge(&p->faults.subject, time, p->look.n_threads, &found, error);
    if (r < 0)
        return r;
    free(p->blame);
    p->blame = calloc((size_t)p->faults.subject.n_triangles + 1, 1);
    if (!p->blame)
        return no_memory(error);
    marks_blame(&p->faults.subject, &found, p->blame);
    for (int32_t i = 0; r >= 0 && i < p->n_sitters; i++)
        r = p->sitters[i].cloth >= 0 ? blame_squeezed(p, frame, &p->sitters[i], error) : r;
    for (int32_t i = 0; i < p->n_sitters; i++)
        color_by_blame(p, object_of(p, &p->sitters[i]), &p->sitters[i], &p->meshes[i]);
    return r;
}

static weft_result show_numbers(pictures *p, int32_t frame, weft_error *error)
{
    weft_result r = WEFT_OK;
    for (int32_t i = 0; r >= 0 && i < p->n_sitters; i++) {
        sitter *s = &p->sitters[i];
        if (s->cloth < 0)
            continue;
        r = tint_cloth(p->tint, frame, s->cloth, s->topology, s->positions, s->colors, error);
        p->meshes[i].colors = s->colors;
    }
    return r;
}

static weft_result pose_cloth(pictures *p, sitter *s, int32_t frame, weft_error *error)
{
    const weft_topology *t;
    weft_result r = weft_cache_get_topology(p->cache, frame, s->cloth, &t, error);
    if (r < 0)
        return r;
    if (!fit_cloth(p, s, t))
        return no_memory(error);
    return weft_cache_read_positions(p->cache, frame, s->cloth, s->positions, s->n_nodes, error);
}

static void pose_solid(pictures *p, int32_t i, double time)
{
    const weft_scene_collider *c = &p->scene->colliders[p->solid_colliders[i]];
    picture_solid *s = &p->solids[i];
    *s = (picture_solid){.kind = c->def.kind, .radius = c->def.radius, .height = c->def.height, .size = c->def.size};
    s->color = color_of(c->color);
    weft_scene_collider_pose(p->scene, p->solid_colliders[i], time, &s->position, s->rotation);
}

static weft_result pose(pictures *p, int32_t frame, weft_error *error)
{
    double time;
    weft_result r = weft_cache_read_head(p->cache, frame, &time, NULL, NULL, error);
    for (int32_t i = 0; r >= 0 && i < p->n_sitters; i++) {
        sitter *s = &p->sitters[i];
        if (s->cloth >= 0)
            r = pose_cloth(p, s, frame, error);
        else
            r = weft_scene_collider_points(p->scene, s->collider, time, s->positions, s->n_nodes, error);
        picture_mesh mesh = {.positions = s->positions, .n_nodes = s->n_nodes, .n_triangles = s->n_triangles};
        mesh.triangles = s->cloth >= 0 && s->topology ? s->topology->triangles : s->triangles;
        mesh.is_solid = s->cloth < 0;
        if (r >= 0 && s->cloth >= 0)
            set_cloth_look(p, s, &mesh);
        else if (r >= 0)
            mesh.front = mesh.back = color_of(p->scene->colliders[s->collider].color);
        p->meshes[i] = mesh;
    }
    for (int32_t i = 0; r >= 0 && i < p->n_solids; i++)
        pose_solid(p, i, time);
    return r;
}

/* ---- camera and ground ----------------------------------------------------------------------------------------- */

/* The lowest point of a solid. */
static double solid_bottom(const picture_solid *s)
{
    const double *row = &s->rotation[3]; /* what y is made of */
    double y = s->position.y, upright = fabs(row[1]) * s->height / 2;
    switch (s->kind) {
    case WEFT_COLLIDER_SPHERE: return y - s->radius;
    case WEFT_COLLIDER_CAPSULE: return y - upright - s->radius;
    case WEFT_COLLIDER_CYLINDER: return y - upright - s->radius * sqrt(fmax(0, 1 - row[1] * row[1]));
    case WEFT_COLLIDER_BOX:
        return y - (fabs(row[0]) * s->size.x + fabs(row[1]) * s->size.y + fabs(row[2]) * s->size.z) / 2;
    case WEFT_COLLIDER_PLANE:
    case WEFT_COLLIDER_MESH: break;
    }
    return HUGE_VAL;
}

static double bottom_of(const pictures *p)
{
    double low = HUGE_VAL;
    for (int32_t i = 0; i < p->n_sitters; i++)
        for (int32_t j = 0; j < p->meshes[i].n_nodes; j++)
            low = fmin(low, p->meshes[i].positions[j].y);
    for (int32_t i = 0; i < p->n_solids; i++)
        low = fmin(low, solid_bottom(&p->solids[i]));
    return low;
}

/* The camera that sees what is posed now, as if it were all there is, turned as far as the frame wants it. */
static weft_result find_camera(const pictures *p, int32_t frame, picture_camera *out, weft_error *error)
{
    const weft_scene_picture *look = &p->look.picture;
    double angle = frame * p->look.turn * (3.14159265358979323846 / 180), c = cos(angle), s = sin(angle);
    weft_vec3 d = p->aim.direction;
    *out = p->aim;
    out->direction = (weft_vec3){c * d.x + s * d.z, d.y, c * d.z - s * d.x};
    picture_framing *framing = picture_framing_create(out, (double)look->width / look->height);
    if (!framing)
        return no_memory(error);
    weft_result r = told(picture_framing_add_scene(framing, &p->shown), error);
    *out = picture_framing_camera(framing);
    picture_framing_free(framing);
    return r;
}

static double distance_of(const picture_camera *c)
{
    double x = c->eye.x - c->target.x, y = c->eye.y - c->target.y, z = c->eye.z - c->target.z;
    return sqrt(x * x + y * y + z * z);
}

/* A camera that goes along stays as far away as the frame needs that needs most. */
static weft_result go_along(pictures *p, int32_t frame, weft_error *error)
{
    picture_camera c;
    weft_result r = find_camera(p, frame, &c, error);
    if (r < 0)
        return r;
    double stretch = distance_of(&c) > 0 ? p->reach / distance_of(&c) : 1;
    c.eye.x = c.target.x + stretch * (c.eye.x - c.target.x);
    c.eye.y = c.target.y + stretch * (c.eye.y - c.target.y);
    c.eye.z = c.target.z + stretch * (c.eye.z - c.target.z);
    p->shown.camera = c;
    return r;
}

/* Looks at frames spread over the run, the first and the last among them. */
static weft_result survey(pictures *p, picture_framing *framing, weft_error *error)
{
    int32_t n = weft_cache_get_info(p->cache).n_frames;
    int32_t n_seen = n < FRAMED_FRAMES ? n : FRAMED_FRAMES;
    double low = HUGE_VAL;
    for (int32_t i = 0; i < n_seen; i++) {
        int32_t frame = n_seen > 1 ? (int32_t)((int64_t)i * (n - 1) / (n_seen - 1)) : 0;
        weft_result r = pose(p, frame, error);
        if (r < 0)
            return r;
        p->shown.n_meshes = p->n_sitters;
        p->shown.n_solids = p->n_solids;
        r = told(picture_framing_add_scene(framing, &p->shown), error);
        picture_camera alone = {0};
        r = r < 0 || !p->look.follow ? r : find_camera(p, frame, &alone, error);
        if (r < 0)
            return r;
        low = fmin(low, bottom_of(p));
        p->reach = fmax(p->reach, distance_of(&alone));
    }
    /* The ground is at 0, or so low that nothing sinks into it. */
    p->shown.ground_height = low < 0 ? low - 1e-3 : 0;
    return WEFT_OK;
}

static weft_result set_stage(pictures *p, weft_error *error)
{
    const weft_scene_picture *look = &p->look.picture;
    p->shown = picture_scene_default();
    p->shown.meshes = p->meshes;
    p->shown.solids = p->solids;
    p->shown.has_ground = look->ground && !p->has_plane;
    p->shown.background = color_of(look->background);
    picture_camera *camera = &p->shown.camera;
    camera->given = look->has_camera;
    camera->eye = look->eye;
    camera->target = look->target;
    camera->direction = look->direction;
    camera->height_angle = look->view_angle;
    p->aim = *camera;
    picture_framing *framing = picture_framing_create(camera, (double)look->width / look->height);
    if (!framing)
        return no_memory(error);
    weft_result r = survey(p, framing, error);
    p->shown.camera = picture_framing_camera(framing);
    picture_framing_free(framing);
    return r;
}

weft_result pictures_open(weft_cache *cache, const weft_scene *scene, const pictures_look *look, pictures **out,
                          weft_error *error)
{
    *out = NULL;
    pictures *p = calloc(1, sizeof *p);
    if (!p)
        return no_memory(error);
    p->cache = cache;
    p->scene = scene;
    p->look = *look;
    p->tint = tint_open(cache, scene, &p->look);
    weft_result r = p->tint ? make_parts(p, error) : no_memory(error);
    r = r < 0 ? r : set_stage(p, error);
    if (r < 0)
        pictures_close(p);
    else
        *out = p;
    return r;
}

void pictures_close(pictures *p)
{
    if (!p)
        return;
    for (int32_t i = 0; i < p->n_sitters; i++)
        free_sitter(&p->sitters[i]);
    free(p->sitters);
    free(p->meshes);
    free(p->solids);
    free(p->solid_colliders);
    free(p->missing);
    run_subject_close(&p->faults);
    free(p->blame);
    tint_close(p->tint);
    free(p);
}

const char *pictures_missing(const pictures *p, int32_t i)
{
    return i < p->n_missing ? p->missing[i] : NULL;
}

/* ---- taking ---------------------------------------------------------------------------------------------------- */

static weft_result take(pictures *p, int32_t frame, const picture_size *size, picture_bytes *out, weft_error *error)
{
    weft_result r = pose(p, frame, error);
    if (r >= 0 && p->look.picture.coloring == WEFT_COLOR_INTERSECTIONS)
        r = show_faults(p, frame, error);
    if (r >= 0 && tint_is_by_node(p->tint))
        r = show_numbers(p, frame, error);
    r = r < 0 || !p->look.follow ? r : go_along(p, frame, error);
    if (r < 0)
        return r;
    picture_image image = {0};
    r = told(picture_render(&p->shown, size, &image), error);
    if (r < 0)
        return r;
    r = told(picture_develop(&image, out), error);
    picture_image_free(&image);
    return r;
}

static picture_size size_of(const pictures *p)
{
    const weft_scene_picture *look = &p->look.picture;
    return (picture_size){look->width, look->height, look->samples, p->look.n_threads};
}

weft_result pictures_take(pictures *p, int32_t frame, picture_bytes *out, weft_error *error)
{
    picture_size size = size_of(p);
    weft_result r = take(p, frame, &size, out, error);
    if (r >= 0)
        tint_legend(p->tint, out);
    return r;
}

weft_result pictures_take_sheet(pictures *p, int32_t from, int32_t to, picture_bytes *out, weft_error *error)
{
    int32_t n = to - from + 1 < SHEET_TILES ? to - from + 1 : SHEET_TILES;
    picture_bytes images[SHEET_TILES] = {{0}};
    picture_tile tiles[SHEET_TILES] = {{0}};
    char captions[SHEET_TILES][48];
    picture_size size = size_of(p);
    size.width = size.width > 3 * 48 ? size.width / 3 : size.width;
    size.height = size.height > 3 * 48 ? size.height / 3 : size.height;
    weft_result r = WEFT_OK;
    for (int32_t i = 0; i < n && r >= 0; i++) {
        int32_t frame = n > 1 ? from + (int32_t)((int64_t)i * (to - from) / (n - 1)) : to;
        double time = 0;
        r = take(p, frame, &size, &images[i], error);
        r = r < 0 ? r : weft_cache_read_head(p->cache, frame, &time, NULL, NULL, error);
        snprintf(captions[i], sizeof captions[i], "frame %d  %.2f s", frame, time);
        tiles[i] = (picture_tile){&images[i], captions[i]};
    }
    r = r < 0 ? r : told(picture_sheet(tiles, n, n < SHEET_COLUMNS ? n : SHEET_COLUMNS, out), error);
    for (int32_t i = 0; i < n; i++)
        picture_bytes_free(&images[i]);
    return r;
}

static weft_result write_png(picture_bytes *bytes, const char *path, weft_result r, weft_error *error)
{
    r = r < 0 ? r : told(picture_write_png(bytes, path), error);
    picture_bytes_free(bytes);
    return r;
}

weft_result pictures_write(pictures *p, int32_t frame, const char *path, weft_error *error)
{
    picture_bytes bytes = {0};
    weft_result r = pictures_take(p, frame, &bytes, error);
    return write_png(&bytes, path, r, error);
}

weft_result pictures_write_sheet(pictures *p, int32_t from, int32_t to, const char *path, weft_error *error)
{
    picture_bytes bytes = {0};
    weft_result r = pictures_take_sheet(p, from, to, &bytes, error);
    return write_png(&bytes, path, r, error);
}
