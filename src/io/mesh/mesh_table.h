/* SPDX-License-Identifier: MIT */
/* A hash table of indices into somebody's array: which of the things there is equal to this one? */
#ifndef WEFT_IO_MESH_MESH_TABLE_H
#define WEFT_IO_MESH_MESH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mesh_table {
    int32_t *slots; /* -1: free */
    uint64_t *hashes;
    size_t n, capacity; /* a power of two, at least a third free */
} mesh_table;

/* The slot of the index whose thing is_same, or a free slot (-1) that the caller must fill. NULL: out of memory. */
int32_t *mesh_table_slot(mesh_table *t, uint64_t hash, bool (*is_same)(const void *context, int32_t index),
                         const void *context);
void mesh_table_free(mesh_table *t);

uint64_t mesh_table_hash(const void *bytes, size_t n);

#endif
