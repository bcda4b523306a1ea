/* SPDX-License-Identifier: MIT */
/* A record: what a report has to tell, before it is a page. It has texts with names, and lists with names, whose items
 * are records again. C fills it in; a template (template.h) says where the texts stand on the page and how they look.
 *
 *     name: "ball"
 *     plot: [ title: "Energies", line: [ path: "M62 …" ] [ path: … ] ]
 *           [ title: "Nodes", … ]
 *
 * Names are literals: they are not copied. All functions take NULL for a record and then do nothing. Where memory is
 * lacking, `failed` is set in the record and those around it: it is enough to look at the outermost in the end. */
#ifndef TOOL_REPORT_RECORD_H
#define TOOL_REPORT_RECORD_H

#include "page.h"

typedef struct record record;

typedef struct record_field {
    const char *name;
    page text;      /* of a text */
    record **items; /* of a list */
    int32_t n_items;
    bool is_list;
} record_field;

struct record {
    record *around; /* that has this one in a list; NULL: none */
    record_field *fields;
    int32_t n_fields;
    bool failed;
};

/* NULL: out of memory. */
record *record_new(void);
/* With all records in its lists. */
void record_free(record *r);

/* Sets a text, as printf does; what it was before is forgotten. */
void record_set(record *r, const char *name, const char *format, ...) PAGE_FORMAT(3, 4);
/* Sets a text that has been made already; *text is empty afterwards. */
void record_move(record *r, const char *name, page *text);
/* A text that `if` in a template asks for: 1 or 0. */
void record_set_flag(record *r, const char *name, bool is_true);
/* Nothing to tell: an empty text, an empty list. A template may not name what was never set; so what may stay empty is
 * set to that first. */
void record_set_empty(record *r, const char *name);
void record_set_list(record *r, const char *name);

/* A new record at the end of a list. */
record *record_add(record *r, const char *list);

/* By its name, in this record or else in those around; NULL: there is none. */
const record_field *record_find(const record *r, const char *name, size_t n_name);
/* False for an empty text, the text "0" and an empty list. */
bool record_field_is_true(const record_field *f);

#endif
