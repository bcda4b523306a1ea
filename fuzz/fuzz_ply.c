/* SPDX-License-Identifier: MIT */
#include "mesh_try.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh_try(WEFT_MESH_PLY, data, size);
    return 0;
}
