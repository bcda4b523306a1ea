/* SPDX-License-Identifier: MIT */
/* What weft_atan2 and its twin for four at a time share. */
#ifndef WEFT_MATH_TRIG_TABLE_H
#define WEFT_MATH_TRIG_TABLE_H

/* A number as the sum of a double and a small correction. */
typedef struct sum2 {
    double high, low;
} sum2;

/* atan(i/8) from i = 2 on, and of 0 */
static const sum2 atan_eighths[9] = {
    [2] = {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57}, [3] = {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    [4] = {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56}, [5] = {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    [6] = {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56}, [7] = {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    [8] = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

#endif
