/* Fatbins: NVIDIA's containers of PTX and machine code for several GPUs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fatbin has a header and then entries, each with a header of its own and a payload: PTX text, or
 * a cubin (an ELF file with machine code). The payload may be compressed by LZ4 or zstd. NVIDIA
 * does not document the format; it is what nvcc 11 to 13 writes. All numbers are little-endian.
 */
#ifndef PM_CAPTURE_IMAGES_FATBIN_H
#define PM_CAPTURE_IMAGES_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef enum { PM_FATBIN_PLAIN, PM_FATBIN_LZ4, PM_FATBIN_ZSTD } pm_fatbin_packing;

/* An entry of a fatbin: PTX or a cubin. */
typedef struct {
    bool is_ptx;   /* true: PTX; false: a cubin */
    unsigned arch; /* GPU architecture: 90 for compute_90 and sm_90 */
    pm_fatbin_packing packing;
    /* the payload, which may be compressed: a pointer into the fatbin, which must exist as long as
     * the entry */
    const uint8_t *payload;
    size_t payload_bytes;
    uint64_t bytes; /* size of the decompressed payload */
} pm_fatbin_entry;

typedef struct {
    size_t count;
    pm_fatbin_entry *entries;
} pm_fatbin;

/* Finds the PTX and cubins in a fatbin of `size` bytes; entries of other kinds are skipped.
 * `memory` owns the entries. PM_BAD_INPUT if the fatbin is damaged; its entries before the damage
 * are found nevertheless. */
pm_status pm_fatbin_read(pm_memory *memory, const void *bytes, size_t size, pm_fatbin *fatbin,
                         pm_error *err);
/* Returns the text of a PTX entry, which the caller frees. NULL with err if the payload is damaged,
 * if the text has more than 64 MiB, or if memory runs out. */
char *pm_fatbin_text(const pm_fatbin_entry *entry, pm_error *err);

#endif
