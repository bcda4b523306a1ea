/* SPDX-License-Identifier: MIT */
#include "page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(page *p, size_t more)
{
    if (p->failed || more >= PTRDIFF_MAX - p->n)
        return !(p->failed = true);
    if (p->n + more < p->capacity)
        return true;
    size_t wanted = p->n + more + 1;
    size_t grown = p->capacity + p->capacity / 2;
    grown = grown < wanted ? wanted : grown;
    char *bytes = realloc(p->bytes, grown);
    if (!bytes)
        return !(p->failed = true);
    p->bytes = bytes;
    p->capacity = grown;
    return true;
}

void page_add_bytes(page *p, const void *bytes, size_t n)
{
    if (!reserve(p, n))
        return;
    if (n > 0)
        memcpy(p->bytes + p->n, bytes, n);
    p->n += n;
    p->bytes[p->n] = '\0';
}

void page_add_list(page *p, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0)
        p->failed = true;
    else if (reserve(p, (size_t)n)) {
        vsnprintf(p->bytes + p->n, (size_t)n + 1, format, again);
        p->n += (size_t)n;
    }
    va_end(again);
}

void page_add(page *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    page_add_list(p, format, args);
    va_end(args);
}

void page_free(page *p)
{
    free(p->bytes);
    *p = (page){0};
}

const char *page_text(const page *p)
{
    return p->bytes ? p->bytes : "";
}

/* Length of the UTF-8 character that begins here, 0 if it is none. */
static int utf8_length(const unsigned char *s)
{
    int n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool too_long = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xED && s[1] >= 0xA0;
    bool too_big = s[0] == 0xF4 && s[1] >= 0x90;
    return too_long || surrogate || too_big ? 0 : n;
}

void page_add_json(page *p, const char *text)
{
    page_add_bytes(p, "\"", 1);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int n = utf8_length(s);
        if (n == 0)
            page_add(p, "\xEF\xBF\xBD");
        else if (*s == '"' || *s == '\\')
            page_add(p, "\\%c", *s);
        else if (*s == '\n')
            page_add(p, "\\n");
        else if (*s < 0x20 || *s == 0x7F)
            page_add(p, "\\u%04x", *s);
        else
            page_add_bytes(p, s, (size_t)n);
        s += n ? n : 1;
    }
    page_add_bytes(p, "\"", 1);
}

void page_add_number(page *p, double value)
{
    if (!isfinite(value)) {
        page_add(p, "null");
        return;
    }
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    page_add(p, "%s", text);
}

void page_add_html(page *p, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int n = utf8_length(s);
        switch (*s) {
        case '&': page_add(p, "&amp;"); break;
        case '<': page_add(p, "&lt;"); break;
        case '>': page_add(p, "&gt;"); break;
        case '"': page_add(p, "&quot;"); break;
        case '\'': page_add(p, "&#39;"); break;
        default:
            if (n == 0 || (*s < 0x20 && *s != '\n' && *s != '\t' && *s != '\r'))
                page_add(p, "\xEF\xBF\xBD");
            else
                page_add_bytes(p, s, (size_t)n);
        }
        s += n ? n : 1;
    }
}

void page_add_shell(page *p, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%^";
    if (*word && word[strspn(word, plain)] == '\0') {
        page_add(p, "%s", word);
        return;
    }
    page_add(p, "'");
    for (; *word; word++)
        page_add(p, *word == '\'' ? "'\\''" : "%c", *word);
    page_add(p, "'");
}

void page_add_base64(page *p, const void *bytes, size_t n)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = bytes;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t a = in[i], b = i + 1 < n ? in[i + 1] : 0, c = i + 2 < n ? in[i + 2] : 0;
        uint32_t bits = a << 16 | b << 8 | c;
        char four[4] = {letters[bits >> 18], letters[bits >> 12 & 63], i + 1 < n ? letters[bits >> 6 & 63] : '=',
                        i + 2 < n ? letters[bits & 63] : '='};
        page_add_bytes(p, four, 4);
    }
}
