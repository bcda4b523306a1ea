/* SPDX-License-Identifier: MIT */
/* Differences, folding of the sign, planes of bytes, zstd; and back in the opposite order. */
#include "io/cache/cache_pack.h"

#include "base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void cache_packer_free(cache_packer *p)
{
    ZSTD_freeCCtx(p->pack);
    ZSTD_freeDCtx(p->unpack);
    free(p->plane);
    free(p->words);
    free(p->residuals);
    *p = (cache_packer){0};
}

bool cache_packer_words(cache_packer *p, size_t n)
{
    return ARRAY_RESERVE(NULL, p->words, p->room_words, n);
}

static bool plane_reserve(cache_packer *p, size_t n)
{
    return ARRAY_RESERVE(NULL, p->plane, p->room_plane, n);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

void cache_pack(cache_packer *p, text *out, const uint8_t *bytes, size_t n)
{
    if (!p->pack)
        p->pack = ZSTD_createCCtx();
    size_t head = out->n, bound = ZSTD_compressBound(n), least = n / CACHE_RATIO + 1;
    cache_put_u64(out, 0);
    uint8_t *at = cache_put_space(out, bound); /* always more than the least */
    if (!at)
        return;
    size_t size = p->pack ? ZSTD_compressCCtx(p->pack, at, bound, bytes, n, p->level) : (size_t)-1;
    if (ZSTD_isError(size)) { /* There is no other reason than memory. */
        out->failed = true;
        return;
    }
    if (size < least) {
        memset(at + size, 0, least - size);
        size = least;
    }
    out->n = head;
    cache_put_u64(out, size);
    out->n += size;
}

cache_unpacked cache_unpack(cache_packer *p, cache_in *in, uint8_t *bytes, size_t n)
{
    if (!p->unpack)
        p->unpack = ZSTD_createDCtx();
    if (!p->unpack)
        return CACHE_UNPACK_MEMORY;
    uint64_t size = cache_take_u64(in);
    const uint8_t *at = size <= in->left ? cache_take(in, (size_t)size) : NULL;
    if (!at || size <= n / CACHE_RATIO)
        return CACHE_UNPACK_WRONG;
    size_t frame = ZSTD_findFrameCompressedSize(at, (size_t)size);
    if (ZSTD_isError(frame) || ZSTD_decompressDCtx(p->unpack, bytes, n, at, frame) != n)
        return CACHE_UNPACK_WRONG;
    return CACHE_UNPACKED;
}

/* ---- differences ------------------------------------------------------------------------------------------------ */

static uint64_t fold_sign(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t unfold_sign(uint64_t v)
{
    return v >> 1 ^ (0 - (v & 1));
}

static double difference_size(uint64_t v)
{
    return (double)(int64_t)(fold_sign(v) >> 1);
}

/* The order whose differences are smallest in the sum. */
static int best_order(const uint64_t *words, size_t n, int max_order)
{
    double sum[3] = {0, 0, 0};
    assert(max_order < 3);
    uint64_t past = 0, slope = 0;
    for (size_t i = 0; i < n && max_order > 0; i++) {
        uint64_t first = words[i] - past;
        sum[0] += difference_size(words[i]);
        sum[1] += difference_size(first);
        sum[2] += difference_size(first - slope);
        past = words[i];
        slope = first;
    }
    int best = 0;
    for (int k = 1; k <= max_order; k++)
        best = sum[k] < sum[best] ? k : best;
    return best;
}

/* Order 0 leaves the words alone: they may be the bits of doubles. Returns all bits that are set in any. */
static uint64_t take_differences(const uint64_t *words, uint64_t *out, size_t n, int order)
{
    uint64_t all = 0, past = 0, slope = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t first = words[i] - past;
        out[i] = order == 0 ? words[i] : fold_sign(order == 1 ? first : first - slope);
        all |= out[i];
        past = words[i];
        slope = first;
    }
    return all;
}

static void undo_differences(uint64_t *words, size_t n, int order)
{
    uint64_t past = 0, slope = 0;
    for (size_t i = 0; i < n && order > 0; i++) {
        uint64_t v = unfold_sign(words[i]);
        slope = order == 1 ? v : slope + v;
        past += slope;
        words[i] = past;
    }
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

static int count_planes(uint64_t all)
{
    int n = 1; /* never none: CACHE_RATIO holds for every column */
    while (n < 8 && all >> (8 * n))
        n++;
    return n;
}

void cache_pack_words(cache_packer *p, text *out, size_t n, int max_order)
{
    if (!ARRAY_RESERVE(NULL, p->residuals, p->room_residuals, n) || !plane_reserve(p, n + 1)) {
        out->failed = true;
        return;
    }
    int order = best_order(p->words, n, max_order);
    int n_planes = count_planes(take_differences(p->words, p->residuals, n, order));
    cache_put_u32(out, (uint32_t)(order << 8 | n_planes));
    for (int k = 0; k < n_planes; k++) {
        for (size_t i = 0; i < n; i++)
            p->plane[i] = (uint8_t)(p->residuals[i] >> (8 * k));
        cache_pack(p, out, p->plane, n);
    }
}

cache_unpacked cache_unpack_words(cache_packer *p, cache_in *in, size_t n)
{
    uint32_t form = cache_take_u32(in), order = form >> 8, n_planes = form & 255;
    if (in->failed || order > 2 || n_planes < 1 || n_planes > 8 || n / CACHE_RATIO >= in->left)
        return CACHE_UNPACK_WRONG;
    if (!cache_packer_words(p, n + 1) || !plane_reserve(p, n + 1))
        return CACHE_UNPACK_MEMORY;
    memset(p->words, 0, n * sizeof *p->words);
    for (uint32_t k = 0; k < n_planes; k++) {
        cache_unpacked r = cache_unpack(p, in, p->plane, n);
        if (r != CACHE_UNPACKED)
            return r;
        for (size_t i = 0; i < n; i++)
            p->words[i] |= (uint64_t)p->plane[i] << (8 * k);
    }
    undo_differences(p->words, n, (int)order);
    return CACHE_UNPACKED;
}
