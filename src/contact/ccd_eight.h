/* SPDX-License-Identifier: MIT */
/* Continuous collision detection of many pairs, eight at a time in floats, for those where floats suffice. Compiled
 * plain and for AVX2 (math/lanes8.h), with the same answers.
 *
 * Places are floats, moved and scaled by a power of two so that no coordinate exceeds 1. What is proven is proven for
 * the given doubles; the errors are bounded in ccd_eight_kernel.h. */
#ifndef WEFT_CONTACT_CCD_EIGHT_H
#define WEFT_CONTACT_CCD_EIGHT_H

#include <weft/ccd.h>

enum { CCD_BLOCK = 512 };

typedef enum ccd_verdict { CCD_APART, CCD_MEET, CCD_OPEN } ccd_verdict;

/* Up to CCD_BLOCK pairs by their nodes, as in weft_ccd_vertex_triangle or weft_ccd_edge_edge. */
typedef struct ccd_block {
    const weft_ccd_place *places;
    float thickness; /* rounded up, of the scaled places */
    int n;
    int32_t node[CCD_BLOCK][4];
    uint8_t verdict[CCD_BLOCK]; /* CCD_OPEN: the kernel has to tell */
} ccd_block;

typedef struct ccd_eight {
    void (*triangles)(ccd_block *b);
    void (*edges)(ccd_block *b);
} ccd_eight;

extern const ccd_eight ccd_eight_plain;
extern const ccd_eight ccd_eight_avx2; /* if LANES_HAVE_AVX2 */
const ccd_eight *ccd_eight_best(void);

#endif
