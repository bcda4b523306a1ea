/* SPDX-License-Identifier: MIT */
#include <weft/io/body.h>

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is read is finite; what is refused changes nothing. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_landmarks marks = {.neck_base = 1.5, .waist = {.y = 1}};
    weft_error error = {0};
    weft_result r = weft_landmarks_parse("input", data, size, &marks, &error);
    if (r < 0 && (error.text[0] == '\0' || marks.neck_base != 1.5 || marks.waist.y != 1))
        abort();
    if (!isfinite(marks.waist.y) || !isfinite(marks.shoulder[0].x + marks.wrist[1].z))
        abort();
    return 0;
}
