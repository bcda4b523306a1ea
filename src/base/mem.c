/* SPDX-License-Identifier: MIT */
/* The user's allocator, with sizes that are checked for overflow, and counters of what it has given. */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void *libc_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
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
static size_t checked_size(int64_t n, size_t item_size)
{
    if (n <= 0 || item_size == 0 || (uint64_t)n > (uint64_t)PTRDIFF_MAX / item_size)
        return 0;
    return (size_t)n * item_size;
}

static void count_change(mem *m, size_t old_size, size_t new_size)
{
    m->in_use += (int64_t)new_size - (int64_t)old_size;
    if (m->in_use > m->peak)
        m->peak = m->in_use;
}

void mem_init(mem *m, weft_alloc_fn fn, void *user)
{
    *m = (mem){.fn = fn ? fn : libc_alloc, .user = fn ? user : NULL};
}

void *mem_array(mem *m, int64_t n, size_t item_size)
{
    return mem_resized(m, NULL, 0, n, item_size);
}

void *mem_resized(mem *m, void *p, int64_t n_old, int64_t n_new, size_t item_size)
{
    size_t new_size = checked_size(n_new, item_size);
    size_t old_size = p ? checked_size(n_old, item_size) : 0;
    if (new_size == 0)
        return NULL;
    m->n_calls++;
    char *q = m->fn(m->user, p, old_size, new_size);
    if (!q) {
        m->n_failed++;
        return NULL;
    }
    if (new_size > old_size)
        memset(q + old_size, 0, new_size - old_size);
    count_change(m, old_size, new_size);
    return q;
}

bool mem_room(mem *m, void **items, int64_t *room, int64_t n, size_t item_size)
{
    if (n <= *room)
        return true;
    int64_t more = n + n / 8 + 256;
    void *grown = mem_resized(m, *items, *room, more, item_size);
    if (!grown)
        return false;
    *items = grown;
    *room = more;
    return true;
}

void mem_free(mem *m, void *p, int64_t n, size_t item_size)
{
    if (!p)
        return;
    size_t size = checked_size(n, item_size);
    m->fn(m->user, p, size, 0);
    count_change(m, size, 0);
}
