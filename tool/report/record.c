/* SPDX-License-Identifier: MIT */
#include "report/record.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

record *record_new(void)
{
    return calloc(1, sizeof(record));
}

void record_free(record *r)
{
    for (int32_t i = 0; r && i < r->n_fields; i++) {
        record_field *f = &r->fields[i];
        for (int32_t k = 0; k < f->n_items; k++)
            record_free(f->items[k]);
        free(f->items);
        page_free(&f->text);
    }
    if (r)
        free(r->fields);
    free(r);
}

static void fail(record *r)
{
    for (; r; r = r->around)
        r->failed = true;
}

/* Room for one more element behind n, doubled at powers of two. NULL: out of memory. */
static void *grow(void *array, int32_t n, size_t size)
{
    bool is_full = (n & (n - 1)) == 0;
    return is_full ? realloc(array, (n > 0 ? 2 * (size_t)n : 1) * size) : array;
}

/* The field of this name; made if there is none yet. NULL: out of memory. */
static record_field *field_of(record *r, const char *name)
{
    for (int32_t i = 0; r && i < r->n_fields; i++)
        if (strcmp(r->fields[i].name, name) == 0)
            return &r->fields[i];
    record_field *fields = r ? grow(r->fields, r->n_fields, sizeof *fields) : NULL;
    if (!fields) {
        fail(r);
        return NULL;
    }
    r->fields = fields;
    fields[r->n_fields] = (record_field){.name = name};
    return &fields[r->n_fields++];
}

void record_move(record *r, const char *name, page *text)
{
    record_field *f = field_of(r, name);
    if (f && !text->failed) {
        page_free(&f->text);
        f->text = *text;
        *text = (page){0};
    } else
        fail(r);
    page_free(text);
}

void record_set(record *r, const char *name, const char *format, ...)
{
    page text = {0};
    va_list args;
    va_start(args, format);
    page_add_list(&text, format, args);
    va_end(args);
    record_move(r, name, &text);
}

void record_set_flag(record *r, const char *name, bool is_true)
{
    record_set(r, name, "%d", is_true);
}

void record_set_empty(record *r, const char *name)
{
    record_move(r, name, &(page){0});
}

void record_set_list(record *r, const char *name)
{
    record_field *f = field_of(r, name);
    if (f)
        f->is_list = true;
}

static bool append(record_field *f, record *item)
{
    record **items = item ? grow(f->items, f->n_items, sizeof *items) : NULL;
    if (!items)
        return false;
    f->items = items;
    items[f->n_items++] = item;
    return f->is_list = true;
}

record *record_add(record *r, const char *list)
{
    record_field *f = field_of(r, list);
    record *item = f ? record_new() : NULL;
    if (!f || !append(f, item)) {
        fail(r);
        free(item);
        return NULL;
    }
    item->around = r;
    return item;
}

const record_field *record_find(const record *r, const char *name, size_t n_name)
{
    for (; r; r = r->around)
        for (int32_t i = 0; i < r->n_fields; i++)
            if (strlen(r->fields[i].name) == n_name && memcmp(r->fields[i].name, name, n_name) == 0)
                return &r->fields[i];
    return NULL;
}

bool record_field_is_true(const record_field *f)
{
    return f->is_list ? f->n_items > 0 : f->text.n > 0 && strcmp(page_text(&f->text), "0") != 0;
}
