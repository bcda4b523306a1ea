/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include "report/template.h"

#include <stdlib.h>
#include <string.h>

weft_result report_fill(const char *kind, record *from, page *html, weft_error *error)
{
    if (!record_find(from, "clip_stream", strlen("clip_stream")))
        record_set_empty(from, "clip_stream"); /* the page may not ask for anything */
    record_set(from, "kind", "%s", kind);
    record_set(from, "version", "%s", weft_version());
    return template_fill(embedded_files, "report.html", from, html, error);
}

void report_set_picture(record *to, const char *name, const page *png)
{
    page text = {0};
    uint8_t *jpeg = NULL;
    size_t n = 0;
    if (png && png->n > 0 && !picture_jpeg_of_png(png->bytes, png->n, &jpeg, &n))
        page_add_base64(&text, jpeg, n);
    free(jpeg);
    record_move(to, name, &text);
}
