/* SPDX-License-Identifier: MIT */
/* The server of `weft view`: plain sockets on loopback, one thread. It gives a page and streams of frames to whoever
 * knows the token, and nothing else. A connection is for one request. Those that dawdle are dropped: a request has
 * VIEW_REQUEST_SECONDS, and a reader that takes nothing VIEW_STALL_SECONDS; when all places are taken, the oldest that
 * has not asked yet makes way. No more is held for a reader than one packet. */
#ifndef TOOL_VIEW_SERVER_H
#define TOOL_VIEW_SERVER_H

#include "view/feed.h"

enum { VIEW_CONNECTIONS = 64, VIEW_STREAMS = 8, VIEW_REQUEST_SECONDS = 10, VIEW_STALL_SECONDS = 60 };

typedef struct view_server {
    int socket;      /* that listens; -1: none */
    int32_t port;    /* that it got */
    char token[33];  /* 128 bits, random */
    const char *url; /* http://127.0.0.1:PORT/TOKEN/ */
    char url_text[80];
} view_server;

/* port 0: any that is free. WEFT_ERROR_EXISTS: the port is in use. */
weft_result view_server_open(int32_t port, view_server *out, weft_error *error);
/* Serves until a signal comes (interrupt.h). */
weft_result view_server_run(view_server *v, const page *html, const feed_source *source, weft_error *error);
void view_server_close(view_server *s);

#endif
