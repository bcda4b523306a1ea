/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "motion_try.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    motion_try(false, data, size);
    return 0;
}
