/* Reads fatbins. See fatbin.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fatbins come from the memory of other programs, so no size in them is trusted.
 */
#include "capture/images/fatbin.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/error.h"

enum {
    /* bytes of a fatbin's header: magic number (4 bytes), version (2), bytes of this header (2),
     * bytes of all entries (8) */
    HEAD_BYTES = 16,
    HEAD_BYTES_AT = 6,
    HEAD_FILES_AT = 8 /* bytes of all entries (8) */
};
static const uint32_t magic = 0xba55ed50;

/* Offsets of the members in the header of an entry, in bytes. ENTRY_BYTES: least size of the
 * header. */
enum {
    ENTRY_KIND = 0,            /* 2 bytes: 1 for PTX, 2 for a cubin */
    ENTRY_HEADER_BYTES = 4,    /* 4 bytes */
    ENTRY_PAYLOAD_BYTES = 8,   /* 8 bytes: bytes to the next entry's header */
    ENTRY_PACKED_BYTES = 16,   /* 4 bytes: bytes of the compressed payload; 0: not compressed */
    ENTRY_ARCH = 28,           /* 4 bytes */
    ENTRY_FLAGS = 40,          /* 8 bytes */
    ENTRY_UNPACKED_BYTES = 56, /* 8 bytes: bytes of the decompressed payload */
    ENTRY_BYTES = 64
};
enum { KIND_PTX = 1, KIND_CUBIN = 2, FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
enum { LONGEST_TEXT = 64 << 20, MOST_ENTRIES = 10000 };

/* Returns the little-endian number in the `size` bytes from `at` on. */
static uint64_t number(const uint8_t *at, size_t size)
{
    uint64_t value = 0;

    for (size_t b = size; b-- > 0;)
        value = value << 8 | at[b];
    return value;
}

static pm_fatbin_packing packing_of(uint64_t flags)
{
    return flags & FLAG_ZSTD ? PM_FATBIN_ZSTD : flags & FLAG_LZ4 ? PM_FATBIN_LZ4 : PM_FATBIN_PLAIN;
}

/* Reads the entry at the beginning of `left` bytes. Returns the bytes to the next entry; 0 if the
 * entry is damaged. */
static size_t read_entry(const uint8_t *at, size_t left, pm_fatbin_entry *entry, uint64_t *kind)
{
    uint64_t header, payload, packed;

    if (left < ENTRY_BYTES)
        return 0;
    *kind = number(at + ENTRY_KIND, 2);
    header = number(at + ENTRY_HEADER_BYTES, 4);
    payload = number(at + ENTRY_PAYLOAD_BYTES, 8);
    packed = number(at + ENTRY_PACKED_BYTES, 4);
    *entry = (pm_fatbin_entry){.is_ptx = *kind == KIND_PTX,
                               .arch = (unsigned)number(at + ENTRY_ARCH, 4),
                               .packing = packing_of(number(at + ENTRY_FLAGS, 8))};
    if (header < ENTRY_BYTES || header > left || payload > left - header || packed > payload)
        return 0;
    entry->payload = at + header;
    entry->payload_bytes = entry->packing != PM_FATBIN_PLAIN && packed > 0 ? packed : payload;
    entry->bytes =
        entry->packing == PM_FATBIN_PLAIN ? payload : number(at + ENTRY_UNPACKED_BYTES, 8);
    return header + payload;
}

pm_status pm_fatbin_read(pm_memory *memory, const void *bytes, size_t size, pm_fatbin *fatbin,
                         pm_error *err)
{
    const uint8_t *at = bytes;
    uint64_t head, left;

    *fatbin = (pm_fatbin){0};
    if (size < HEAD_BYTES || number(at, 4) != magic)
        return pm_fail(err, PM_BAD_INPUT, "it does not begin like a fatbin");
    head = number(at + HEAD_BYTES_AT, 2);
    left = number(at + HEAD_FILES_AT, 8);
    if (head < HEAD_BYTES || head > size || left > size - head)
        return pm_fail(err, PM_BAD_INPUT, "the fatbin is shorter than its header says");
    at += head;
    while (left > 0) {
        pm_fatbin_entry entry;
        uint64_t kind = 0;
        const size_t length =
            fatbin->count < MOST_ENTRIES ? read_entry(at, left, &entry, &kind) : 0;

        if (length == 0)
            return pm_fail(err, PM_BAD_INPUT, "entry %zu of the fatbin is damaged",
                           fatbin->count + 1);
        if (kind == KIND_PTX || kind == KIND_CUBIN)
            *pm_add(memory, fatbin->entries, fatbin->count) = entry;
        at += length;
        left -= length;
    }
    return PM_OK;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Decompresses the payload to `to`, which has room for entry->bytes bytes. Returns whether exactly
 * as many bytes came out. */
static bool unpack(const pm_fatbin_entry *entry, char *to)
{
    const char *from = (const char *)entry->payload;

    if (entry->packing == PM_FATBIN_ZSTD)
        return ZSTD_decompress(to, entry->bytes, from, entry->payload_bytes) == entry->bytes;
    if (entry->packing == PM_FATBIN_LZ4)
        return entry->payload_bytes <= LZ4_MAX_INPUT_SIZE &&
               LZ4_decompress_safe(from, to, (int)entry->payload_bytes, (int)entry->bytes) ==
                   (int)entry->bytes;
    memcpy(to, from, entry->bytes);
    return true;
}

char *pm_fatbin_text(const pm_fatbin_entry *entry, pm_error *err)
{
    char *text = NULL;

    if (entry->bytes > LONGEST_TEXT) {
        pm_fail(err, PM_BAD_INPUT, "its PTX has more than %d MiB", LONGEST_TEXT >> 20);
        return NULL;
    }
    text = malloc(entry->bytes + 1);
    if (!text) {
        pm_fail(err, PM_FAILED, "out of memory");
        return NULL;
    }
    if (!unpack(entry, text)) {
        pm_fail(err, PM_BAD_INPUT, "its compressed PTX for compute_%u is damaged", entry->arch);
        free(text);
        return NULL;
    }
    text[entry->bytes] = '\0';
    return text;
}
