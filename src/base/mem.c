/* SPDX-License-Identifier: MIT */
/* Every call of the allocator goes through here, is checked and counted. */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void *heap_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

/* n · item_size, or 0 if there is nothing to allocate or the product is no object's size. (More than PTRDIFF_MAX bytes
 * would break pointer differences, and the int64_t counters.) */
static size_t mem_size(int64_t n, size_t item_size)
{
    if (n <= 0 || item_size == 0 || (uint64_t)n > (uint64_t)PTRDIFF_MAX / item_size)
        return 0;
    return (size_t)n * item_size;
}

/* The allocator's answer to a call that asks for memory. */
static void *mem_ask(mem *m, void *p, size_t old_size, size_t new_size)
{
    if (!m)
        return heap_alloc(NULL, p, old_size, new_size);
    void *q = m->fn(m->user, p, old_size, new_size);
    m->n_calls++;
    m->n_failed += !q;
    return q;
}

static void mem_count(mem *m, size_t old_size, size_t new_size)
{
    if (!m)
        return;
    m->in_use += (int64_t)new_size - (int64_t)old_size;
    if (m->in_use > m->peak)
        m->peak = m->in_use;
}

void mem_init(mem *m, weft_alloc_fn fn, void *user)
{
    *m = (mem){.fn = fn ? fn : heap_alloc, .user = fn ? user : NULL};
}

void *mem_array(mem *m, int64_t n, size_t item_size)
{
    return mem_resized(m, NULL, 0, n, item_size);
}

void *mem_resized(mem *m, void *p, int64_t n_old, int64_t n_new, size_t item_size)
{
    size_t new_size = mem_size(n_new, item_size);
    size_t old_size = p ? mem_size(n_old, item_size) : 0;
    if (new_size == 0)
        return NULL;
    char *q = mem_ask(m, p, old_size, new_size);
    if (!q)
        return NULL;
    if (new_size > old_size)
        memset(q + old_size, 0, new_size - old_size);
    mem_count(m, old_size, new_size);
    return q;
}

void mem_free(mem *m, void *p, int64_t n, size_t item_size)
{
    if (!p)
        return;
    size_t size = mem_size(n, item_size);
    if (m)
        m->fn(m->user, p, size, 0);
    else
        free(p);
    mem_count(m, size, 0);
}
