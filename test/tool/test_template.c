/* SPDX-License-Identifier: MIT */
#include "report/template.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A small report: name "a & b", none "", zero "0", two seams with a gap each, no tears. */
static record *example(void)
{
    record *r = record_new();
    record_set(r, "name", "%s", "a & b");
    record_set(r, "none", "%s", "");
    record_set_flag(r, "zero", false);
    record_set(r, "kind", "sew");
    record_set_list(r, "tear");
    for (int i = 1; i <= 2; i++) {
        record *seam = record_add(r, "seam");
        record_set(seam, "gap", "%d", i);
        record_set(record_add(seam, "part"), "edge", "e%d", i);
    }
    return r;
}

static const char *const others[][2] = {{"sew.html", "<b>{{name}}</b>\n"}, {"raw.css", "a{{color:red}}"}};

/* Fills a template with the example; the page, or the error's text. */
static void fill(const char *template, char out[600], weft_result expected)
{
    const embedded_file files[] = {{"t.html", template, strlen(template)},
                                   {others[0][0], others[0][1], strlen(others[0][1])},
                                   {others[1][0], others[1][1], strlen(others[1][1])},
                                   {0}};
    record *r = example();
    page p = {0};
    weft_error error = {0};
    assert_int_equal(template_fill(files, "t.html", r, &p, &error), expected);
    snprintf(out, 600, "%s", expected < 0 ? error.text : page_text(&p));
    page_free(&p);
    record_free(r);
}

static void assert_page(const char *template, const char *expected)
{
    char out[600];
    fill(template, out, WEFT_OK);
    assert_string_equal(out, expected);
}

static void assert_wrong(const char *template, const char *expected)
{
    char out[600];
    fill(template, out, WEFT_ERROR_FORMAT);
    assert_string_equal(out, expected);
}

static void texts_are_put_in_escaped(void **state)
{
    (void)state;
    assert_page("<p title=\"{{name}}\">{{ name }}{{none}}</p>", "<p title=\"a &amp; b\">a &amp; b</p>");
}

static void blocks_repeat_for_every_item_of_a_list(void **state)
{
    (void)state;
    assert_page("<!-- each seam -->{{gap}} of {{name}}, <!-- end -->.", "1 of a &amp; b, 2 of a &amp; b, .");
    assert_page("<!-- each seam -->[<!-- each part -->{{edge}}{{gap}}<!-- end -->]<!-- end -->", "[e11][e22]");
    assert_page("<!-- each tear -->never {{unknown}}<!-- end -->.", ".");
}

static void blocks_are_left_out_where_there_is_nothing(void **state)
{
    (void)state;
    assert_page("<!-- if name -->a<!-- end --><!-- if none -->b<!-- end --><!-- if zero -->c<!-- end -->", "a");
    assert_page("<!-- if seam -->a<!-- end --><!-- if tear -->b<!-- end -->", "a");
    assert_page("<!-- if name -->a<!-- else -->b<!-- end -->", "a");
    assert_page("<!-- if none -->a<!-- if name -->c<!-- end --><!-- else -->b<!-- end -->", "b");
    assert_page("<!-- if none --><!-- each seam -->{{gap}}<!-- end --><!-- end -->.", ".");
}

static void other_files_are_included(void **state)
{
    (void)state;
    assert_page("<!-- include sew.html -->\n<!-- include {{kind}}.html -->|<!-- include raw.css -->",
                "<b>a &amp; b</b>\n<b>a &amp; b</b>\n|a{{color:red}}");
}

static void a_comment_alone_on_its_line_takes_the_line(void **state)
{
    (void)state;
    assert_page(
        "<!-- end of the head -->\n<ul>\n  <!-- each seam -->\n  <li>{{gap}}\n  <!-- end --> \n</ul> <!-- so -->\n",
        "<ul>\n  <li>1\n  <li>2\n</ul> \n");
}

