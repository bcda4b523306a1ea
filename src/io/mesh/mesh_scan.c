/* SPDX-License-Identifier: MIT */
/* Words end at blanks and line ends. OBJ alone has comments, and lines that a backslash joins. */
#include "io/mesh/mesh_scan.h"

#include "io/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mesh_scan mesh_scan_begin(const char *name, const char *bytes, size_t size, weft_error *error)
{
    mesh_scan s = {.name = name, .at = bytes, .end = bytes + size, .line = 1, .error = error};
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        s.at += 3; /* a byte order mark, which some editors put in front */
    return s;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool mesh_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static void take_line_end(mesh_scan *s)
{
    s->at += s->at[0] == '\r' && s->end - s->at > 1 && s->at[1] == '\n' ? 2 : 1;
    s->line += s->line < INT32_MAX;
}

static bool is_joint(const mesh_scan *s)
{
    return s->is_obj && *s->at == '\\' && s->end - s->at > 1 && is_line_end(s->at[1]);
}

bool mesh_scan_line_ends(mesh_scan *s)
{
    while (s->at < s->end) {
        if (is_joint(s)) {
            s->at++;
            take_line_end(s);
        } else if (mesh_is_blank(*s->at)) {
            s->at++;
        } else {
            break;
        }
    }
    return s->at == s->end || is_line_end(*s->at) || (s->is_obj && *s->at == '#');
}

void mesh_scan_next_line(mesh_scan *s)
{
    bool in_comment = false;
    while (s->at < s->end && !is_line_end(*s->at)) {
        in_comment = in_comment || *s->at == '#';
        if (!in_comment && is_joint(s)) {
            s->at++;
            take_line_end(s);
        } else {
            s->at++;
        }
    }
    if (s->at < s->end)
        take_line_end(s);
}

bool mesh_scan_skip_empty(mesh_scan *s)
{
    while (mesh_scan_line_ends(s)) {
        if (s->at == s->end)
            return false;
        mesh_scan_next_line(s);
    }
    return true;
}

size_t mesh_scan_peek(mesh_scan *s, const char **word)
{
    *word = s->at;
    if (mesh_scan_line_ends(s))
        return 0;
    const char *p = s->at;
    *word = p;
    while (p < s->end && !is_line_end(*p) && !mesh_is_blank(*p))
        p++;
    /* A '\' that joins lines may stand right behind a word. */
    if (s->is_obj && p < s->end && is_line_end(*p) && p[-1] == '\\')
        p--;
    return (size_t)(p - *word);
}

static char mesh_lower_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool take_word(mesh_scan *s, const char *word, bool any_case)
{
    const char *here;
    size_t n = mesh_scan_peek(s, &here);
    for (size_t i = 0; i < n; i++) {
        if (word[i] == '\0' || (any_case ? mesh_lower_letter(here[i]) : here[i]) != word[i])
            return false;
    }
    if (word[n] != '\0')
        return false;
    s->at = here + n;
    return true;
}

bool mesh_scan_take(mesh_scan *s, const char *word)
{
    return take_word(s, word, false);
}

bool mesh_scan_take_any_case(mesh_scan *s, const char *lower_case_word)
{
    return take_word(s, lower_case_word, true);
}

weft_result mesh_scan_number(mesh_scan *s, const char *what, double *out)
{
    const char *word;
    size_t n = mesh_scan_peek(s, &word);
    const char *rest = decimal_read(word, word + n, out);
    if (n == 0 || rest != word + n || !isfinite(*out))
        return mesh_scan_expected(s, what);
    s->at = rest;
    return WEFT_OK;
}

/* The word in quotes, safe to print. */
static void quote_word(const char *word, size_t n, char out[40])
{
    size_t shown = n > 32 ? 29 : n;
    out[0] = '"';
    for (size_t i = 0; i < shown; i++)
        out[i + 1] = word[i] < ' ' || word[i] > '~' ? '?' : word[i];
    snprintf(out + 1 + shown, 40 - 1 - shown, "%s\"", shown < n ? "..." : "");
}

weft_result mesh_scan_expected(mesh_scan *s, const char *what)
{
    const char *word;
    size_t n = mesh_scan_peek(s, &word);
    char found[40];
    if (n > 0)
        quote_word(word, n, found);
    else
        snprintf(found, sizeof found, "the end of the %s", s->at == s->end ? "file" : "line");
    return mesh_scan_fault(s, "found %s, expected %s", found, what);
}

weft_result mesh_scan_fault(const mesh_scan *s, const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return fault(s->error, WEFT_ERROR_FORMAT, "%s:%d: %s", s->name, s->line, what);
}
