/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "run_folder.h"

#include "page.h"
#include "say.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

run_folder run_folder_name(const char *path)
{
    return (run_folder){
        .path = disk_copy(path),
        .cache = disk_join(path, "cache.weft"),
        .stats = disk_join(path, "stats.csv"),
        .scene = disk_join(path, "scene.yaml"),
        .preview = disk_join(path, "preview.png"),
        .sheet = disk_join(path, "contact-sheet.png"),
        .report = disk_join(path, "report.html"),
        .video = disk_join(path, "video.mp4"),
        .lock_path = disk_join(path, ".lock"),
        .lock = -1,
    };
}

void run_folder_free(run_folder *f)
{
    if (f->lock >= 0)
        disk_unlock(f->lock_path, f->lock);
    char *names[] = {f->path, f->cache, f->stats, f->scene, f->preview, f->sheet, f->report, f->video, f->lock_path};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        free(names[i]);
    *f = (run_folder){.lock = -1};
}

bool run_folder_has_run(const run_folder *f)
{
    return disk_exists(f->cache);
}

/* Whether a name is "FILE.part", or "FILE.NUMBER.part", of one of our files: the name it has while it is written. */
static bool is_part(const run_folder *f, const char *name)
{
    const char *names[] = {f->cache, f->stats, f->scene, f->preview, f->sheet, f->report, f->video};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *file = strrchr(names[i], '/') + 1;
        size_t n = strlen(file);
        if (strncmp(name, file, n) != 0)
            continue;
        size_t digits = name[n] == '.' ? strspn(name + n + 1, "0123456789") : 0;
        if (strcmp(name + n + (digits > 0 ? digits + 1 : 0), ".part") == 0)
            return true;
    }
    return false;
}

static void drop_parts(const run_folder *f)
{
    DIR *folder = opendir(f->path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char *path = is_part(f, entry->d_name) ? disk_join(f->path, entry->d_name) : NULL;
        if (path)
            remove(path);
        free(path);
    }
    if (folder)
        closedir(folder);
}

weft_result run_folder_lock(run_folder *f, weft_error *error)
{
    if (f->lock >= 0)
        return WEFT_OK;
    weft_result r = disk_make_folder(f->path, error);
    if (r < 0)
        return r;
    long holder = 0;
    f->lock = disk_lock(f->lock_path, &holder);
    if (f->lock >= 0) {
        drop_parts(f);
        return WEFT_OK;
    }
    if (holder == 0)
        return disk_fault(f->lock_path, error);
    *error = (weft_error){.code = WEFT_ERROR_EXISTS, .element = -1};
    snprintf(error->text, sizeof error->text, "%.300s: another weft (process %ld) is writing there", f->path, holder);
    return WEFT_ERROR_EXISTS;
}

/* Shorter than this a cache is only the beginning of its signature: a crash of the machine may leave that. */
enum { SIGNATURE_SIZE = 16 };

/* Bytes that a file has, SIGNATURE_SIZE if more, or if it cannot be read. */
static size_t count_first_bytes(const char *path)
{
    char bytes[SIGNATURE_SIZE];
    FILE *file = fopen(path, "rb");
    if (!file)
        return SIGNATURE_SIZE;
    size_t n = fread(bytes, 1, sizeof bytes, file);
    n = ferror(file) ? SIGNATURE_SIZE : n;
    fclose(file);
    return n;
}

weft_result run_folder_open_cache(const run_folder *f, weft_cache **out, weft_error *error)
{
    weft_result r = weft_cache_open(f->cache, out, error);
    if (r != WEFT_ERROR_FORMAT)
        return r;
    weft_error why = *error;
    size_t n = count_first_bytes(f->cache);
    *error = (weft_error){.code = n < SIGNATURE_SIZE ? WEFT_ERROR_CHECKSUM : r, .element = -1};
    if (n < SIGNATURE_SIZE)
        snprintf(error->text, sizeof error->text, "%.300s is damaged: it has only %u bytes", f->cache, (unsigned)n);
    else
        snprintf(error->text, sizeof error->text, "%.400s; start over with --force", why.text);
    return error->code;
}

void run_folder_drop_pictures(const run_folder *f)
{
    const char *names[] = {f->preview, f->sheet, f->report, f->video};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(names[i]);
}

weft_result run_folder_clear(const run_folder *f, weft_error *error)
{
    const char *names[] = {f->cache, f->stats, f->scene, f->preview, f->sheet, f->report, f->video};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (remove(names[i]) != 0 && errno != ENOENT)
            return disk_fault(names[i], error);
    return WEFT_OK;
}

/* ---- looking at a run -------------------------------------------------------------------------------------------- */

/* The folder that a path means: of a cache, the one it is in. */
static run_folder folder_of(const char *path)
{
    if (disk_is_folder(path))
        return run_folder_name(path);
    const char *slash = strrchr(path, '/');
    char *folder = disk_copy(slash ? path : ".");
    if (slash)
        folder[slash == path ? 1 : slash - path] = '\0';
    run_folder f = run_folder_name(folder);
    free(f.cache);
    f.cache = disk_copy(path);
    free(folder);
    return f;
}

static void load_scene(run_view *view)
{
    if (disk_exists(view->folder.scene) &&
        weft_scene_load(view->folder.scene, NULL, 0, &view->scene, &view->scene_trouble) >= 0)
        return;
    const char *text = weft_cache_get_info(view->cache).scene;
    weft_error ignored;
    if (!disk_exists(view->folder.scene))
        snprintf(view->scene_trouble.text, sizeof view->scene_trouble.text, "%.400s is missing", view->folder.scene);
    if (!text || weft_scene_parse("scene", NULL, text, strlen(text), NULL, 0, &view->scene, &ignored) < 0)
        view->scene = NULL;
}

weft_result run_view_open(const char *path, run_view *out, weft_error *error)
{
    *out = (run_view){.folder = folder_of(path)};
    if (!disk_exists(path) || !disk_exists(out->folder.cache)) {
        *error = (weft_error){.code = WEFT_ERROR_NOT_FOUND, .element = -1};
        bool folder = disk_exists(path);
        snprintf(error->text, sizeof error->text, "%.400s: %s", path,
                 folder ? "no run is there (no cache.weft)" : "there is no such file or folder");
        run_view_close(out);
        return WEFT_ERROR_NOT_FOUND;
    }
    weft_result r = weft_cache_open(out->folder.cache, &out->cache, error);
    if (r < 0)
        run_view_close(out);
    else
        load_scene(out);
    return r;
}

bool run_view_warn_torn(const run_view *view)
{
    weft_cache_info info = weft_cache_get_info(view->cache);
    if (!info.torn)
        return false;
    page cure = {0};
    char *own = disk_join(view->folder.path, "cache.weft"); /* and not a copy elsewhere, which nobody can go on with */
    if (own && disk_is_same(own, view->folder.cache)) {
        page_add(&cure, "; it is computed again by: weft run --resume -o ");
        page_add_shell(&cure, view->folder.path);
    }
    say_warning("%s is damaged: what came after frame %d is lost%s", view->folder.cache, info.n_frames - 1,
                page_text(&cure));
    free(own);
    page_free(&cure);
    return true;
}

void run_view_close(run_view *view)
{
    weft_scene_free(view->scene);
    weft_cache_free(view->cache);
    run_folder_free(&view->folder);
    *view = (run_view){.folder.lock = -1};
}
