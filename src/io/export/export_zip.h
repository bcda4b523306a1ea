/* SPDX-License-Identifier: MIT */
/* A zip archive of stored (not compressed) entries, with the 64-bit fields where sizes need them. */
#ifndef WEFT_IO_EXPORT_EXPORT_ZIP_H
#define WEFT_IO_EXPORT_EXPORT_ZIP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { ZIP_MAX_ENTRIES = 8 };

typedef struct zip_entry {
    char name[32];
    uint64_t size, offset;
    uint32_t crc;
    bool is_wide; /* 64-bit sizes in its local head */
} zip_entry;

typedef struct zip_writer {
    FILE *file;
    /* Sizes and offsets from here on take 64 bits; 2³² − 1 but in tests. */
    uint64_t wide_from;
    uint64_t offset; /* where the next byte goes */
    int32_t n_entries;
    zip_entry entries[ZIP_MAX_ENTRIES];
    uint32_t crc_table[256];
    bool failed; /* a seek; the file's own error flag tells of writes */
} zip_writer;

void zip_begin(zip_writer *z, FILE *file);
/* At most ZIP_MAX_ENTRIES, of names up to 31 characters; then exactly `size` bytes must be added. */
void zip_begin_entry(zip_writer *z, const char *name, uint64_t size);
void zip_add(zip_writer *z, const void *bytes, size_t n);
void zip_end_entry(zip_writer *z);
/* False: something before could not be written. */
bool zip_end(zip_writer *z);

#endif
