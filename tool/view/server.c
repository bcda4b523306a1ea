/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* accept4, getrandom */
#include "view/server.h"

#include "interrupt.h"
#include "progress.h"
#include "view/http_request.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TICK_MS = 200 }; /* how often a run that goes on is looked at */

typedef struct connection {
    int socket;     /* -1: free */
    double since;   /* s: of the last byte that went or, before the request is complete, when it came */
    bool has_asked; /* the request is complete: out is sent, and then what the feed gives */
    char in[HTTP_MOST];
    size_t n_in;
    page out;
    size_t sent;
    feed *feed; /* NULL: nothing behind out */
    bool is_waiting;
} connection;

typedef struct serving {
    int socket;
    const char *token;
    const page *html;
    const feed_source *source;
    connection *all;
} serving;

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static weft_result trouble(weft_error *error, weft_result code, const char *what)
{
    *error = (weft_error){.code = code, .element = -1};
    snprintf(error->text, sizeof error->text, "%s: %s", what, strerror(errno));
    return code;
}

static weft_result make_token(view_server *s, weft_error *error)
{
    uint8_t bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return trouble(error, WEFT_ERROR_FILE, "no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(s->token + 2 * i, 3, "%02x", bytes[i]);
    return WEFT_OK;
}

static weft_result bind_to(view_server *s, int32_t port, weft_error *error)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t n = sizeof at;
    int yes = 1;
    /* Without this a port stays taken for a minute after its server has ended. */
    setsockopt(s->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(s->socket, (struct sockaddr *)&at, n) == 0 && listen(s->socket, 128) == 0 &&
        getsockname(s->socket, (struct sockaddr *)&at, &n) == 0) {
        s->port = ntohs(at.sin_port);
        return WEFT_OK;
    }
    char what[64];
    snprintf(what, sizeof what, "port %d", port);
    if (errno != EADDRINUSE)
        return trouble(error, WEFT_ERROR_FILE, what);
    *error = (weft_error){.code = WEFT_ERROR_EXISTS, .element = -1};
    snprintf(error->text, sizeof error->text,
             "port %d is in use: give another with --port, or none, and a free one is taken", port);
    return WEFT_ERROR_EXISTS;
}

