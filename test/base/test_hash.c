/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/hash.h"

static void fill(unsigned char *b, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        b[i] = (unsigned char)(seed >> 24);
    }
}

/* Written down once; snapshots and golden state hashes of other platforms depend on these numbers. */
static void known_inputs_have_known_hashes(void **state)
{
    (void)state;
    unsigned char b[256];
    for (int i = 0; i < 256; i++)
        b[i] = (unsigned char)i;
    assert_true(hash_bytes(HASH_START, NULL, 0) == UINT64_C(0xa0b8bc49334629a0));
    assert_true(hash_bytes(HASH_START, "weft", 4) == UINT64_C(0xfedd8160ecbcbada));
    assert_true(hash_bytes(HASH_START, b, 256) == UINT64_C(0x82e5fadcadc2adac));
    assert_true(hash_bytes(HASH_START, b, 251) == UINT64_C(0xc423c9b59ec27338));
}

static void every_bit_counts(void **state)
{
    (void)state;
    unsigned char b[61];
    fill(b, sizeof b, 1);
    uint64_t h = hash_bytes(HASH_START, b, sizeof b);
    for (size_t bit = 0; bit < 8 * sizeof b; bit++) {
        b[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(hash_bytes(HASH_START, b, sizeof b) != h);
        b[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (int bit = 0; bit < 64; bit++)
        assert_true(hash_bytes(HASH_START ^ UINT64_C(1) << bit, b, sizeof b) != h);
}

/* A flipped input bit flips each output bit in about half of the cases: 488 input bits, so 244 ± 5 σ, σ = 11. */
static void a_flipped_bit_flips_half_of_the_hash(void **state)
{
    (void)state;
    unsigned char b[61];
    fill(b, sizeof b, 2);
    uint64_t h = hash_bytes(HASH_START, b, sizeof b);
    int n_flips[64] = {0};
    for (size_t bit = 0; bit < 8 * sizeof b; bit++) {
        b[bit / 8] ^= (unsigned char)(1u << bit % 8);
        uint64_t changed = h ^ hash_bytes(HASH_START, b, sizeof b);
        b[bit / 8] ^= (unsigned char)(1u << bit % 8);
        for (int i = 0; i < 64; i++)
            n_flips[i] += (int)(changed >> i & 1);
    }
    for (int i = 0; i < 64; i++)
        assert_in_range(n_flips[i], 244 - 55, 244 + 55);
}

static void length_and_cuts_count(void **state)
{
    (void)state;
    const unsigned char zeros[32] = {0};
    for (size_t n = 1; n <= 32; n++)
        for (size_t k = 0; k < n; k++)
            assert_true(hash_bytes(HASH_START, zeros, n) != hash_bytes(HASH_START, zeros, k));
    uint64_t ab_c = hash_bytes(hash_bytes(HASH_START, "ab", 2), "c", 1);
    uint64_t a_bc = hash_bytes(hash_bytes(HASH_START, "a", 1), "bc", 2);
    assert_true(ab_c != a_bc);
}

static void order_of_words_counts(void **state)
{
    (void)state;
    const unsigned char ab[16] = {1, 0, 0, 0, 0, 0, 0, 0, 2}, ba[16] = {2, 0, 0, 0, 0, 0, 0, 0, 1};
    assert_true(hash_bytes(HASH_START, ab, 16) != hash_bytes(HASH_START, ba, 16));
}

static void alignment_does_not_matter(void **state)
{
    (void)state;
    unsigned char b[100 + 8];
    unsigned char plain[100];
    fill(plain, sizeof plain, 3);
    uint64_t h = hash_bytes(HASH_START, plain, sizeof plain);
    for (size_t shift = 0; shift < 8; shift++) {
        memcpy(b + shift, plain, sizeof plain);
        assert_true(hash_bytes(HASH_START, b + shift, sizeof plain) == h);
    }
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* They fit one word, so it is a matter of proof, not of luck, that none do. */
static void small_numbers_do_not_collide(void **state)
{
    (void)state;
    enum { N = 100000 };
    uint64_t *h = malloc(N * sizeof *h);
    assert_non_null(h);
    for (uint32_t i = 0; i < N; i++) {
        unsigned char b[4] = {(unsigned char)i, (unsigned char)(i >> 8), (unsigned char)(i >> 16), 0};
        h[i] = hash_bytes(HASH_START, b, 4);
    }
    qsort(h, N, sizeof *h, compare);
    for (int i = 1; i < N; i++)
        assert_true(h[i] != h[i - 1]);
    free(h);
}

static void clock_never_runs_backwards(void **state)
{
    (void)state;
    double start = clock_seconds(), last = start;
    while (last - start < 0.01) {
        double now = clock_seconds();
        assert_true(now >= last);
        last = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_inputs_have_known_hashes),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(a_flipped_bit_flips_half_of_the_hash),
        cmocka_unit_test(length_and_cuts_count),
        cmocka_unit_test(order_of_words_counts),
        cmocka_unit_test(alignment_does_not_matter),
        cmocka_unit_test(small_numbers_do_not_collide),
        cmocka_unit_test(clock_never_runs_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
