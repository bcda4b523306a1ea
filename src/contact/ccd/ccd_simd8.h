/* SPDX-License-Identifier: MIT */
/* Continuous collision detection of many pairs, eight at a time in floats, for those where floats suffice. Kernels
 * (math/kernel.h), with the same answers.
 *
 * Places are floats, moved and scaled by a power of two so that no coordinate exceeds 1. What is proven is proven for
 * the given doubles; the errors are bounded in ccd_simd8_kernel.c. */
#ifndef WEFT_CONTACT_CCD_CCD_SIMD8_H
#define WEFT_CONTACT_CCD_CCD_SIMD8_H

#include <weft/ccd.h>

enum { CCD_BLOCK = 512 };

typedef enum ccd_verdict { CCD_APART, CCD_MEET, CCD_OPEN } ccd_verdict;

/* Pairs as in weft_ccd_find_vertex_triangle or weft_ccd_find_edge_edge. */
typedef struct ccd_list {
    const weft_ccd_place *places;
    float thickness; /* rounded up, of the scaled places */
    float shortest;  /* span of time that is cut no more */
    const int32_t *primitives, *pairs;
    int64_t n;
} ccd_list;

/* Up to CCD_BLOCK pairs of a list that coordinates do not tell apart, with their nodes. */
typedef struct ccd_block {
    const ccd_list *list;
    int n;
    int64_t pair[CCD_BLOCK];
    int32_t node[CCD_BLOCK][4];
    uint8_t verdict[CCD_BLOCK]; /* CCD_OPEN: the kernel has to tell */
} ccd_block;

/* For vertices with triangles, and for edges. */
typedef struct ccd_simd8 {
    /* Fills a block with pairs of its list from `from` on. Where to go on. */
    int64_t (*sift[2])(ccd_block *b, int64_t from);
    /* Gives the pairs of a block their verdicts. */
    void (*judge[2])(ccd_block *b);
} ccd_simd8;

extern const ccd_simd8 ccd_simd8_plain, ccd_simd8_avx2;
const ccd_simd8 *ccd_simd8_best(void);

#endif
