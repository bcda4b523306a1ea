/* SPDX-License-Identifier: MIT */
/* The head of a clip: what is told in words and few numbers, as JSON. */
#include "player/clip_inside.h"

#include <string.h>

static void put_numbers(page *p, const double *v, int n)
{
    for (int i = 0; i < n; i++)
        page_add(p, "%s%.7g", i ? "," : "[", v[i]);
    page_add(p, "]");
}

static void put_color(page *p, const char *name, picture_color c)
{
    page_add(p, ",\"%s\":[%.3f,%.3f,%.3f]", name, (double)c.r, (double)c.g, (double)c.b);
}

void clip_put_pose(page *p, const picture_solid *s)
{
    double v[12] = {s->position.x, s->position.y, s->position.z};
    memcpy(v + 3, s->rotation, 9 * sizeof *v);
    put_numbers(p, v, 12);
}

static bool same_pose(const picture_solid *a, const picture_solid *b)
{
    return memcmp(&a->position, &b->position, sizeof a->position) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0;
}

/* A pose that stays is told once. */
static void put_solid(const clip *c, int32_t i, int32_t every, page *p)
{
    static const char *const kinds[] = {"plane", "sphere", "capsule", "cylinder", "box", "mesh"};
    const picture_solid *s = &c->solids[i];
    bool moves = false;
    for (int32_t k = 1; k < c->n_frames; k++)
        moves = moves || !same_pose(&c->frames[k].solids[i], &c->frames[0].solids[i]);
    const double size[3] = {s->size.x, s->size.y, s->size.z};
    page_add(p, "%s{\"name\":", i ? "," : "");
    page_add_json(p, c->solid_names[i]);
    page_add(p, ",\"kind\":\"%s\",\"radius\":%.7g,\"height\":%.7g,\"size\":", kinds[s->kind], s->radius, s->height);
    put_numbers(p, size, 3);
    put_color(p, "front", s->color);
    page_add(p, ",\"poses\":[");
    for (int32_t k = 0, n = 0; k < (moves || c->n_frames < 1 ? c->n_frames : 1); k++)
        if (k % every == 0 || k == c->n_frames - 1) {
            page_add(p, n++ ? "," : "");
            clip_put_pose(p, &c->frames[k].solids[i]);
        }
    page_add(p, "]}");
}

static void put_part(const clip *c, int32_t i, page *p)
{
    page_add(p, "%s{\"name\":", i ? "," : "");
    page_add_json(p, c->parts[i].name);
    page_add(p, ",\"collider\":%s", c->parts[i].is_collider ? "true" : "false");
    put_color(p, "front", c->parts[i].front);
    put_color(p, "back", c->parts[i].back);
    page_add(p, "}");
}

void clip_put_head(const clip *c, int32_t every, const double origin[3], const clip_summary *s, page *p)
{
    page_add(p, "{\"version\":1,\"title\":");
    page_add_json(p, c->title);
    page_add(p, ",\"fps\":%.7g,\"step\":%.17g,\"origin\":", c->fps, s->step);
    put_numbers(p, origin, 3);
    page_add(p, ",\"error\":%.4g,\"given\":%d,\"stretch\":%.4g,\"levels\":%d,\"ground\":", s->worst_error, s->n_given,
             c->stretch, c->max_level);
    page_add(p, c->has_ground ? "%.6g" : "null", c->ground);
    page_add(p, ",\"states\":[");
    for (int32_t i = 0; c->states && c->states[i]; i++) {
        page_add(p, i ? "," : "");
        page_add_json(p, c->states[i]);
    }
    page_add(p, "],\"notes\":[%s],\"frames\":[", page_text(&c->notes));
    for (int32_t i = 0, n = 0; i < c->n_frames; i++)
        if (i % every == 0 || i == c->n_frames - 1)
            page_add(p, "%s[%d,%.7g]", n++ ? "," : "", c->frames[i].number, c->frames[i].time);
    page_add(p, "],\"parts\":[");
    for (int32_t i = 0; i < c->n_parts; i++)
        put_part(c, i, p);
    page_add(p, "],\"solids\":[");
    for (int32_t i = 0; i < c->n_solids; i++)
        put_solid(c, i, every, p);
    page_add(p, "]}");
}
