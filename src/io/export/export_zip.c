/* SPDX-License-Identifier: MIT */
/* Zip as in PKWARE's APPNOTE 6.3: 4.3.7 local heads, 4.3.12 central directory, 4.3.14-16 the end records, 4.5.3 the
 * 64-bit extra field. The sum of an entry is known only after its bytes, so its local head is corrected by a seek. All
 * dates are the first one that zip knows, so that equal content gives equal bytes. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "io/export/export_zip.h"

#include "io/export/export_bytes.h"

#include <assert.h>

enum { ZIP_DATE_1980 = 0x0021, ZIP_VERSION = 20, ZIP_VERSION_WIDE = 45, ZIP_UTF8_NAMES = 0x0800, ZIP_CRC_AT = 14 };

void zip_begin(zip_writer *z, FILE *file)
{
    *z = (zip_writer){.file = file, .wide_from = UINT32_MAX};
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1u ? 0xEDB88320u ^ c >> 1 : c >> 1;
        z->crc_table[i] = c;
    }
}

static void zip_write_bytes(zip_writer *z, const void *bytes, size_t n)
{
    fwrite(bytes, 1, n, z->file);
    z->offset += n;
}

/* What a 32-bit field says of a number: itself, or "see the 64-bit field". */
static uint32_t zip_narrow(const zip_writer *z, uint64_t x)
{
    return x >= z->wide_from ? UINT32_MAX : (uint32_t)x;
}

/* The fields that local heads and the directory share, from "version needed" on: 26 bytes. */
static void zip_put_common(unsigned char b[26], const zip_entry *e, bool is_wide, uint32_t size, uint32_t n_extra)
{
    put_u16_le(b, is_wide ? ZIP_VERSION_WIDE : ZIP_VERSION);
    put_u16_le(b + 2, ZIP_UTF8_NAMES);
    put_u16_le(b + 4, 0); /* stored */
    put_u16_le(b + 6, 0);
    put_u16_le(b + 8, ZIP_DATE_1980);
    put_u32_le(b + 10, e->crc);
    put_u32_le(b + 14, size);
    put_u32_le(b + 18, size);
    put_u16_le(b + 22, (uint32_t)strlen(e->name));
    put_u16_le(b + 24, n_extra);
}

void zip_begin_entry(zip_writer *z, const char *name, uint64_t size)
{
    assert(z->n_entries < ZIP_MAX_ENTRIES && strlen(name) < sizeof z->entries[0].name);
    zip_entry *e = &z->entries[z->n_entries++];
    *e = (zip_entry){.size = size, .offset = z->offset, .is_wide = size >= z->wide_from};
    snprintf(e->name, sizeof e->name, "%s", name);
    unsigned char head[30], extra[20];
    put_u32_le(head, 0x04034B50u);
    zip_put_common(head + 4, e, e->is_wide, zip_narrow(z, size), e->is_wide ? sizeof extra : 0);
    zip_write_bytes(z, head, sizeof head);
    zip_write_bytes(z, e->name, strlen(e->name));
    if (e->is_wide) {
        put_u16_le(extra, 1);
        put_u16_le(extra + 2, 16);
        put_u64_le(extra + 4, size);
        put_u64_le(extra + 12, size);
        zip_write_bytes(z, extra, sizeof extra);
    }
    e->crc = UINT32_MAX;
}

void zip_add(zip_writer *z, const void *bytes, size_t n)
{
    zip_entry *e = &z->entries[z->n_entries - 1];
    const unsigned char *b = bytes;
    uint32_t crc = e->crc;
    for (size_t i = 0; i < n; i++)
        crc = z->crc_table[(crc ^ b[i]) & 255u] ^ crc >> 8;
    e->crc = crc;
    zip_write_bytes(z, bytes, n);
}

void zip_end_entry(zip_writer *z)
{
    zip_entry *e = &z->entries[z->n_entries - 1];
    unsigned char crc[4];
    e->crc = ~e->crc;
    put_u32_le(crc, e->crc);
    bool done = fseeko(z->file, (off_t)(e->offset + ZIP_CRC_AT), SEEK_SET) == 0;
    done = done && fwrite(crc, 1, sizeof crc, z->file) == sizeof crc;
    done = done && fseeko(z->file, (off_t)z->offset, SEEK_SET) == 0;
    z->failed = z->failed || !done;
}

static void write_directory_entry(zip_writer *z, const zip_entry *e)
{
    unsigned char head[46] = {0}, extra[28];
    size_t n = 4;
    if (e->is_wide) {
        put_u64_le(extra + n, e->size);
        put_u64_le(extra + n + 8, e->size);
        n += 16;
    }
    if (e->offset >= z->wide_from) {
        put_u64_le(extra + n, e->offset);
        n += 8;
    }
    bool has_extra = n > 4;
    put_u16_le(extra, 1);
    put_u16_le(extra + 2, (uint32_t)n - 4);
    put_u32_le(head, 0x02014B50u);
    put_u16_le(head + 4, has_extra ? ZIP_VERSION_WIDE : ZIP_VERSION);
    zip_put_common(head + 6, e, has_extra, zip_narrow(z, e->size), has_extra ? (uint32_t)n : 0);
    put_u32_le(head + 42, zip_narrow(z, e->offset));
    zip_write_bytes(z, head, sizeof head);
    zip_write_bytes(z, e->name, strlen(e->name));
    if (has_extra)
        zip_write_bytes(z, extra, n);
}

static void write_wide_end(zip_writer *z, uint64_t start, uint64_t size)
{
    unsigned char end[56] = {0}, locator[20] = {0};
    uint64_t at = z->offset;
    put_u32_le(end, 0x06064B50u);
    put_u64_le(end + 4, sizeof end - 12);
    put_u16_le(end + 12, ZIP_VERSION_WIDE);
    put_u16_le(end + 14, ZIP_VERSION_WIDE);
    put_u64_le(end + 24, (uint64_t)z->n_entries);
    put_u64_le(end + 32, (uint64_t)z->n_entries);
    put_u64_le(end + 40, size);
    put_u64_le(end + 48, start);
    put_u32_le(locator, 0x07064B50u);
    put_u64_le(locator + 8, at);
    put_u32_le(locator + 16, 1);
    zip_write_bytes(z, end, sizeof end);
    zip_write_bytes(z, locator, sizeof locator);
}

bool zip_end(zip_writer *z)
{
    uint64_t start = z->offset;
    for (int32_t i = 0; i < z->n_entries; i++)
        write_directory_entry(z, &z->entries[i]);
    uint64_t size = z->offset - start;
    if (start >= z->wide_from)
        write_wide_end(z, start, size);
    unsigned char end[22] = {0};
    put_u32_le(end, 0x06054B50u);
    put_u16_le(end + 8, (uint32_t)z->n_entries);
    put_u16_le(end + 10, (uint32_t)z->n_entries);
    put_u32_le(end + 12, (uint32_t)size);
    put_u32_le(end + 16, zip_narrow(z, start));
    zip_write_bytes(z, end, sizeof end);
    return !z->failed && !ferror(z->file);
}
