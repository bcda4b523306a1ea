/* SPDX-License-Identifier: MIT */
/* Words and numbers of a text, line by line, and messages that say where. */
#ifndef WEFT_IO_MESH_MESH_SCAN_H
#define WEFT_IO_MESH_MESH_SCAN_H

#include "io/fault.h"

typedef struct mesh_scan {
    const char *name, *at, *end;
    int32_t line; /* of `at`, from 1; stops at INT32_MAX */
    bool is_obj;  /* '#' begins a comment, '\' before the end of a line joins it with the next */
    weft_error *error;
} mesh_scan;

mesh_scan mesh_scan_begin(const char *name, const char *bytes, size_t size, weft_error *error);

/* Skips blanks; true if the line, or the text, ends here. Lines end with LF, CR LF or CR. */
bool mesh_scan_line_ends(mesh_scan *s);
/* To the beginning of the next line, past all that is left of this one. */
void mesh_scan_next_line(mesh_scan *s);
/* Past blanks and empty lines; false at the end of the text. */
bool mesh_scan_skip_empty(mesh_scan *s);

/* The word here, in this line; its length, 0 if the line ends. */
size_t mesh_scan_peek(mesh_scan *s, const char **word);
/* Takes the word here if it is this one. */
bool mesh_scan_take(mesh_scan *s, const char *word);
bool mesh_scan_take_any_case(mesh_scan *s, const char *lower_case_word);

/* Takes a number; `what` says in the message what was expected. Finite, and the whole word. */
weft_result mesh_scan_number(mesh_scan *s, const char *what, double *out);

/* WEFT_ERROR_FORMAT, "name:line: found <the word here>, expected <what>". */
weft_result mesh_scan_expected(mesh_scan *s, const char *what);
/* "name:line: ". */
weft_result mesh_scan_fault(const mesh_scan *s, const char *format, ...);

#endif
