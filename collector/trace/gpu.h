/* The rules by which a GPU counts: from its row of devices.csv.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_GPU_H
#define PM_COLLECTOR_TRACE_GPU_H

#include "perfmodel.h"

/* How a warp's addresses become transactions of global memory. */
typedef enum {
    PM_COALESCE_STRICT,   /* compute capability 1.0, 1.1: a half-warp in order and aligned, or one
                           * transaction a work-item */
    PM_COALESCE_SEGMENTS, /* 1.2, 1.3: segments of 32, 64 or 128 bytes for each half-warp, shrunk */
    PM_COALESCE_LINES,    /* 2.x: whole 128-byte lines through L1 */
    PM_COALESCE_SECTORS   /* 3.x on: 32-byte sectors of 128-byte lines */
} pm_coalescing;

typedef struct {
    char device[64];
    unsigned compute_units;
    unsigned warp_width; /* work-items; at most PM_MAX_WARP */
    pm_coalescing coalescing;

    bool l1_global;  /* global loads go through L1 */
    bool l1_unified; /* L1 and shared memory share one array: l1_bytes is both together */
    size_t l1_bytes; /* of a compute unit; 0: none */
    unsigned l1_line, l1_sector, l1_ways; /* bytes, bytes, lines of a set */

    size_t shared_bytes;       /* that the groups of a compute unit can have together */
    size_t shared_group_bytes; /* that one group can have */
    unsigned shared_banks, shared_bank_bytes;

    size_t l2_bytes; /* of the GPU; 0: none */
    unsigned l2_line, l2_sector, l2_ways;
    double l2_far; /* share of sectors that pass a second slice on their way, counted twice */

    unsigned max_warps, max_groups; /* resident on a compute unit */
    unsigned registers;             /* 32-bit, of a compute unit */
    unsigned register_unit;         /* registers of a warp are given out in multiples of it */
    unsigned max_registers;         /* of a work-item */
} pm_gpu;

/* Reads the rules of a device from devices.csv: looked for in folder (may be NULL), then
 * $PERFMODEL_DATASETS, then the shipped one. A device without a row is PM_BAD_INPUT and lists those
 * with one; a row without rules says which cell to fill. */
pm_status pm_gpu_find(const char *device, const char *folder, pm_gpu *gpu, pm_error *err);

/* Work-groups that one compute unit holds at once, at least 1; by what it says in limit (may be
 * NULL): "groups", "warps", "registers" or "shared". registers: of a work-item; shared: bytes of a
 * work-group. NVIDIA's occupancy calculator's rules. */
unsigned pm_gpu_resident(const pm_gpu *gpu, unsigned work_items, unsigned registers, size_t shared,
                         const char **limit);

/* Bytes that are left for L1 when `resident` groups of `shared` bytes each share the array. */
size_t pm_gpu_l1_bytes(const pm_gpu *gpu, unsigned resident, size_t shared);

#endif
