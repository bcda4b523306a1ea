/* SPDX-License-Identifier: MIT */
/* Templates: HTML files with marks that the texts of a record (record.h) are put in for.
 *
 *   {{name}}                                 the text of that name, escaped for elements and quoted attributes
 *   <!-- each name --> … <!-- end -->        once for every item of the list; its names come before those around
 *   <!-- if name --> … <!-- end -->          only if the text is neither empty nor 0, or the list is not empty
 *   <!-- if name --> … <!-- else --> … <!-- end -->
 *   <!-- include file.html -->               another template, with the same names; {{name}} may stand in the file's
 *                                            name. A file that does not end with .html goes in as it is.
 *   <!-- anything else -->                   for the reader of the template; not in the page
 *
 * A comment that stands alone on its line takes the line with it. There is no way to put in a text unescaped: what is
 * markup belongs in a template.
 *
 * A template is wrong if a block has no end, if an end has no block, or if it names what is not there. The last is
 * found where texts are put in, also within an `if` whose content is left out, but not within an `each` of an empty
 * list. */
#ifndef TOOL_REPORT_TEMPLATE_H
#define TOOL_REPORT_TEMPLATE_H

#include "report/embedded.h"
#include "report/record.h"

#include <weft/base.h>

/* Adds the template of that name to *out. Of one that is wrong the error names file and line: "run.html:12: …". */
weft_result template_fill(const embedded_file *files, const char *name, const record *from, page *out,
                          weft_error *error);
/* The same without a record: finds wrong marks and blocks, and files to include that are not there. */
weft_result template_check(const embedded_file *files, const char *name, weft_error *error);

#endif
