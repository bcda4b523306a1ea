/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/export_kit.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FACES = 12, MAX_CORNERS = 4 * MAX_FACES };

typedef struct shape {
    weft_topology t;
    int32_t triangles[3 * 2 * MAX_FACES], start[MAX_FACES + 1], corners[MAX_CORNERS], corner_uv[MAX_CORNERS];
    weft_vec2 uv[MAX_CORNERS];
} shape;

static void cut_into_triangles(shape *s)
{
    for (int32_t face = 0; face < s->t.n_faces; face++)
        for (int32_t c = s->start[face] + 1; c + 1 < s->start[face + 1]; c++) {
            int32_t *ti = s->triangles + 3 * s->t.n_triangles++;
            ti[0] = s->corners[s->start[face]];
            ti[1] = s->corners[c];
            ti[2] = s->corners[c + 1];
        }
    s->t.triangles = s->triangles;
    s->t.face_start = s->start;
    s->t.corners = s->corners;
    s->t.uv = s->uv;
    s->t.corner_uv = s->corner_uv;
}

/* nx × ny nodes. */
static void make_grid(shape *s, int32_t nx, int32_t ny, uint32_t revision)
{
    *s = (shape){.t = {.cloth = KIT_SHEET, .revision = revision, .n_nodes = nx * ny, .n_uv = nx * ny}};
    for (int32_t vi = 0; vi < nx * ny; vi++)
        s->uv[vi] = (weft_vec2){(vi % nx) / (nx - 1.0), (double)(vi / nx) / (ny - 1.0)};
    for (int32_t row = 0; row + 1 < ny; row++)
        for (int32_t column = 0; column + 1 < nx; column++) {
            int32_t at = row * nx + column, *c = s->corners + 4 * s->t.n_faces;
            c[0] = at;
            c[1] = at + 1;
            c[2] = at + nx + 1;
            c[3] = at + nx;
            s->t.n_faces++;
            s->start[s->t.n_faces] = 4 * s->t.n_faces;
        }
    memcpy(s->corner_uv, s->corners, sizeof s->corners);
    cut_into_triangles(s);
}

static void make_patch(shape *s)
{
    static const int32_t start[4] = {0, 5, 9, 12}, corners[12] = {0, 1, 2, 3, 4, 0, 4, 5, 6, 4, 3, 5};
    *s = (shape){.t = {.cloth = KIT_PATCH, .revision = 1, .n_nodes = KIT_PATCH_NODES, .n_faces = 3, .n_uv = 12}};
    memcpy(s->start, start, sizeof start);
    memcpy(s->corners, corners, sizeof corners);
    for (int32_t c = 0; c < 12; c++) {
        s->corner_uv[c] = 11 - c;
        s->uv[c] = (weft_vec2){c / 11.0, sqrt(c / 13.0)};
    }
    cut_into_triangles(s);
}

static void shape_of(const export_kit *kit, int32_t frame, int32_t cloth, shape *s)
{
    if (cloth == KIT_PATCH)
        make_patch(s);
    else if (kit->changes && frame >= KIT_CHANGE)
        make_grid(s, 3, 3, 2);
    else
        make_grid(s, 5, 4, 1);
}

int32_t export_kit_nodes(const export_kit *kit, int32_t frame, int32_t cloth)
{
    shape s;
    shape_of(kit, frame, cloth, &s);
    return s.t.n_nodes;
}

weft_vec3 export_kit_point(int32_t frame, int32_t cloth, int32_t node)
{
    static const double patch[KIT_PATCH_NODES][2] = {{0, 0}, {1, 0}, {2, 1}, {1, 2}, {0, 1}, {-1, 1.5}, {-2, 0}};
    double wave = 0.1 * sin(0.7 * frame + 1.3 * node + cloth), t = 0.05 * frame;
    if (cloth == KIT_PATCH)
        return (weft_vec3){patch[node][0] / 3 + wave, 0.8 - t * t + wave / 7, 0 - patch[node][1] / 3};
    return (weft_vec3){0.1 * (node % 5), 1.0 / 3 - t * t, wave - 0.1 * (node / 5)};
}

const char *export_kit_path(export_kit *kit, const char *name)
{
    snprintf(kit->path, sizeof kit->path, "%s/%s", kit->folder, name);
    return kit->path;
}

weft_export_def export_kit_def(export_kit *kit, weft_export_format format, const char *name)
{
    weft_export_def d = weft_export_def_default();
    d.format = format;
    d.path = export_kit_path(kit, name);
    return d;
}

