/* SPDX-License-Identifier: MIT */
#include "view/http_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char token[] = "0123456789abcdef";

static http_state parse(const char *text, http_request *q)
{
    return http_request_parse(text, strlen(text), q);
}

static http_route route(const char *target, const char *host)
{
    char text[512] = "GET ";
    strcat(strcat(strcat(strcat(strcat(text, target), " HTTP/1.1\r\nHost: "), host), "\r\n"), "\r\n");
    http_request q;
    assert_int_equal(parse(text, &q), HTTP_WHOLE);
    return http_request_route(&q, token);
}

static void a_request_is_whole_at_its_empty_line_and_not_before(void **state)
{
    (void)state;
    const char text[] = "GET /a HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
    http_request q;
    for (size_t n = 0; n < sizeof text - 1; n++)
        assert_int_equal(http_request_parse(text, n, &q), HTTP_MORE);
    assert_int_equal(parse(text, &q), HTTP_WHOLE);
    assert_int_equal(q.target.n, 2);
    assert_memory_equal(q.host.text, "localhost", 9);
    assert_int_equal(q.host.n, 9);
}

static void what_no_browser_sends_is_bad(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\r\n",
        "GET\r\n",
        "GET  / HTTP/1.1\r\n",
        "GET a HTTP/1.1\r\n",
        "GET http://localhost/ HTTP/1.1\r\n",
        "GET / HTTP/2.0\r\n",
        "GET / HTTP/1.1 \r\n",
        "G(T / HTTP/1.1\r\n",
        "GET /\x01 HTTP/1.1\r\n",
        "GET /\xC3\xA9 HTTP/1.1\r\n",
        "GET / HTTP/1.1\nHost: localhost\n\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n",
        "GET / HTTP/1.1\r\n folded\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n",
        "GET / HTTP/1.1\r\nHost: a\x01\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTRANSFER-ENCODING: chunked\r\n",
    };
    http_request q;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(parse(bad[i], &q), HTTP_BAD);
    assert_int_equal(http_request_parse("GET / H\0\r\n", 10, &q), HTTP_BAD);
}

static void an_endless_head_is_bad(void **state)
{
    (void)state;
    static char text[HTTP_MOST];
    http_request q;
    memset(text, 'a', sizeof text);
    assert_int_equal(http_request_parse(text, sizeof text - 1, &q), HTTP_MORE);
    assert_int_equal(http_request_parse(text, sizeof text, &q), HTTP_BAD);
}

static void only_the_token_under_an_own_name_opens(void **state)
{
    (void)state;
    static const char *const own[] = {"127.0.0.1", "127.0.0.1:80", "localhost:65535", "LOCALHOST", "[::1]:1", "[::1]"};
    static const char *const others[] = {
        "",     "example.com", "127.0.0.1.example.com", "127.0.0.1:", "localhost:123456", "localhost:8x", ":80", "::1",
        "[::1", "127.0.0.2"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_int_equal(route("/0123456789abcdef/", own[i]), HTTP_PAGE);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(route("/0123456789abcdef/", others[i]), HTTP_FORBIDDEN);
    static const char *const targets[] = {"/",
                                          "//0123456789abcdef/",
                                          "/0123456789abcdef",
                                          "/0123456789ABCDEF/",
                                          "/0123456789abcde/",
                                          "/0123456789abcdeff/",
                                          "/0123456789abcdeg/"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        assert_int_equal(route(targets[i], "localhost"), HTTP_FORBIDDEN);
}

static void there_is_a_page_and_frames_and_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(route("/0123456789abcdef/frames", "localhost"), HTTP_FRAMES);
    static const char *const none[] = {"frames/", "../", "frames?x", "%66rames", "//", "frames/../frames", "Frames"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        char target[64] = "/0123456789abcdef/";
        assert_int_equal(route(strcat(target, none[i]), "localhost"), HTTP_NOT_FOUND);
    }
    http_request q;
    assert_int_equal(parse("PUT /0123456789abcdef/ HTTP/1.1\r\nHost: localhost\r\n\r\n", &q), HTTP_WHOLE);
    assert_int_equal(http_request_route(&q, token), HTTP_NO_METHOD);
}

static void pages_of_other_sites_get_no_frames(void **state)
{
    (void)state;
    http_request q;
    assert_int_equal(parse("GET /0123456789abcdef/frames HTTP/1.1\r\nHost: localhost\r\n"
                           "Sec-Fetch-Site: cross-site\r\n\r\n",
                           &q),
                     HTTP_WHOLE);
    assert_int_equal(http_request_route(&q, token), HTTP_FORBIDDEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_whole_at_its_empty_line_and_not_before),
        cmocka_unit_test(what_no_browser_sends_is_bad),
        cmocka_unit_test(an_endless_head_is_bad),
        cmocka_unit_test(only_the_token_under_an_own_name_opens),
        cmocka_unit_test(there_is_a_page_and_frames_and_nothing_else),
        cmocka_unit_test(pages_of_other_sites_get_no_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
