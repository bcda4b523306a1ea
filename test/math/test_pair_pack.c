/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/pair_pack.h"

#include <string.h>

enum { N = 24 };

static uint64_t state = 3;

static uint32_t random_bits(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static void packed_pairs_are_those_of_the_bits_in_order(void **unused)
{
    (void)unused;
    pair_table table;
    pair_table_fill(table);
    for (int run = 0; run < 20000; run++) {
        int32_t p[N], q[N], out[N * N + PAIR_MORE][2], plain[N * N + PAIR_MORE][2], n_found = 0;
        uint32_t hits[N], which = random_bits() & 0xffffff;
        int n = 8 * (1 + run % 3);
        for (int i = 0; i < N; i++) {
            p[i] = (int32_t)random_bits();
            q[i] = (int32_t)random_bits();
            hits[i] = random_bits() & ((1u << n) - 1) & (run % 5 ? ~0u : random_bits());
        }
        int32_t n_packed = pair_pack((const uint8_t(*)[8])table, p, which, q, n, hits, out);
        assert_int_equal(pair_pack_plain((const uint8_t(*)[8])table, p, which, q, n, hits, plain), n_packed);
        assert_memory_equal(out, plain, (size_t)n_packed * sizeof *out);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N && which >> i & 1; j++)
                if (hits[i] >> j & 1) {
                    assert_int_equal(out[n_found][0], p[i]);
                    assert_int_equal(out[n_found++][1], q[j]);
                }
        assert_int_equal(n_packed, n_found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packed_pairs_are_those_of_the_bits_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