static void add_frame(export_kit *kit, weft_cache_writer *w, int32_t frame)
{
    weft_vec3 points[2][KIT_SHEET_NODES];
    double column = frame;
    const weft_vec3 *positions[2] = {points[0], points[1]};
    for (int32_t cloth = 0; cloth < 2; cloth++) {
        shape s;
        shape_of(kit, frame, cloth, &s);
        if (frame == 0 || (cloth == KIT_SHEET && kit->changes && frame == KIT_CHANGE))
            assert_int_equal(weft_cache_add_topology(w, &s.t, NULL), WEFT_OK);
        for (int32_t vi = 0; vi < s.t.n_nodes; vi++)
            points[cloth][vi] = export_kit_point(frame, cloth, vi);
    }
    weft_cache_frame f = {.time = frame / 30.0, .hash = (uint64_t)frame, .columns = &column, .positions = positions};
    assert_int_equal(weft_cache_add_frame(w, &f, NULL), WEFT_OK);
}

void export_kit_make(export_kit *kit, bool changes)
{
    static const char *const names[2] = {"sheet", "patch \"2\""};
    static const char *const columns[1] = {"frame"};
    const char *tmp = getenv("TMPDIR");
    weft_cache_def def = weft_cache_def_default();
    weft_cache_writer *w;
    weft_error e = {0};
    *kit = (export_kit){.changes = changes};
    snprintf(kit->folder, sizeof kit->folder, "%s/weft-export-XXXXXX", tmp && strlen(tmp) < 80 ? tmp : "/tmp");
    assert_non_null(mkdtemp(kit->folder));
    def.fps = 30;
    def.n_cloths = 2;
    def.cloth_names = names;
    def.n_columns = 1;
    def.column_names = columns;
    def.scene = "name: kit\n";
    if (weft_cache_create(export_kit_path(kit, "cache.weft"), &def, &w, &e) < 0)
        fail_msg("%s", e.text);
    for (int32_t frame = 0; frame < KIT_FRAMES; frame++)
        add_frame(kit, w, frame);
    assert_int_equal(weft_cache_close(w, NULL), WEFT_OK);
    if (weft_cache_open(kit->path, &kit->cache, &e) < 0)
        fail_msg("%s", e.text);
}

/* Counts the files in a folder, and removes them if asked to. */
static int walk(const char *folder, bool is_removing)
{
    char path[512];
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *file; d && (file = readdir(d));) {
        if (file->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%.255s", folder, file->d_name);
        n += strcmp(file->d_name, "cache.weft") != 0;
        if (is_removing)
            remove(path);
    }
    if (d)
        closedir(d);
    return n;
}

int export_kit_count_files(const export_kit *kit)
{
    return walk(kit->folder, false);
}

void export_kit_free(export_kit *kit)
{
    weft_cache_free(kit->cache);
    walk(kit->folder, true);
    rmdir(kit->folder);
}

/* ---- truth.json -------------------------------------------------------------------------------------------------- */

static void put_rows(FILE *f, const char *name, const int32_t *start, int32_t n, const int32_t *value)
{
    fprintf(f, ", \"%s\": [", name);
    for (int32_t face = 0; face < n; face++) {
        int32_t from = start ? start[face] : 3 * face, to = start ? start[face + 1] : 3 * face + 3;
        fputs(face ? ", [" : "[", f);
        for (int32_t c = from; c < to; c++)
            fprintf(f, "%s%d", c > from ? ", " : "", value[c]);
        fputs("]", f);
    }
    fputs("]", f);
}

static void put_cloth(const export_kit *kit, FILE *f, int32_t frame, int32_t cloth)
{
    shape s;
    shape_of(kit, frame, cloth, &s);
    fprintf(f, "%s{\"points\": [", cloth ? ",\n  " : "  ");
    for (int32_t vi = 0; vi < s.t.n_nodes; vi++) {
        weft_vec3 x = export_kit_point(frame, cloth, vi);
        fprintf(f, "%s[%.17g, %.17g, %.17g]", vi ? ", " : "", x.x, x.y, x.z);
    }
    fputs("], \"uv\": [", f);
    for (int32_t k = 0; k < s.t.n_uv; k++)
        fprintf(f, "%s[%.17g, %.17g]", k ? ", " : "", s.uv[k].u, s.uv[k].v);
    fputs("]", f);
    put_rows(f, "faces", s.start, s.t.n_faces, s.corners);
    put_rows(f, "faces_uv", s.start, s.t.n_faces, s.corner_uv);
    put_rows(f, "triangles", NULL, s.t.n_triangles, s.triangles);
    fputs("}", f);
}

void export_kit_write_truth(export_kit *kit)
{
    FILE *f = fopen(export_kit_path(kit, "truth.json"), "w");
    assert_non_null(f);
    fputs("{\"fps\": 30, \"names\": [\"sheet\", \"patch_2\"], \"frames\": [\n", f);
    for (int32_t frame = 0; frame < KIT_FRAMES; frame++) {
        fputs(frame ? ",\n [\n" : " [\n", f);
        for (int32_t cloth = 0; cloth < 2; cloth++)
            put_cloth(kit, f, frame, cloth);
        fputs("]", f);
    }
    fputs("]}\n", f);
    assert_int_equal(fclose(f), 0);
}
