/* SPDX-License-Identifier: MIT */
#include "base/loan.h"

enum { ALIGNED = 64 };

void loan_add(loan *l, void *at, size_t bytes)
{
    uintptr_t past = (uintptr_t)at % ALIGNED ? ALIGNED - (uintptr_t)at % ALIGNED : 0;
    int k = 0;
    while (k < LOAN_PARTS && l->at[k])
        k++;
    if (k == LOAN_PARTS || !at || bytes <= past)
        return;
    l->at[k] = (char *)at + past;
    l->n[k] = (int64_t)(bytes - past);
}

void *loan_take(loan *l, mem *m, int64_t bytes, own_room *own)
{
    bytes = (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (bytes <= own->n)
        return own->at;
    own_room_free(own, m);
    for (int k = 0; k < LOAN_PARTS; k++)
        if (bytes <= l->n[k] - l->taken.of[k]) {
            l->taken.of[k] += bytes;
            return l->at[k] + (l->taken.of[k] - bytes);
        }
    if (MEM_MAKE(m, own->at, bytes))
        own->n = bytes;
    return own->at;
}

void *loan_take_some(loan *l, mem *m, int64_t bytes, own_room *own)
{
    return loan_take(l, m, bytes > own->n ? bytes + bytes / 8 : bytes, own);
}

void own_room_free(own_room *own, mem *m)
{
    MEM_FREE(m, own->at, own->n);
    own->n = 0;
}
