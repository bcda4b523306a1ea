/* SPDX-License-Identifier: MIT */
/* A 64-bit hash of bytes, for the state hash and the check sums of snapshots; not for security. The same on every
 * platform: 8 bytes at a time, read little-endian. */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0x9e3779b97f4a7c15)

/* Goes on from h with n more bytes. */
uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n);

#endif
