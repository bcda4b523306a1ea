/* SPDX-License-Identifier: MIT */
/* A growing text: what files and lines of output are made in. After a failure `failed` is set and adding does nothing,
 * so it is enough to look once at the end. */
#ifndef TOOL_PAGE_H
#define TOOL_PAGE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PAGE_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define PAGE_FORMAT(text, first)
#endif

typedef struct page {
    char *bytes; /* NULL, or a text that ends with '\0' */
    size_t n, capacity;
    bool failed;
} page;

void page_add(page *p, const char *format, ...) PAGE_FORMAT(2, 3);
void page_add_list(page *p, const char *format, va_list args) PAGE_FORMAT(2, 0);
void page_add_bytes(page *p, const void *bytes, size_t n);
void page_free(page *p);
/* Never NULL. */
const char *page_text(const page *p);

/* A JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. */
void page_add_json(page *p, const char *text);
/* The shortest number that reads back as the same double; null if it is not finite. */
void page_add_number(page *p, double value);
/* Text for HTML or SVG, in elements and in quoted attributes. */
void page_add_html(page *p, const char *text);
/* One word of a command line, quoted if a shell would take it apart. */
void page_add_shell(page *p, const char *word);
void page_add_base64(page *p, const void *bytes, size_t n);

#endif
