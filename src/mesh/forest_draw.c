/* SPDX-License-Identifier: MIT */
/* The drawn triangles of a leaf. A quad is cut along its diagonal, as surface_cut does; each triangle is cut again at
 * the hanging middles of its sides, within its own plane, so that drawn triangles of neighbours meet along whole sides.
 *
 *        c             c              c
 *       /|\           /|\            / \
 *      / | \         / | n          o───n        One, two (the side ca has none), three middles. A quad's two triangles
 *     /  |  \       /  |/ \        / \ / \       have two at most, since the diagonal has none: six pieces in all.
 *    a───m───b     a───m───b     a───m───b
 */
#include "mesh/forest_inside.h"

typedef struct drawing {
    int32_t n;
    int32_t (*out)[3];
} drawing;

static void add_drawn(drawing *d, int32_t a, int32_t b, int32_t c)
{
    d->out[d->n][0] = a;
    d->out[d->n][1] = b;
    d->out[d->n][2] = c;
    d->n++;
}

/* v: corners; m: middle of side i, from corner i to i + 1, or -1. */
static void draw_triangle(drawing *d, const int32_t v[3], const int32_t m[3])
{
    int n_middles = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0), i = 0;
    if (n_middles == 1)
        while (m[i] < 0)
            i++;
    if (n_middles == 2)
        while (m[(i + 2) % 3] >= 0)
            i++;
    int32_t a = v[i], b = v[(i + 1) % 3], c = v[(i + 2) % 3], ab = m[i], bc = m[(i + 1) % 3], ca = m[(i + 2) % 3];
    if (n_middles == 0) {
        add_drawn(d, a, b, c);
    } else if (n_middles == 1) {
        add_drawn(d, a, ab, c);
        add_drawn(d, ab, b, c);
    } else {
        add_drawn(d, ab, b, bc);
        add_drawn(d, ab, bc, n_middles == 3 ? ca : c);
        add_drawn(d, a, ab, n_middles == 3 ? ca : c);
        if (n_middles == 3)
            add_drawn(d, ca, bc, c);
    }
}

int32_t forest_draw(const forest *f, int32_t ei, int32_t out[FOREST_MOST_DRAWN][3])
{
    static const int cut[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};
    const forest_element *el = &f->elements[ei];
    drawing d = {0, out};
    int32_t m[4] = {-1, -1, -1, -1};
    for (int i = 0; i < el->n; i++)
        m[i] = f->edges[el->edge[i]].middle;
    if (el->n == 3)
        draw_triangle(&d, el->node, m);
    for (int t = 0; el->n == 4 && t < 2; t++) {
        int32_t v[3], side[3];
        for (int i = 0; i < 3; i++) {
            int from = cut[el->diagonal][t][i], to = cut[el->diagonal][t][(i + 1) % 3];
            v[i] = el->node[from];
            side[i] = to == (from + 1) % 4 ? m[from] : -1;
        }
        draw_triangle(&d, v, side);
    }
    return d.n;
}
