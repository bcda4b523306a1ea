/* SPDX-License-Identifier: MIT */
/* The player's frames in a report. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static void add_chunks(record *to, char *text)
{
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        page bytes = {0};
        page_add_bytes(&bytes, text, (size_t)(end - text));
        record_move(record_add(to, "clip_chunk"), "clip_bytes", &bytes);
    }
}

weft_result report_set_clip(record *to, clip *c, size_t budget, clip_summary *summary, weft_error *error)
{
    page head = {0}, chunks = {0};
    weft_result r = WEFT_OK;
    record_set_empty(to, "clip_head");
    record_set_list(to, "clip_chunk");
    *summary = (clip_summary){0};
    if (c && clip_n_frames(c) > 0) {
        if (clip_pack(c, budget, &head, &chunks, summary)) {
            record_move(to, "clip_head", &head);
            if (chunks.bytes)
                add_chunks(to, chunks.bytes);
        } else {
            r = WEFT_ERROR_MEMORY;
            *error = (weft_error){.code = r, .element = -1, .text = "out of memory for the frames of the report"};
        }
    }
    page_free(&head);
    page_free(&chunks);
    return r;
}
