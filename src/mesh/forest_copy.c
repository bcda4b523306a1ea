/* SPDX-License-Identifier: MIT */
/* A copy of a forest, with as much room: a step that fails goes back to it. */
#include <assert.h>
#include <string.h>

#include "mesh/forest.h"

static bool copy_array(mem *m, void **to, const void *from, int32_t n, int32_t capacity, size_t size)
{
    *to = mem_array(m, capacity, size);
    if (!*to && capacity > 0)
        return false;
    assert(*to || n == 0);
    if (n > 0)
        memcpy(*to, from, (size_t)n * size);
    return true;
}

bool forest_copy(forest *to, const forest *from)
{
    *to = *from;
    to->nodes = NULL;
    to->edges = NULL;
    to->elements = NULL;
    void *nodes = NULL, *edges = NULL, *elements = NULL;
    bool ok = copy_array(from->mem, &nodes, from->nodes, from->n_nodes, from->capacity_nodes, sizeof *to->nodes) &&
              copy_array(from->mem, &edges, from->edges, from->n_edges, from->capacity_edges, sizeof *to->edges) &&
              copy_array(from->mem, &elements, from->elements, from->n_elements, from->capacity_elements,
                         sizeof *to->elements);
    to->nodes = nodes;
    to->edges = edges;
    to->elements = elements;
    if (!ok)
        forest_destroy(to);
    return ok;
}
