/* SPDX-License-Identifier: MIT */
/* What many elements have in common, each kept once and known by its number. A sheet made of a grid has some hundred
 * kinds of springs, however fine it is (as many as roundings of its cells); an irregular mesh has one for each. */
#ifndef WEFT_BASE_INTERN_TABLE_H
#define WEFT_BASE_INTERN_TABLE_H

#include "base/mem.h"

typedef struct intern_table {
    void *items;
    int32_t n;
    int64_t room;
    int32_t *slots; /* 1 + number, where the item's hash leads or the next that is free; 0: free; NULL: closed */
    int32_t n_slots, n_taken;
} intern_table;

/* The number of the item with just these bytes, which is added where there is none; −1: no memory. */
int32_t intern_find(intern_table *a, mem *m, const void *item, size_t size);
/* The number of one that nobody else will find; −1: no memory. */
int32_t intern_add(intern_table *a, mem *m, const void *item, size_t size);
/* Gives back memory that only intern_find needs. False: no memory to move to. */
bool intern_seal(intern_table *a, mem *m, size_t size);
void intern_destroy(intern_table *a, mem *m, size_t size);

#endif
