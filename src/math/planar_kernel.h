/* SPDX-License-Identifier: MIT */
/* The functions of planar_loop.c, for whatever `lanes`, LANE_FN and LANE_NAME are when this is included. Not for
 * others: it has no guard, for it is included twice. */

/* Where four points are seen. */
LANE_FN void LANE_NAME(project_simd4)(const vec3 *x, const int32_t *node, int size, vec3 a, vec3 b, double *out_x,
                                      double *out_y)
{
    const int32_t v[4] = {node[0], node[size], node[2 * size], node[3 * size]};
    lanes p[3];
    LANE_NAME(load_points)(x, v, p);
    lanes u =
        lane_add(lane_add(lane_mul(lane_all(a.x), p[0]), lane_mul(lane_all(a.y), p[1])), lane_mul(lane_all(a.z), p[2]));
    lanes w =
        lane_add(lane_add(lane_mul(lane_all(b.x), p[0]), lane_mul(lane_all(b.y), p[1])), lane_mul(lane_all(b.z), p[2]));
    lane_store(out_x, u);
    lane_store(out_y, w);
}

LANE_FN void LANE_NAME(project)(planar_loop *l, const vec3 *x0, const vec3 *x1, vec3 a, vec3 b)
{
    l->n_times = x1 ? 2 : 1;
    l->n_blocks = (l->n + l->size - 1) / l->size;
    for (int i = 0; i < 16; i++)
        l->node[l->n + i] = l->node[0];
    for (int j = 0; j < l->n_blocks; j += 4)
        for (int k = 0; k < l->size; k++) {
            const int32_t *node = l->node + j * l->size + k;
            LANE_NAME(project_simd4)(x0, node, l->size, a, b, &l->point[k][0][j], &l->point[k][1][j]);
            if (x1)
                LANE_NAME(project_simd4)(x1, node, l->size, a, b, &l->point[k][2][j], &l->point[k][3][j]);
        }
    for (int c = 0; c < 2 * l->n_times; c++)
        for (int i = 0; i < 4; i++)
            l->point[0][c][l->n_blocks + i] = l->point[0][c][0];
}

/* ---- windows and boxes ------------------------------------------------------------------------------------------- */

/* Edges and boxes of four blocks, in one coordinate. */
LANE_FN void LANE_NAME(bound_simd4)(planar_loop *l, int size, int c, int j)
{
    planar_row *r = &l->rows[j / PLANAR_ROW];
    lanes past = lane_load(&l->point[0][c][j]), lo = past, hi = past;
    for (int k = 0; k < size; k++) {
        lanes now = lane_load(k + 1 == size ? &l->point[0][c][j + 1] : &l->point[k + 1][c][j]);
        lane_store(&l->edge[k][c][j], lane_sub(now, past));
        lo = lane_min(now, lo);
        hi = lane_max(now, hi);
        past = now;
    }
    LANE_NAME(store_below)(&r->lo[c][j % PLANAR_ROW], lo);
    LANE_NAME(store_below)(&r->top[c][j % PLANAR_ROW], lane_sub(lane_all(-0.0), hi));
}

/* What the last block lacks is a copy of its first edge; behind it stands the first block again. */
LANE_FN void LANE_NAME(close_edges)(planar_loop *l, int size, int c)
{
    int last = l->n_blocks - 1;
    for (int k = l->n - last * size; k < size; k++)
        l->edge[k][c][last] = l->edge[0][c][last];
    for (int k = 0; k < size; k++)
        for (int i = 1; i <= 4; i++)
            l->edge[k][c][last + i] = l->edge[k][c][0];
}

LANE_FN lanes LANE_NAME(cross)(lanes x, lanes y, lanes u, lanes v)
{
    return lane_sub(lane_mul(x, v), lane_mul(y, u));
}

/* Bits of four windows that go forward along the middle of the sector of their edges' directions, of both times. The
 * sector is found without regard to rounding, and if it is a half turn or more it is none; the line is then looked at
 * with all edges. */
LANE_FN int LANE_NAME(go_forward)(const planar_loop *l, int size, int n_times, int j, double least)
{
    lanes right_x = lane_load(&l->edge[0][0][j]), right_y = lane_load(&l->edge[0][1][j]);
    lanes left_x = right_x, left_y = right_y, zero = lane_all(0);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < size; k++)
            for (int t = 0; t < n_times; t++) {
                lanes x = lane_load(&l->edge[k][2 * t][j + s]), y = lane_load(&l->edge[k][2 * t + 1][j + s]);
                lanes to_right = LANE_NAME(cross)(x, y, right_x, right_y);
                lanes to_left = LANE_NAME(cross)(left_x, left_y, x, y);
                right_x = lane_above(to_right, zero, x, right_x);
                right_y = lane_above(to_right, zero, y, right_y);
                left_x = lane_above(to_left, zero, x, left_x);
                left_y = lane_above(to_left, zero, y, left_y);
            }
    lanes cosine = lane_add(lane_mul(right_x, left_x), lane_mul(right_y, left_y));
    lanes x = lane_above(cosine, zero, lane_add(right_x, left_x), lane_sub(left_y, right_y));
    lanes y = lane_above(cosine, zero, lane_add(right_y, left_y), lane_sub(right_x, left_x));
    lanes limit = lane_mul(lane_all(least), lane_add(lane_abs(x), lane_abs(y)));
    lanes way = lane_all(1e300);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < size; k++)
            for (int t = 0; t < n_times; t++)
                way = lane_min(lane_add(lane_mul(x, lane_load(&l->edge[k][2 * t][j + s])),
                                        lane_mul(y, lane_load(&l->edge[k][2 * t + 1][j + s]))),
                               way);
    return lane_bits_above(way, limit);
}

