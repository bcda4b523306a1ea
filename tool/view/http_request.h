/* SPDX-License-Identifier: MIT */
/* Requests of HTTP/1.1 as `weft view` takes them: a GET or HEAD with exactly one Host and no body. It is strict: what a
 * browser does not send is no request. */
#ifndef TOOL_VIEW_HTTP_REQUEST_H
#define TOOL_VIEW_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

/* A longer head is refused. Browsers send less than 1 KB to a page without cookies; localhost's cookies of other
 * programs may come with it. */
enum { HTTP_MOST = 16384 };

typedef struct http_text {
    const char *text; /* not ended by '\0' */
    size_t n;
} http_text;

typedef struct http_request {
    http_text method, target, host; /* parts of the bytes given */
    bool is_cross_site;             /* Sec-Fetch-Site says that another site asks */
} http_request;

typedef enum http_state {
    HTTP_MORE, /* the head is not complete yet */
    HTTP_WHOLE,
    HTTP_BAD
} http_state;

http_state http_request_parse(const char *bytes, size_t n, http_request *out);

/* What is answered. */
typedef enum http_route {
    HTTP_PAGE,      /* /TOKEN/ */
    HTTP_FRAMES,    /* /TOKEN/frames */
    HTTP_FORBIDDEN, /* another Host or token, or asked by another site's page */
    HTTP_NOT_FOUND,
    HTTP_NO_METHOD /* neither GET nor HEAD */
} http_route;

/* The Host must be this machine's own name, with any port (ssh -L may have another): a name that someone else's DNS
 * leads here is not let in. Token and host are looked at first, so that without them nothing can be learned. */
http_route http_request_route(const http_request *q, const char *token);

#endif
