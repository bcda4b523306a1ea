/* SPDX-License-Identifier: MIT */
#include "pattern_try.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pattern_try(WEFT_PATTERN_OUTLINE, data, size);
    return 0;
}
