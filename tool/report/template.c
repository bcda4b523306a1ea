/* SPDX-License-Identifier: MIT */
/* A template is read from its beginning to its end while the page is written; there is no compiled form. A block is
 * walked by a function that calls itself for the blocks inside, and `each` walks the same text once for every item.
 * What is left out is walked too, without a page to write to: that finds the block's end, and names that are wrong.
 *
 * Invariants: 1. `out` is NULL while nothing is to be written, `from` is NULL while names cannot be looked up;
 * without from there is no out. 2. After a fault all walking ends, and the first fault is the one that is told. */
#include "report/template.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 8 }; /* includes within includes; more: a file that includes itself */

typedef enum mark_kind {
    MARK_TEXT,
    MARK_EACH,
    MARK_IF,
    MARK_ELSE,
    MARK_END,
    MARK_INCLUDE,
    MARK_COMMENT,
    MARK_NONE
} mark_kind;

/* A mark and the text before it. MARK_NONE: the rest of the file. */
typedef struct mark {
    mark_kind kind;
    const char *text, *place; /* the text begins at `text`; the mark stands at `place` */
    size_t n_text;
    const char *word; /* what it is about: a name, or a file */
    size_t n_word;
} mark;

typedef struct reader {
    const embedded_file *files, *file;
    const char *at;
    mark stop; /* what ended the walk that came to its end last */
    int depth;
    weft_result result;
    weft_error *error;
} reader;

static void walk(reader *r, const record *from, page *out);

/* ---- faults ------------------------------------------------------------------------------------------------------ */

static void fault(reader *r, const char *place, const char *what, const char *word, size_t n_word)
{
    int line = 1;
    for (const char *s = r->file->text; s < place; s++)
        line += *s == '\n';
    int n = n_word < 80 ? (int)n_word : 80;
    r->result = WEFT_ERROR_FORMAT;
    if (!r->error)
        return;
    *r->error = (weft_error){.code = WEFT_ERROR_FORMAT, .element = -1};
    snprintf(r->error->text, sizeof r->error->text, "%s:%d: %s '%.*s'", r->file->name, line, what, n, word);
}

