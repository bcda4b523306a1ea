/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include "report/template.h"

weft_result report_fill(const char *kind, record *from, page *html, weft_error *error)
{
    record_set(from, "kind", "%s", kind);
    record_set(from, "version", "%s", weft_version());
    return template_fill(embedded_files, "report.html", from, html, error);
}

void report_set_picture(record *to, const char *name, const page *png)
{
    page text = {0};
    if (png)
        page_add_base64(&text, png->bytes, png->n);
    record_move(to, name, &text);
}
