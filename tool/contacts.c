/* SPDX-License-Identifier: MIT */
#include "contacts.h"

#include <stdlib.h>

static weft_result no_memory(weft_error *error)
{
    *error = (weft_error){.code = WEFT_ERROR_MEMORY, .element = -1, .text = "out of memory for contacts"};
    return WEFT_ERROR_MEMORY;
}

static void mark_node(const weft_cloth_id *cloths, const int32_t *first, int32_t n_cloths, weft_squeezed_node node,
                      uint8_t *squeezed)
{
    for (int32_t i = 0; !node.of_collider && i < n_cloths; i++)
        if (node.index == cloths[i].index)
            squeezed[first[i] + node.node] = 1;
}

static weft_result mark_squeezed(const weft_sim *sim, const weft_cloth_id *cloths, const int32_t *first,
                                 int32_t n_cloths, contacts *out, weft_error *error)
{
    int32_t n = 0;
    weft_result r = weft_sim_get_squeezed(sim, NULL, 0, &n, error);
    if (r < 0 || n == 0)
        return r;
    weft_squeezed *pairs = calloc((size_t)n, sizeof *pairs);
    r = pairs ? weft_sim_get_squeezed(sim, pairs, n, &n, error) : no_memory(error);
    for (int32_t k = 0; r >= 0 && k < 4 * n; k++)
        mark_node(cloths, first, n_cloths, pairs[k / 4].node[k % 4], out->squeezed);
    out->is_squeezed = r >= 0;
    free(pairs);
    return r;
}

/* first: where the nodes of each cloth begin, and of all, their number. */
static weft_result fill(const weft_sim *sim, const weft_cloth_id *cloths, const int32_t *first, int32_t n_cloths,
                        contacts *out, weft_error *error)
{
    weft_result r = WEFT_OK;
    size_t n = (size_t)first[n_cloths] + 1;
    out->of = calloc((size_t)n_cloths + 1, sizeof *out->of);
    out->pressures = calloc(n, sizeof *out->pressures);
    out->squeezed = calloc(n, 1);
    if (!out->of || !out->pressures || !out->squeezed)
        return no_memory(error);
    for (int32_t i = 0; r >= 0 && i < n_cloths; i++) {
        out->of[i] = (weft_cache_contacts){out->pressures + first[i], out->squeezed + first[i]};
        r = weft_cloth_get_pressures(sim, cloths[i], out->pressures + first[i], first[i + 1] - first[i], error);
    }
    return r < 0 ? r : mark_squeezed(sim, cloths, first, n_cloths, out, error);
}

weft_result contacts_get(const weft_sim *sim, const weft_cloth_id *cloths, int32_t n_cloths, contacts *out,
                         weft_error *error)
{
    *out = (contacts){0};
    int32_t *first = calloc((size_t)n_cloths + 1, sizeof *first);
    weft_result r = first ? WEFT_OK : no_memory(error);
    for (int32_t i = 0; r >= 0 && i < n_cloths; i++) {
        weft_cloth_info info;
        r = weft_cloth_get_info(sim, cloths[i], &info, error);
        first[i + 1] = first[i] + (r < 0 ? 0 : info.n_nodes);
    }
    if (r >= 0)
        r = fill(sim, cloths, first, n_cloths, out, error);
    if (r < 0)
        contacts_free(out);
    free(first);
    return r;
}

void contacts_free(contacts *c)
{
    free(c->of);
    free(c->pressures);
    free(c->squeezed);
    *c = (contacts){0};
}