static void fault_at(reader *r, const mark *m, const char *what)
{
    fault(r, m->place, what, m->word, m->n_word);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(const char **word, size_t *n)
{
    for (; *n > 0 && is_blank(**word); ++*word)
        --*n;
    while (*n > 0 && is_blank((*word)[*n - 1]))
        --*n;
}

/* Takes the first of two words if it is this one. */
static bool takes_keyword(mark *m, const char *keyword)
{
    size_t n = strlen(keyword);
    if (m->n_word < n || memcmp(m->word, keyword, n) != 0 || (m->n_word > n && !is_blank(m->word[n])))
        return false;
    m->word += n;
    m->n_word -= n;
    trim(&m->word, &m->n_word);
    return true;
}

static bool is_word(const mark *m, const char *word)
{
    return m->n_word == strlen(word) && memcmp(m->word, word, m->n_word) == 0;
}

static mark_kind kind_of_comment(mark *m)
{
    static const struct {
        const char *keyword;
        mark_kind kind;
    } kinds[] = {{"each", MARK_EACH}, {"if", MARK_IF}, {"include", MARK_INCLUDE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (takes_keyword(m, kinds[i].keyword))
            return kinds[i].kind;
    return is_word(m, "else") ? MARK_ELSE : is_word(m, "end") ? MARK_END : MARK_COMMENT;
}

/* A comment with nothing but blanks around it takes its whole line. */
static void take_line(reader *r, mark *m)
{
    const char *before = m->place, *after = r->at;
    while (before > m->text && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    while (*after == ' ' || *after == '\t' || *after == '\r')
        after++;
    bool begins = before == r->file->text || before[-1] == '\n';
    if (!begins || (*after != '\n' && *after != '\0'))
        return;
    m->n_text = (size_t)(before - m->text);
    r->at = *after ? after + 1 : after;
}

/* Reads up to the next mark. False: it does not end. */
static bool next_mark(reader *r, mark *m)
{
    const char *text = strstr(r->at, "{{"), *comment = strstr(r->at, "<!--");
    *m = (mark){.kind = MARK_NONE, .text = r->at, .n_text = strlen(r->at)};
    bool is_text = text && (!comment || text < comment);
    m->place = is_text ? text : comment;
    if (!m->place) {
        m->place = r->at += m->n_text;
        return true;
    }
    const char *opening = is_text ? "{{" : "<!--", *closing = is_text ? "}}" : "-->";
    m->n_text = (size_t)(m->place - m->text);
    m->word = m->place + strlen(opening);
    const char *end = strstr(m->word, closing);
    if (!end) {
        fault(r, m->place, "no end of", opening, strlen(opening));
        return false;
    }
    m->n_word = (size_t)(end - m->word);
    trim(&m->word, &m->n_word);
    r->at = end + strlen(closing);
    m->kind = is_text ? MARK_TEXT : kind_of_comment(m);
    if (!is_text)
        take_line(r, m);
    return true;
}

/* ---- what marks do ----------------------------------------------------------------------------------------------- */

/* Of a text or of a list. NULL: not to be looked up, or a fault. */
static const record_field *look_up(reader *r, const mark *m, const record *from, bool as_list)
{
    const record_field *found = from ? record_find(from, m->word, m->n_word) : NULL;
    if (m->n_word == 0 || memchr(m->word, ' ', m->n_word))
        fault_at(r, m, "a name is expected, not");
    else if (from && !found)
        fault_at(r, m, "there is nothing named");
    else if (found && m->kind != MARK_IF && found->is_list != as_list)
        fault_at(r, m, as_list ? "it is a text, not a list:" : "it is a list, not a text:");
    return r->result < 0 ? NULL : found;
}

static void put_text(reader *r, const mark *m, const record *from, page *out)
{
    const record_field *found = look_up(r, m, from, false);
    if (found && out)
        page_add_html(out, page_text(&found->text));
}

static void fault_of_stop(reader *r)
{
    const char *word = r->stop.kind == MARK_ELSE ? "else" : "end";
    fault(r, r->stop.place, "no block is open for this", word, strlen(word));
}

/* After the walk through a block that began with a mark. */
static void expect_end(reader *r, const mark *begin)
{
    if (r->result < 0 || r->stop.kind == MARK_END)
        return;
    if (r->stop.kind == MARK_ELSE)
        fault_of_stop(r);
    else
        fault_at(r, begin, begin->kind == MARK_IF ? "no end of the block: if" : "no end of the block: each");
}

static void put_each(reader *r, const mark *m, const record *from, page *out)
{
    const record_field *list = look_up(r, m, from, true);
    const char *body = r->at;
    if (!list || list->n_items == 0)
        walk(r, NULL, NULL);
    for (int32_t i = 0; list && i < list->n_items; i++) {
        r->at = body;
        walk(r, list->items[i], out);
    }
    expect_end(r, m);
}

static void put_if(reader *r, const mark *m, const record *from, page *out)
{
    const record_field *asked = look_up(r, m, from, false);
    bool yes = asked && record_field_is_true(asked);
    walk(r, from, yes ? out : NULL);
    if (r->stop.kind == MARK_ELSE)
        walk(r, from, yes ? NULL : out);
    expect_end(r, m);
}

/* The file that an include names, where {{name}} stands for a text. False: that cannot be known without a record. */
static bool add_file_name(reader *r, const mark *m, const record *from, page *name)
{
    const char *end = m->word + m->n_word, *opening = strstr(m->word, "{{");
    const char *closing = opening ? strstr(opening, "}}") : NULL;
    if (!closing || closing > end) {
        page_add_bytes(name, m->word, m->n_word);
        return true;
    }
    mark hole = {.kind = MARK_TEXT, .place = m->place, .word = opening + 2, .n_word = (size_t)(closing - opening - 2)};
    trim(&hole.word, &hole.n_word);
    const record_field *found = look_up(r, &hole, from, false);
    page_add_bytes(name, m->word, (size_t)(opening - m->word));
    page_add(name, "%s", found ? page_text(&found->text) : "");
    page_add_bytes(name, closing + 2, (size_t)(end - closing - 2));
    return found != NULL;
}

static const embedded_file *find_file(const embedded_file *files, const char *name)
{
    for (; files->name; files++)
        if (strcmp(files->name, name) == 0)
            return files;
    return NULL;
}

static bool is_template(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".html") == 0;
}

static void walk_file(reader *r, const record *from, page *out)
{
    walk(r, from, out);
    if (r->result >= 0 && r->stop.kind != MARK_NONE)
        fault_of_stop(r);
}

/* Without a record templates are not gone into: each is checked by itself. */
static void put_file(reader *r, const embedded_file *file, const record *from, page *out)
{
    reader inner = {.files = r->files, .file = file, .at = file->text, .depth = r->depth + 1, .error = r->error};
    if (is_template(file->name) && from)
        walk_file(&inner, from, out);
    else if (out)
        page_add_bytes(out, file->text, file->n);
    r->result = inner.result;
}

static void put_include(reader *r, const mark *m, const record *from, page *out)
{
    page name = {0};
    if (add_file_name(r, m, from, &name) && r->result >= 0) {
        const embedded_file *file = find_file(r->files, page_text(&name));
        if (!file)
            fault(r, m->place, "there is no file", page_text(&name), name.n);
        else if (r->depth >= DEEPEST)
            fault(r, m->place, "includes itself:", page_text(&name), name.n);
        else
            put_file(r, file, from, out);
    }
    page_free(&name);
}

static void put(reader *r, const mark *m, const record *from, page *out)
{
    switch (m->kind) {
    case MARK_TEXT: put_text(r, m, from, out); break;
    case MARK_EACH: put_each(r, m, from, out); break;
    case MARK_IF: put_if(r, m, from, out); break;
    case MARK_INCLUDE: put_include(r, m, from, out); break;
    default: break;
    }
}

/* Up to the end of the block or of the file, or to an else; r->stop tells which of these it was. */
static void walk(reader *r, const record *from, page *out)
{
    mark m = {.kind = MARK_NONE};
    while (r->result >= 0 && next_mark(r, &m)) {
        if (out)
            page_add_bytes(out, m.text, m.n_text);
        if (m.kind == MARK_ELSE || m.kind == MARK_END || m.kind == MARK_NONE)
            break;
        put(r, &m, from, out);
    }
    r->stop = m;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static weft_result read_file(const embedded_file *files, const char *name, const record *from, page *out,
                             weft_error *error)
{
    const embedded_file none = {.name = name, .text = ""}, *file = find_file(files, name);
    reader r = {.files = files, .file = file ? file : &none, .error = error};
    r.at = r.file->text;
    if (file)
        walk_file(&r, from, out);
    else
        fault(&r, r.at, "there is no file", name, strlen(name));
    return r.result;
}

weft_result template_check(const embedded_file *files, const char *name, weft_error *error)
{
    return read_file(files, name, NULL, NULL, error);
}

weft_result template_fill(const embedded_file *files, const char *name, const record *from, page *out,
                          weft_error *error)
{
    weft_result r = from && !from->failed ? read_file(files, name, from, out, error) : WEFT_ERROR_MEMORY;
    r = r >= 0 && out->failed ? WEFT_ERROR_MEMORY : r;
    if (r == WEFT_ERROR_MEMORY && error)
        *error = (weft_error){.code = r, .element = -1, .text = "out of memory"};
    return r;
}