weft_result view_server_open(int32_t port, view_server *out, weft_error *error)
{
    *out = (view_server){.socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    weft_result r = out->socket < 0 ? trouble(error, WEFT_ERROR_FILE, "no socket") : make_token(out, error);
    r = r < 0 ? r : bind_to(out, port, error);
    if (r < 0) {
        view_server_close(out);
        return r;
    }
    snprintf(out->url_text, sizeof out->url_text, "http://127.0.0.1:%d/%s/", out->port, out->token);
    out->url = out->url_text;
    return WEFT_OK;
}

void view_server_close(view_server *s)
{
    if (s->socket >= 0)
        close(s->socket);
    s->socket = -1;
}

/* ---- connections ------------------------------------------------------------------------------------------------- */

static void drop(connection *c)
{
    if (c->socket >= 0)
        close(c->socket);
    page_free(&c->out);
    feed_close(c->feed);
    c->socket = -1;
    c->feed = NULL;
}

/* A free place; if there is none, that of the oldest who has not asked; NULL: all are served. */
static connection *find_place(const serving *s)
{
    connection *oldest = NULL;
    for (int i = 0; i < VIEW_CONNECTIONS; i++) {
        connection *c = &s->all[i];
        if (c->socket < 0)
            return c;
        if (!c->has_asked && (!oldest || c->since < oldest->since))
            oldest = c;
    }
    if (oldest)
        drop(oldest);
    return oldest;
}

static void take_all(const serving *s)
{
    for (;;) {
        int socket = accept4(s->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0)
            return;
        connection *c = find_place(s);
        if (!c) {
            close(socket);
            continue;
        }
        c->socket = socket;
        c->since = progress_now();
        c->has_asked = c->is_waiting = false;
        c->n_in = c->sent = 0;
        c->out = (page){0};
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static const char common_fields[] = "Connection: close\r\n"
                                    "Cache-Control: no-store\r\n"
                                    "Referrer-Policy: no-referrer\r\n"
                                    "X-Content-Type-Options: nosniff\r\n"
                                    "X-Frame-Options: DENY\r\n"
                                    "Cross-Origin-Resource-Policy: same-origin\r\n"
                                    "Cross-Origin-Opener-Policy: same-origin\r\n";

static void answer_line(connection *c, const char *status)
{
    page_add(&c->out, "HTTP/1.1 %s\r\n%sContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s\n", status,
             common_fields, strlen(status) + 1, status);
}

static void answer_page(connection *c, const page *html, bool is_head)
{
    page_add(&c->out, "HTTP/1.1 200 OK\r\n%sContent-Type: text/html; charset=utf-8\r\nContent-Length: %zu\r\n\r\n",
             common_fields, html->n);
    if (!is_head)
        page_add_bytes(&c->out, html->bytes, html->n);
}

static int count_streams(const serving *s)
{
    int n = 0;
    for (int i = 0; i < VIEW_CONNECTIONS; i++)
        n += s->all[i].socket >= 0 && s->all[i].feed != NULL;
    return n;
}

static void answer_frames(const serving *s, connection *c, bool is_head)
{
    if (!is_head && count_streams(s) >= VIEW_STREAMS) {
        answer_line(c, "503 Too many pages are open");
        return;
    }
    c->feed = is_head ? NULL : feed_open(s->source);
    if (!is_head && !c->feed) {
        answer_line(c, "500 The frames cannot be read");
        return;
    }
    page_add(&c->out,
             "HTTP/1.1 200 OK\r\n%sContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
             common_fields);
}

static void answer(const serving *s, connection *c, const http_request *q)
{
    bool is_head = q->method.n == 4;
    switch (http_request_route(q, s->token)) {
    case HTTP_PAGE: answer_page(c, s->html, is_head); break;
    case HTTP_FRAMES: answer_frames(s, c, is_head); break;
    case HTTP_FORBIDDEN: answer_line(c, "403 Forbidden"); break;
    case HTTP_NOT_FOUND: answer_line(c, "404 Not Found"); break;
    case HTTP_NO_METHOD: answer_line(c, "405 Method Not Allowed"); break;
    }
}

/* ---- reading and writing ----------------------------------------------------------------------------------------- */

/* False: to be dropped. */
static bool receive(const serving *s, connection *c)
{
    char rest[256];
    bool has_room = !c->has_asked && c->n_in < sizeof c->in;
    ssize_t n =
        has_room ? recv(c->socket, c->in + c->n_in, sizeof c->in - c->n_in, 0) : recv(c->socket, rest, sizeof rest, 0);
    if (n == 0)
        return false; /* gone, or it has said all it will without asking */
    if (n < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (c->has_asked)
        return true; /* what else it has to say is of no matter */
    c->n_in += (size_t)n;
    http_request q;
    http_state state = http_request_parse(c->in, c->n_in, &q);
    if (state == HTTP_MORE)
        return true;
    c->has_asked = true;
    c->since = progress_now();
    if (state == HTTP_BAD)
        answer_line(c, "400 Bad Request");
    else
        answer(s, c, &q);
    return !c->out.failed;
}

/* A packet as a chunk. False: to be dropped. */
static bool refill(connection *c)
{
    page packet = {0};
    feed_state state = feed_next(c->feed, &packet);
    c->out.n = c->sent = 0;
    c->is_waiting = state == FEED_WAIT;
    if (packet.n > 0) {
        page_add(&c->out, "%zx\r\n", packet.n);
        page_add_bytes(&c->out, packet.bytes, packet.n);
        page_add(&c->out, "\r\n");
        c->since = progress_now();
    }
    page_free(&packet);
    if (state == FEED_END) {
        page_add(&c->out, "0\r\n\r\n");
        feed_close(c->feed);
        c->feed = NULL;
    }
    return state != FEED_LOST && !c->out.failed;
}

/* False: to be dropped, or it has got all. */
static bool send_more(connection *c)
{
    if (c->sent == c->out.n && c->feed && !refill(c))
        return false;
    while (c->sent < c->out.n) {
        ssize_t n = send(c->socket, c->out.bytes + c->sent, c->out.n - c->sent, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        c->sent += (size_t)n;
        c->since = progress_now();
    }
    if (c->feed)
        return true;
    shutdown(c->socket, SHUT_WR);
    return false;
}

static bool is_late(const connection *c, double now)
{
    bool has_nothing = c->has_asked && c->is_waiting && c->sent == c->out.n;
    return !has_nothing && now - c->since > (c->has_asked ? VIEW_STALL_SECONDS : VIEW_REQUEST_SECONDS);
}

/* What is asked of poll. One that waits for a run is written to at ticks. */
static short wanted_events(const connection *c)
{
    bool has_more = c->has_asked && !(c->is_waiting && c->sent == c->out.n);
    return (short)(POLLIN | (has_more ? POLLOUT : 0));
}

static void serve_one(const serving *s, connection *c, short events, bool is_tick, double now)
{
    bool fine = !(events & (POLLERR | POLLNVAL)) && !is_late(c, now);
    if (fine && events & (POLLIN | POLLHUP))
        fine = receive(s, c);
    if (fine && c->has_asked && (events & POLLOUT || !c->is_waiting || is_tick))
        fine = send_more(c);
    if (!fine)
        drop(c);
}

static bool wait_and_serve(const serving *s, double *tick)
{
    struct pollfd polled[VIEW_CONNECTIONS + 1] = {{.fd = s->socket, .events = POLLIN}};
    for (int i = 0; i < VIEW_CONNECTIONS; i++)
        polled[i + 1] = (struct pollfd){.fd = s->all[i].socket, .events = wanted_events(&s->all[i])};
    if (poll(polled, VIEW_CONNECTIONS + 1, TICK_MS) < 0)
        return errno == EINTR;
    double now = progress_now();
    bool is_tick = now - *tick >= 1e-3 * TICK_MS;
    if (is_tick)
        *tick = now;
    for (int i = 0; i < VIEW_CONNECTIONS; i++)
        if (s->all[i].socket >= 0 && polled[i + 1].fd == s->all[i].socket)
            serve_one(s, &s->all[i], polled[i + 1].revents, is_tick, now);
    if (polled[0].revents & POLLIN)
        take_all(s);
    return true;
}

weft_result view_server_run(view_server *v, const page *html, const feed_source *source, weft_error *error)
{
    serving s = {v->socket, v->token, html, source, calloc(VIEW_CONNECTIONS, sizeof *s.all)};
    if (!s.all) {
        *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for connections"};
        return WEFT_ERROR_MEMORY;
    }
    for (int i = 0; i < VIEW_CONNECTIONS; i++)
        s.all[i].socket = -1;
    bool fine = true;
    double tick = 0;
    while (fine && !interrupt_signal())
        fine = wait_and_serve(&s, &tick);
    weft_result r = fine ? WEFT_OK : trouble(error, WEFT_ERROR_FILE, "poll");
    for (int i = 0; i < VIEW_CONNECTIONS; i++)
        drop(&s.all[i]);
    free(s.all);
    return r;
}
