/* SPDX-License-Identifier: MIT */
#include "solve/couple.h"

#include <string.h>

void couple_destroy(couple *c, mem *m)
{
    pattern_destroy(&c->plain, m);
    MEM_FREE(m, c->present, c->present_room);
    MEM_FREE(m, c->wanted, c->wanted_room);
    *c = (couple){0};
}

/* At least n, with room to grow, so that steady contact asks for memory no more. */
static bool reserve(mem *m, coupling **list, int32_t *room, int64_t n)
{
    if (n <= *room)
        return true;
    int64_t more = n + n / 2 + 64;
    if (more > INT32_MAX)
        return false;
    coupling *grown = mem_resized(m, *list, *room, more, sizeof *grown);
    if (!grown)
        return false;
    *list = grown;
    *room = (int32_t)more;
    return true;
}

#define MOST_DOFS 8 /* four nodes, each of which may hang between two */

static int32_t dofs_of(const assembly *a, const int32_t *node, int32_t out[MOST_DOFS])
{
    int32_t n = 0;
    for (int i = 0; i < 4; i++)
        for (int d = 0; node[i] < a->n_nodes && d < 2; d++)
            if (a->rows[node[i]].dof[d] >= 0)
                out[n++] = a->rows[node[i]].dof[d];
    return n;
}

static int32_t add_couplings(const assembly *a, const int32_t *node, coupling *out)
{
    int32_t dof[MOST_DOFS], n = dofs_of(a, node, dof), n_out = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            out[n_out++] = dof[i] < dof[j] ? (coupling){dof[i], dof[j]} : (coupling){dof[j], dof[i]};
    return n_out;
}

static bool list_wanted(couple *c, const assembly *a, const couple_list *l, int32_t *n_wanted)
{
    const int32_t most = MOST_DOFS * (MOST_DOFS - 1) / 2;
    int32_t at = 0;
    for (int32_t i = 0; i < l->n; i++) {
        if (!reserve(a->mem, &c->wanted, &c->wanted_room, (int64_t)at + most))
            return false;
        at += add_couplings(a, (const int32_t *)((const char *)l->node + (size_t)i * l->stride), c->wanted + at);
    }
    *n_wanted = pattern_lacks(&c->plain, c->wanted, at);
    return true;
}

bool couple_contacts(couple *c, assembly *a, newton_work *w, const couple_list *contacts, bool *changed)
{
    int32_t n_wanted = 0;
    *changed = false;
    if (contacts->n == 0 && c->n_present == 0)
        return true;
    if (!c->plain.start && !pattern_of(&c->plain, a->mem, &a->hessian))
        return false;
    if (!list_wanted(c, a, contacts, &n_wanted))
        return false;
    if (n_wanted == c->n_present &&
        (n_wanted == 0 || memcmp(c->wanted, c->present, (size_t)n_wanted * sizeof *c->wanted) == 0))
        return true;
    if (!reserve(a->mem, &c->present, &c->present_room, n_wanted) ||
        !blockmat_widen(&a->hessian, a->mem, &c->plain, c->wanted, n_wanted))
        return false;
    *changed = true;
    c->n_present = n_wanted;
    if (n_wanted > 0)
        memcpy(c->present, c->wanted, (size_t)n_wanted * sizeof *c->present);
    return newton_renew(w, a->mem, &a->hessian);
}
