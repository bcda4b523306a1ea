/* SPDX-License-Identifier: MIT */
/* Frames that are computed again come out as they were only by the scene that made them. Two scenes are the same here
 * if they differ at most in how long the run is, how it is stored and how it is shown. */
#include "repair.h"

#include <stdlib.h>
#include <string.h>

/* The text without what makes no difference to the frames; NULL if it cannot be read. For weft_text_free. */
static char *essence(const char *text)
{
    const char *sets[] = {"output.frames=1", "output.restart_every=1", "output.compression=1", "output.contacts=false",
                          "picture={}"};
    enum { N_SETS = sizeof sets / sizeof *sets };
    weft_scene *scene = NULL;
    weft_error ignored;
    char *resolved = NULL;
    if (weft_scene_parse("scene", NULL, text, strlen(text), sets, N_SETS, &scene, &ignored) >= 0)
        weft_scene_resolve(scene, &resolved, &ignored);
    weft_scene_free(scene);
    return resolved;
}

static bool is_same_scene(const char *a, const char *b)
{
    char *essence_a = essence(a), *essence_b = essence(b);
    bool same = strcmp(a, b) == 0 || (essence_a && essence_b && strcmp(essence_a, essence_b) == 0);
    weft_text_free(essence_a);
    weft_text_free(essence_b);
    return same;
}

/* Who made the frames that are lost, as far as is known. */
typedef enum maker { MAKER_THIS, MAKER_OTHER, MAKER_UNKNOWN } maker;

static maker compare_scenes(const char *a, const char *b)
{
    return is_same_scene(a, b) ? MAKER_THIS : MAKER_OTHER;
}

/* By the scene that the folder has. */
static maker maker_by_folder(const session *s)
{
    weft_error ignored;
    page file = {0};
    maker m = MAKER_UNKNOWN;
    if (disk_read(s->folder->scene, &file, &ignored) >= 0)
        m = compare_scenes(page_text(&file), s->resolved);
    page_free(&file);
    return m;
}

/* Whether the frames from `first` on, and the last one in any case, were made by the scene of the session. Where its
 * text in the cache is damaged, that of the folder stands for it. */
static maker find_maker(const session *s, weft_cache *cache, int32_t first)
{
    weft_error ignored;
    maker m = MAKER_THIS;
    int32_t frame = weft_cache_get_info(cache).n_frames - 1;
    do {
        char *text = NULL;
        int32_t start = 0;
        if (weft_cache_read_scene(cache, frame, &start, &text, &ignored) >= 0)
            m = compare_scenes(text, s->resolved);
        else
            m = maker_by_folder(s);
        weft_text_free(text);
        frame = start - 1;
    } while (m == MAKER_THIS && frame >= first);
    return m;
}

static weft_result refuse_scene(const session *s, const char *what, maker m, int32_t kept, weft_error *error)
{
    char drop[80] = "";
    if (kept >= 0) /* else --from has nothing to go on from */
        snprintf(drop, sizeof drop, " drop all that it has made with --from %d,", kept);
    if (m == MAKER_OTHER)
        return session_fault(error, WEFT_ERROR_CHECKSUM,
                             "%.250s. What is lost was made by another scene than this one: give that one,%s or start "
                             "over with --force",
                             what, drop);
    return session_fault(
        error, WEFT_ERROR_CHECKSUM,
        "%.200s. Whether this scene made what is lost cannot be told, since %.100s cannot be read: put "
        "it back,%s or start over with --force",
        what, s->folder->scene, drop);
}

weft_result repair_allowed(session *s, weft_cache *cache, const weft_cache_damage *damage, int32_t from, int32_t kept,
                           weft_error *error)
{
    const char *what = damage->what.text, *folder = s->folder->path;
    if (from >= damage->n_frames)
        return session_fault(error, damage->what.code,
                             "%.300s. To go on from frame %d, repair the run first: weft run --resume -o %.60s", what,
                             from, folder);
    if (from >= 0 && kept >= 0) {
        progress_warn(s->progress, "%s; that is behind frame %d, and is dropped", what, from);
        return WEFT_OK;
    }
    maker m = cache ? find_maker(s, cache, kept + 1) : maker_by_folder(s);
    if (m != MAKER_THIS)
        return refuse_scene(s, what, m, kept, error);
    progress_warn(s->progress, "%s", what);
    s->had_frames = cache ? weft_cache_get_info(cache).n_frames : 0;
    return WEFT_OK;
}
