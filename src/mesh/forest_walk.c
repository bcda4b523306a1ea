/* SPDX-License-Identifier: MIT */
/* Walking the forest in an order that depends on its shape alone, and writing that shape as bits. */
#include "mesh/forest_inside.h"

#include <string.h>

/* The first element behind ei and all below it; -1: none. */
static int32_t behind(const forest *f, int32_t ei)
{
    while (f->elements[ei].parent >= 0) {
        int32_t parent = f->elements[ei].parent;
        if (ei - f->elements[parent].child < 3)
            return ei + 1;
        ei = parent;
    }
    return ei + 1 < f->n_roots ? ei + 1 : -1;
}

/* Parents first. */
static int32_t next_element(const forest *f, int32_t ei)
{
    return forest_is_leaf(f, ei) ? behind(f, ei) : f->elements[ei].child;
}

int32_t forest_next_leaf(const forest *f, int32_t leaf)
{
    int32_t ei = leaf >= 0 ? behind(f, leaf) : f->n_roots > 0 ? 0 : -1;
    while (ei >= 0 && !forest_is_leaf(f, ei))
        ei = f->elements[ei].child;
    return ei;
}

/* Each split adds three leaves. */
static int64_t count_elements(const forest *f)
{
    return f->n_leaves + (f->n_leaves - f->n_roots) / 3;
}

static bool bit(const uint8_t *bits, int64_t i)
{
    return bits[i / 8] >> (i % 8) & 1;
}

int64_t forest_encode(const forest *f, uint8_t *out)
{
    int64_t n_bytes = (count_elements(f) + 7) / 8, i = 0;
    if (!out || n_bytes == 0)
        return n_bytes;
    memset(out, 0, (size_t)n_bytes);
    for (int32_t ei = 0; ei >= 0; ei = next_element(f, ei), i++)
        if (!forest_is_leaf(f, ei))
            out[i / 8] = (uint8_t)(out[i / 8] | 1u << (i % 8));
    return n_bytes;
}

/* Whether the bits are those of the forest: a leaf may have split for the balance after its bit was read. */
static bool is_shape(const forest *f, const uint8_t *bits, int64_t n_bytes)
{
    if (n_bytes != forest_encode(f, NULL))
        return false;
    int64_t i = 0;
    for (int32_t ei = f->n_roots > 0 ? 0 : -1; ei >= 0; ei = next_element(f, ei), i++)
        if (bit(bits, i) == forest_is_leaf(f, ei))
            return false;
    for (; i < 8 * n_bytes; i++)
        if (bit(bits, i))
            return false;
    return true;
}

bool forest_decode(forest *f, const uint8_t *bits, int64_t n_bytes)
{
    if (f->n_leaves != f->n_roots)
        return false;
    int64_t i = 0;
    for (int32_t ei = f->n_roots > 0 ? 0 : -1; ei >= 0; ei = next_element(f, ei), i++) {
        if (i / 8 >= n_bytes)
            return false;
        if (bit(bits, i) ? !forest_refine(f, ei) : !forest_is_leaf(f, ei))
            return false;
    }
    return is_shape(f, bits, n_bytes);
}
