/* SPDX-License-Identifier: MIT */
/* The end of what lanes_avx2_begin.h begins. */
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
