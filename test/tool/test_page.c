/* SPDX-License-Identifier: MIT */
#include "page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void texts_are_escaped_for_html(void **state)
{
    (void)state;
    page p = {0};
    page_add_html(&p, "<b a=\"1\" c='2'>&\xC3\xA9\xFF\x01</b>");
    assert_string_equal(page_text(&p), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD"
                                       "&lt;/b&gt;");
    page_free(&p);
}

static void texts_are_escaped_for_json(void **state)
{
    (void)state;
    page p = {0};
    page_add_json(&p, "a\"\\\n\t\x7F\xC3\xA9\xC0\xAF\xED\xA0\x80");
    assert_string_equal(page_text(&p), "\"a\\\"\\\\\\n\\u0009\\u007f\xC3\xA9" /* é as it is */
                                       "\xEF\xBF\xBD\xEF\xBF\xBD"             /* an overlong form, byte by byte */
                                       "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" /* half a surrogate pair */);
    page_free(&p);
}

static void words_are_quoted_for_a_shell(void **state)
{
    (void)state;
    page p = {0};
    page_add_shell(&p, "out/ball-2");
    page_add(&p, " ");
    page_add_shell(&p, "my run's $HOME");
    page_add(&p, " ");
    page_add_shell(&p, "");
    assert_string_equal(page_text(&p), "out/ball-2 'my run'\\''s $HOME' ''");
    page_free(&p);
}

static void base64_is_that_of_rfc_4648(void **state)
{
    (void)state;
    const char *in[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
    const char *out[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (int i = 0; i < 7; i++) {
        page p = {0};
        page_add_base64(&p, in[i], strlen(in[i]));
        assert_string_equal(page_text(&p), out[i]);
        page_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped_for_html),
        cmocka_unit_test(texts_are_escaped_for_json),
        cmocka_unit_test(words_are_quoted_for_a_shell),
        cmocka_unit_test(base64_is_that_of_rfc_4648),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
