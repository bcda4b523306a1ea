/* SPDX-License-Identifier: MIT */
/* Codes and values by the line; blanks around them are left out, words are compared in any case. */
#include "io/pattern/dxf_scan.h"

#include "io/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

dxf_scan dxf_scan_begin(const char *name, const char *bytes, size_t size, weft_error *error)
{
    return (dxf_scan){.name = name, .at = bytes, .end = bytes + size, .line = -1, .error = error};
}

weft_result dxf_fault(const dxf_scan *s, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fault(s->error, WEFT_ERROR_FORMAT, "%s:%d: %s", s->name, s->line < 1 ? 1 : s->line, text);
}

static bool dxf_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* One line without its end and blanks around; false at the end of the text. */
static bool dxf_take_line(dxf_scan *s, const char **from, const char **to)
{
    if (s->at >= s->end)
        return false;
    const char *first = s->at, *last = s->at;
    while (last < s->end && *last != '\n')
        last++;
    s->at = last < s->end ? last + 1 : last;
    while (first < last && dxf_is_blank(*first))
        first++;
    while (last > first && dxf_is_blank(last[-1]))
        last--;
    *from = first;
    *to = last;
    return true;
}

static bool dxf_read_code(const char *from, const char *to, int32_t *out)
{
    int32_t code = 0;
    if (from == to || to - from > 5)
        return false;
    for (; from < to; from++) {
        if (*from < '0' || *from > '9')
            return false;
        code = 10 * code + (*from - '0');
    }
    *out = code;
    return true;
}

bool dxf_scan_next(dxf_scan *s, weft_result *result)
{
    const char *from, *to, *value, *end;
    *result = WEFT_OK;
    s->line = s->line < 0 ? 1 : s->line < INT32_MAX - 2 ? s->line + 2 : s->line;
    if (!dxf_take_line(s, &from, &to))
        return false;
    if (from == to && s->at >= s->end)
        return false;
    if (!dxf_read_code(from, to, &s->code)) {
        *result =
            dxf_fault(s, "found '%.*s', expected the number of a group", (int)(to - from > 40 ? 40 : to - from), from);
        return false;
    }
    if (!dxf_take_line(s, &value, &end)) {
        *result = dxf_fault(s, "the file ends behind the group code %d", s->code);
        return false;
    }
    s->value = value;
    s->length = (size_t)(end - value);
    return true;
}

static char dxf_lower_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool dxf_value_begins(const dxf_scan *s, const char *word)
{
    size_t n = strlen(word);
    if (s->length < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (dxf_lower_letter(s->value[i]) != dxf_lower_letter(word[i]))
            return false;
    return true;
}

bool dxf_value_is(const dxf_scan *s, const char *word)
{
    return s->length == strlen(word) && dxf_value_begins(s, word);
}

weft_result dxf_number(const dxf_scan *s, double *out)
{
    const char *end = s->value + s->length;
    if (s->length == 0 || decimal_read(s->value, end, out) != end || !isfinite(*out))
        return dxf_fault(s, "found '%.*s', expected a number", (int)(s->length > 40 ? 40 : s->length), s->value);
    return WEFT_OK;
}