LANE_FN void LANE_NAME(bound_all)(planar_loop *l, int size, int n_times, double least)
{
    for (int i = 0; i < (PLANAR_BLOCKS + 31) / 32; i++)
        l->bent[i] = 0;
    for (int c = 0; c < 2 * n_times; c++) {
        for (int j = 0; j < l->n_blocks; j += 4)
            LANE_NAME(bound_simd4)(l, size, c, j);
        LANE_NAME(close_edges)(l, size, c);
    }
    for (int j = 0; j < l->n_blocks; j += 4) {
        int used = l->n_blocks - j < 4 ? (1 << (l->n_blocks - j)) - 1 : 15;
        l->bent[j / 32] |= (uint32_t)(used & ~LANE_NAME(go_forward)(l, size, n_times, j, least)) << j % 32;
    }
}

/* With numbers that the compiler knows, loops are unrolled. */
LANE_FN void LANE_NAME(bound)(planar_loop *l, double least)
{
    if (l->size == 2 && l->n_times == 1)
        LANE_NAME(bound_all)(l, 2, 1, least);
    else if (l->size == 2)
        LANE_NAME(bound_all)(l, 2, 2, least);
    else if (l->n_times == 1)
        LANE_NAME(bound_all)(l, 3, 1, least);
    else
        LANE_NAME(bound_all)(l, 3, 2, least);
}

/* ---- blocks that are near each other ----------------------------------------------------------------------------- */

/* The box of eight blocks of a row, from `at` on. */
LANE_FN box LANE_NAME(whole_simd8)(const planar_loop *l, int eight)
{
    const planar_row *r = &l->rows[eight / 2];
    int first = eight % 2 * 8, n = l->n_blocks - 8 * eight;
    box b = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int c = 0; c < 2 * l->n_times; c++) {
        b.lo[c] = LANE_NAME(least_of)(&r->lo[c][first], n);
        b.top[c] = LANE_NAME(least_of)(&r->top[c][first], n);
    }
    return b;
}

/* Block i with eight others: bits of those that are near it. */
LANE_FN uint32_t LANE_NAME(near_one)(const planar_loop *l, int i, int eight, float least)
{
    const planar_row *r = &l->rows[i / PLANAR_ROW], *others = &l->rows[eight / 2];
    return LANE_NAME(near_simd8)(r, i % PLANAR_ROW, others, eight % 2 * 8, least, l->n_times);
}

LANE_FN int LANE_NAME(pair_eights)(const planar_loop *l, int p, int q, float least, planar_near *out, int room)
{
    int n = 0, n_q = l->n_blocks - 8 * q, end = 8 * p + 8 < l->n_blocks ? 8 * p + 8 : l->n_blocks;
    uint32_t used = n_q < 8 ? (1u << n_q) - 1 : 255;
    for (int i = 8 * p; i < end; i++) {
        int next = i + 2 - 8 * q;
        uint32_t bits = LANE_NAME(near_one)(l, i, q, least) & used;
        if (next > 0)
            bits &= next < 8 ? ~0u << next : 0;
        if (i == 0 && n_q <= 8)
            bits &= ~(1u << (n_q - 1));
        for (; bits != 0; bits &= bits - 1, n++)
            if (n < room)
                out[n] = (planar_near){(int16_t)i, (int16_t)(8 * q + box_lowest_bit(bits))};
    }
    return n;
}

LANE_FN int LANE_NAME(pair_blocks)(const planar_loop *l, float least, planar_near *out, int room)
{
    box whole[PLANAR_BLOCKS / 8];
    int n_eights = (l->n_blocks + 7) / 8, n = 0;
    for (int p = 0; n_eights > 3 && p < n_eights; p++)
        whole[p] = LANE_NAME(whole_simd8)(l, p);
    for (int p = 0; p < n_eights; p++)
        for (int q = p; q < n_eights; q++)
            if (n_eights <= 3 || q <= p + 1 || !LANE_NAME(apart)(&whole[p], &whole[q], least, l->n_times)) {
                n += LANE_NAME(pair_eights)(l, p, q, least, out + n, room - n);
                if (n > room)
                    return n;
            }
    return n;
}
