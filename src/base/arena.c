/* SPDX-License-Identifier: MIT */
/* Blocks in a chain. Those up to `top` are in use, each from its beginning; those behind it are empty. What does not
 * fit into the rest of the top one goes to the next block, which is made larger if it is too small: so a sequence of
 * takes that has been seen once finds blocks that are large enough. */
#include "base/arena.h"

#include <assert.h>
#include <string.h>

/* Released memory may not be touched, which AddressSanitizer checks. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_SANITIZED 1
#endif
#endif
#ifdef ARENA_SANITIZED
void __asan_poison_memory_region(void const volatile *at, size_t n);
void __asan_unpoison_memory_region(void const volatile *at, size_t n);
#define FORBID(at, n) __asan_poison_memory_region((at), (size_t)(n))
#define ALLOW(at, n) __asan_unpoison_memory_region((at), (size_t)(n))
#else
#define FORBID(at, n) ((void)(at), (void)(n))
#define ALLOW(at, n) ((void)(at), (void)(n))
#endif

enum {
    ARENA_LINE = 64, /* bytes */
    /* A block that is made because the others are full has room for this share of them all on top, 1 / so many: what
     * grows a little from step to step does not ask for memory in each. */
    ARENA_SPARE = 16,
};

typedef struct arena_block {
    struct arena_block *next;
    char *at;      /* the first byte that is aligned */
    int64_t size;  /* bytes from there on */
    int64_t used;  /* of them, from the beginning */
    int64_t whole; /* bytes that the allocator gave */
} arena_block;

int64_t arena_rounded(int64_t bytes)
{
    return bytes > INT64_MAX - ARENA_LINE ? INT64_MAX : (bytes + ARENA_LINE - 1) / ARENA_LINE * ARENA_LINE;
}

void arena_init(arena *a, mem *m)
{
    *a = (arena){.mem = m};
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void drop_block(arena *a, arena_block **place)
{
    arena_block *b = *place;
    *place = b->next;
    a->size -= b->size;
    ALLOW(b->at, b->size);
    mem_free(a->mem, b, b->whole, 1);
}

void arena_destroy(arena *a)
{
    while (a->first)
        drop_block(a, &a->first);
    *a = (arena){.mem = a->mem};
}

/* A block of `size` at a place in the chain; NULL without memory. */
static arena_block *make_block(arena *a, int64_t size, arena_block **place)
{
    int64_t extra = (int64_t)sizeof(arena_block) + ARENA_LINE;
    char *whole = size <= INT64_MAX - extra ? mem_array(a->mem, size + extra, 1) : NULL;
    if (!whole)
        return NULL;
    arena_block *b = (void *)whole;
    uintptr_t past = (uintptr_t)(whole + sizeof *b) % ARENA_LINE;
    *b = (arena_block){.next = *place, .size = size, .whole = size + extra};
    b->at = whole + sizeof *b + (past > 0 ? ARENA_LINE - past : 0);
    FORBID(b->at, b->size);
    a->size += size;
    *place = b;
    return b;
}

/* The block that `bytes` fit into: the top one, or the one behind it, which becomes the top. */
static arena_block *find_block(arena *a, int64_t bytes)
{
    if (a->top && a->top->size - a->top->used >= bytes)
        return a->top;
    arena_block **place = a->top ? &a->top->next : &a->first;
    while (*place && (*place)->size < bytes)
        drop_block(a, place);
    arena_block *b = *place ? *place : make_block(a, bytes + arena_rounded(a->size / ARENA_SPARE), place);
    if (b)
        a->top = b;
    return b;
}

bool arena_reserve(arena *a, int64_t bytes)
{
    assert(!a->top);
    bytes = arena_rounded(bytes);
    if (a->first && a->first->size >= bytes)
        return true;
    int64_t most = a->most;
    arena_destroy(a);
    a->most = most;
    return make_block(a, bytes > most ? bytes : most, &a->first) != NULL;
}

/* ---- taking and releasing ---------------------------------------------------------------------------------------- */

static void use(arena *a, arena_block *b, int64_t bytes)
{
    ALLOW(b->at + b->used, bytes);
    b->used += bytes;
    a->in_use += bytes;
    a->most = a->in_use > a->most ? a->in_use : a->most;
}

void *arena_take(arena *a, int64_t bytes)
{
    bytes = arena_rounded(bytes);
    arena_block *b = bytes > 0 ? find_block(a, bytes) : NULL;
    if (!b)
        return NULL;
    use(a, b, bytes);
    return b->at + b->used - bytes;
}

void *arena_extend(arena *a, void *p, int64_t n_old, int64_t n_new)
{
    int64_t more = arena_rounded(n_new) - arena_rounded(n_old);
    if (!p)
        return arena_take(a, n_new);
    assert(a->top && (char *)p + arena_rounded(n_old) == a->top->at + a->top->used);
    if (more <= 0)
        return p;
    if (a->top->size - a->top->used >= more) {
        use(a, a->top, more);
        return p;
    }
    void *moved = arena_take(a, n_new);
    if (moved)
        memcpy(moved, p, (size_t)n_old);
    return moved;
}

arena_mark arena_mark_of(const arena *a)
{
    return (arena_mark){a->top, a->top ? a->top->used : 0, a->in_use};
}

void arena_release(arena *a, arena_mark m)
{
    assert(m.in_use <= a->in_use);
    for (arena_block *b = m.top ? m.top->next : a->first; b && b->used > 0; b = b->next) {
        FORBID(b->at, b->used);
        b->used = 0;
    }
    if (m.top) {
        FORBID(m.top->at + m.used, m.top->used - m.used);
        m.top->used = m.used;
    }
    a->top = m.top;
    a->in_use = m.in_use;
}
