/* SPDX-License-Identifier: MIT */
/* From here to lanes_avx2_end.h functions are compiled for AVX2. To be included after all headers but those of lanes,
 * by gcc or clang for x86-64. */
#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "math/vec.h"

#define LANES_ARE_AVX2 1

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
