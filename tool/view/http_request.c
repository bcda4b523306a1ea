/* SPDX-License-Identifier: MIT */
#include "view/http_request.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* RFC 9110, 5.6.2 */
static bool is_token(http_text t)
{
    for (size_t i = 0; i < t.n; i++) {
        char c = t.text[i], lower = (char)(c | 32);
        if (!is_digit(c) && !(lower >= 'a' && lower <= 'z') && (c == '\0' || !strchr("!#$%&'*+-.^_`|~", c)))
            return false;
    }
    return t.n > 0;
}

/* Whether a text is this word, in any case; word is in small letters. */
static bool is_word(http_text t, const char *word)
{
    if (t.n != strlen(word))
        return false;
    for (size_t i = 0; i < t.n; i++) {
        char c = t.text[i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != word[i])
            return false;
    }
    return true;
}

static bool is_exactly(http_text t, const char *word)
{
    return t.n == strlen(word) && memcmp(t.text, word, t.n) == 0;
}

/* Visible ASCII; in values of fields also blanks, tabs and bytes above. */
static bool is_printable(http_text t, bool is_value)
{
    for (size_t i = 0; i < t.n; i++) {
        unsigned char c = (unsigned char)t.text[i];
        bool extra = c == ' ' || c == '\t' || c >= 128;
        if ((c <= 32 || c >= 127) && !(is_value && extra))
            return false;
    }
    return true;
}

static http_text trimmed(http_text t)
{
    while (t.n > 0 && (t.text[0] == ' ' || t.text[0] == '\t')) {
        t.text++;
        t.n--;
    }
    while (t.n > 0 && (t.text[t.n - 1] == ' ' || t.text[t.n - 1] == '\t'))
        t.n--;
    return t;
}

/* What stands before a letter; *rest: what stands behind it. Without that letter n is 0 and *rest as it was. */
static http_text before(http_text *rest, char letter)
{
    const char *at = rest->n > 0 ? memchr(rest->text, letter, rest->n) : NULL;
    if (!at)
        return (http_text){rest->text, 0};
    http_text first = {rest->text, (size_t)(at - rest->text)};
    *rest = (http_text){at + 1, rest->n - first.n - 1};
    return first;
}

static bool read_first_line(http_text line, http_request *out)
{
    out->method = before(&line, ' ');
    out->target = before(&line, ' ');
    return is_token(out->method) && out->target.n > 0 && out->target.text[0] == '/' &&
           is_printable(out->target, false) && (is_exactly(line, "HTTP/1.1") || is_exactly(line, "HTTP/1.0"));
}

static bool read_field(http_text line, http_request *out)
{
    http_text value = line, name = before(&value, ':');
    if (!is_token(name) || !is_printable(value, true))
        return false;
    value = trimmed(value);
    if (is_word(name, "host")) {
        if (out->host.text)
            return false;
        out->host = value;
    } else if (is_word(name, "transfer-encoding") || (is_word(name, "content-length") && !is_exactly(value, "0")))
        return false; /* it has a body */
    else if (is_word(name, "sec-fetch-site"))
        out->is_cross_site = is_word(value, "cross-site") || is_word(value, "same-site");
    return true;
}

http_state http_request_parse(const char *bytes, size_t n, http_request *out)
{
    *out = (http_request){0};
    http_text rest = {bytes, n < HTTP_MOST ? n : HTTP_MOST};
    for (int i = 0;; i++) {
        http_text all = rest, line = before(&rest, '\n');
        if (rest.text == all.text)
            return n >= HTTP_MOST ? HTTP_BAD : HTTP_MORE;
        if (line.n == 0 || line.text[line.n - 1] != '\r')
            return HTTP_BAD;
        line.n--;
        if (i > 0 && line.n == 0)
            return out->host.text ? HTTP_WHOLE : HTTP_BAD;
        if (!(i == 0 ? read_first_line(line, out) : read_field(line, out)))
            return HTTP_BAD;
    }
}

/* "127.0.0.1:8080" */
static bool is_own_host(http_text host)
{
    size_t i = host.n;
    while (i > 0 && is_digit(host.text[i - 1]))
        i--;
    http_text name = host;
    if (i > 0 && i < host.n && host.n - i <= 5 && host.text[i - 1] == ':')
        name.n = i - 1;
    return is_word(name, "127.0.0.1") || is_word(name, "localhost") || is_word(name, "[::1]");
}

/* In a time that does not tell how much of it is right. */
static bool is_secret(http_text t, const char *token)
{
    size_t n = strlen(token);
    unsigned differ = 0;
    for (size_t i = 0; t.n == n && i < n; i++)
        differ |= (unsigned)(t.text[i] ^ token[i]);
    return t.n == n && differ == 0;
}

http_route http_request_route(const http_request *q, const char *token)
{
    http_text rest = {q->target.text + 1, q->target.n - 1}, secret = before(&rest, '/');
    bool opens = is_exactly(rest, ""); /* a link in a mail or another page may open it, if it has the token */
    if (!is_own_host(q->host) || !is_secret(secret, token) || (q->is_cross_site && !opens))
        return HTTP_FORBIDDEN;
    if (!is_exactly(q->method, "GET") && !is_exactly(q->method, "HEAD"))
        return HTTP_NO_METHOD;
    return opens ? HTTP_PAGE : is_exactly(rest, "frames") ? HTTP_FRAMES : HTTP_NOT_FOUND;
}