static void names_that_are_not_there_are_found(void **state)
{
    (void)state;
    assert_wrong("\n\n{{nmae}}", "t.html:3: there is nothing named 'nmae'");
    assert_wrong("<!-- if none -->\n{{gap}}<!-- end -->", "t.html:2: there is nothing named 'gap'");
    assert_wrong("<!-- each seam -->\n{{gpa}}\n<!-- end -->", "t.html:2: there is nothing named 'gpa'");
    assert_wrong("\n<!-- each seems -->\n<!-- end -->", "t.html:2: there is nothing named 'seems'");
    assert_wrong("<!-- if seems -->\n<!-- end -->", "t.html:1: there is nothing named 'seems'");
    assert_wrong("<!-- each name --><!-- end -->", "t.html:1: it is a text, not a list: 'name'");
    assert_wrong("{{seam}}", "t.html:1: it is a list, not a text: 'seam'");
    assert_wrong("<!-- each -->\n<!-- end -->", "t.html:1: a name is expected, not ''");
    assert_wrong("{{a name}}", "t.html:1: a name is expected, not 'a name'");
    assert_wrong("\n<!-- include {{kind}}.css -->", "t.html:2: there is no file 'sew.css'");
    assert_wrong("\n<!-- include {{knid}}.css -->", "t.html:2: there is nothing named 'knid'");
    assert_wrong("<!-- include t.html -->", "t.html:1: includes itself: 't.html'");
}

static void blocks_that_do_not_close_are_found(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"\n<!-- if name -->\n", "t.html:2: no end of the block: if 'name'"},
        {"\n<!-- each seam -->\n<!-- if gap -->\n<!-- end -->", "t.html:2: no end of the block: each 'seam'"},
        {"a\n<!-- end -->", "t.html:2: no block is open for this 'end'"},
        {"a\n<!-- else -->", "t.html:2: no block is open for this 'else'"},
        {"<!-- each seam -->\n<!-- else --><!-- end -->", "t.html:2: no block is open for this 'else'"},
        {"<!-- if name --><!-- else -->\n<!-- else --><!-- end -->", "t.html:2: no block is open for this 'else'"},
        {"\na {{name", "t.html:2: no end of '{{'"},
        {"\na <!-- end", "t.html:2: no end of '<!--'"},
        {"<!-- each tear -->\n<!-- if x -->", "t.html:2: no end of the block: if 'x'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_wrong(wrong[i][0], wrong[i][1]);
        const embedded_file files[] = {{"t.html", wrong[i][0], strlen(wrong[i][0])}, {0}};
        weft_error error = {0};
        assert_int_equal(template_check(files, "t.html", &error), WEFT_ERROR_FORMAT);
        assert_string_equal(error.text, wrong[i][1]);
    }
}

static void a_template_can_be_checked_without_values(void **state)
{
    (void)state;
    const char *good = "{{x}}<!-- each y -->{{z}}<!-- if w -->a<!-- else -->b<!-- end --><!-- end -->"
                       "<!-- include {{kind}}.html -->";
    const embedded_file files[] = {{"t.html", good, strlen(good)}, {0}};
    assert_int_equal(template_check(files, "t.html", NULL), WEFT_OK);
    assert_int_equal(template_check(files, "u.html", NULL), WEFT_ERROR_FORMAT);
}

/* One that names a file and a line is of use only if the file is as its author wrote it. */
static void embedded_files_are_the_files(void **state)
{
    (void)state;
    int n = 0;
    for (const embedded_file *f = embedded_files; f->name; f++, n++) {
        char path[600];
        if (strcmp(f->name, "player.js") == 0) /* put together of modules */
            continue;
        const char *folder = strcmp(f->name, "player.css") == 0 ? "web" : "tool/report";
        snprintf(path, sizeof path, "%s/%s/%s", getenv("WEFT_ROOT"), folder, f->name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        char *bytes = malloc(f->n + 1);
        assert_int_equal(fread(bytes, 1, f->n + 1, file), f->n);
        assert_memory_equal(bytes, f->text, f->n);
        assert_int_equal(f->text[f->n], '\0');
        free(bytes);
        fclose(file);
    }
    assert_true(n > 0);
}

static void marks_and_blocks_of_all_reports_are_right(void **state)
{
    (void)state;
    for (const embedded_file *f = embedded_files; f->name; f++) {
        weft_error error = {0};
        const char *ending = strrchr(f->name, '.');
        if (strcmp(ending, ".html") == 0 && template_check(embedded_files, f->name, &error) < 0)
            fail_msg("%s", error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_put_in_escaped),
        cmocka_unit_test(blocks_repeat_for_every_item_of_a_list),
        cmocka_unit_test(blocks_are_left_out_where_there_is_nothing),
        cmocka_unit_test(other_files_are_included),
        cmocka_unit_test(a_comment_alone_on_its_line_takes_the_line),
        cmocka_unit_test(names_that_are_not_there_are_found),
        cmocka_unit_test(blocks_that_do_not_close_are_found),
        cmocka_unit_test(a_template_can_be_checked_without_values),
        cmocka_unit_test(embedded_files_are_the_files),
        cmocka_unit_test(marks_and_blocks_of_all_reports_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
