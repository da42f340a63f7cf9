/* The rules by which the trace engine counts for a GPU, read from its row of devices.csv.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_RULES_H
#define PM_MACHINE_RULES_H

#include "machine/devices_table.h"

/* Widest warp of any GPU (AMD's wavefront). */
enum { PM_MAX_WARP = 64 };

/* Rule for coalescing the addresses of a warp into transactions of global memory. */
typedef enum {
    /* compute capability 1.0, 1.1: one transaction if a half-warp is in order and aligned,
     * otherwise one per work-item */
    PM_COALESCE_STRICT,
    /* 1.2, 1.3: segments of 32, 64 or 128 bytes per half-warp, as small as possible */
    PM_COALESCE_SEGMENTS,
    PM_COALESCE_LINES,   /* 2.x: whole 128-byte lines through L1 */
    PM_COALESCE_SECTORS, /* 3.x and later: 32-byte sectors of 128-byte lines */
    PM_COALESCE_ITEMS    /* CPUs: each work-item accesses a cache line separately */
} pm_coalescing;

/* Number of passes through L1 of a global access that touches several lines. */
typedef enum {
    /* compute capability 7.0 and later: issued once; passes by bank conflicts in the data array */
    PM_GLOBAL_BANKS,
    /* 5.x, 6.1: issued once; one pass per line. A load needs at least the passes of its two texture
     * units. */
    PM_GLOBAL_LINES,
    PM_GLOBAL_REPLAYS, /* 2.x: one pass per line; issued again for each line but the first */
    /* AMD's GCN and CDNA: a pass serves four work-items, or 16 whose words are adjacent */
    PM_GLOBAL_QUADS,
    PM_GLOBAL_REISSUES, /* 3.x: one pass per line; issued again for each line */
    PM_GLOBAL_TEXTURE   /* 6.0: as PM_GLOBAL_LINES, with one texture unit */
} pm_global_access;

/* Data that a store leaves in L1. */
typedef enum {
    /* NVIDIA: everything written if L1 and shared memory are one array, otherwise nothing */
    PM_STORES_BY_ARRAY,
    PM_STORES_WHOLE /* AMD's GCN and CDNA: lines that were written completely */
} pm_l1_stores;

/* Granularity of register allocation. */
typedef enum {
    PM_REGISTERS_GROUP, /* compute capability 1.x: rounded up per work-group */
    PM_REGISTERS_WARP   /* 2.x and later: rounded up per warp */
} pm_register_scope;

enum { PM_MAX_CARVEOUTS = 16 };

typedef struct {
    char device[64];
    unsigned compute_units;
    unsigned warp_width; /* work-items, at most PM_MAX_WARP */
    pm_coalescing coalescing;

    bool l1_global;  /* global loads go through L1 */
    bool l1_unified; /* L1 and shared memory are one array of l1_bytes */
    size_t l1_bytes; /* per compute unit; 0: no L1 */
    /* Bytes of a line, bytes of a sector, lines of a set. Line and sector are valid without an L1
     * too: the size of a warp's request, and the least part of it. A line has at most 32 sectors.
     */
    unsigned l1_line, l1_sector, l1_ways;
    /* Bytes of the read-only cache that serves loads of read-only data if global loads bypass L1.
     * Its lines are as L1's. 0: none, or L1 serves them. */
    size_t readonly_bytes;
    pm_global_access global_access;
    pm_l1_stores l1_stores;
    /* Alignment in bytes that a global access of several words needs: 4 on AMD's GPUs. 0: the size
     * of the access. */
    unsigned wide_align;
    /* Bytes of the cache for loads of one address by all work-items (AMD's scalar loads). Its lines
     * are as L1's. 0: none. */
    size_t scalar_bytes;

    size_t shared_bytes;       /* of a compute unit, for all its work-groups */
    size_t shared_group_bytes; /* most for one work-group */
    size_t shared_reserved;    /* bytes that each work-group occupies besides its own */
    unsigned shared_unit;      /* granularity of a work-group's allocation in bytes */
    unsigned shared_banks;
    unsigned shared_bank_bytes; /* bytes that a bank delivers in one pass: 4 or 8 */
    /* if l1_unified: possible sizes of shared memory in bytes, ascending */
    size_t carveouts[PM_MAX_CARVEOUTS];
    size_t carveout_count;
    /* if l1_unified: up to this size in bytes the driver reserves shared memory for further
     * work-groups; 0: it reserves none */
    size_t shared_spare;

    size_t l2_bytes;                      /* of the GPU; 0: no L2 */
    unsigned l2_line, l2_sector, l2_ways; /* as for L1 */
    /* fraction of sectors that pass through a second L2 slice, and are counted twice */
    double l2_far;
    /* Bytes of the cache between L2 and DRAM that keeps data read from DRAM (AMD's Infinity Cache),
     * with lines as L2's. 0: none. */
    size_t l3_bytes;

    unsigned max_warps, max_groups; /* most that are resident on a compute unit */
    /* most resident work-groups of one warp, which need no barrier; 0: max_groups */
    unsigned max_lone_groups;
    /* 32-bit registers of a compute unit; for a CPU: instructions in flight per core */
    unsigned registers;
    pm_register_scope register_scope;
    unsigned register_unit; /* granularity of register allocation */
    /* Scope group: a work-group's number of warps is rounded up to a multiple of it. Scope warp:
     * number of schedulers. Each has an equal part of the registers, so that each holds the same
     * number of warps. */
    unsigned warp_unit;
    unsigned max_registers; /* most that a work-item can have */

    double compute_capability; /* NVIDIA's number, such as 9.0; 0: unknown, or another maker's */
    /* name of the chip in LLVM's AMDGPU back end, such as gfx90a; "": unknown, or another maker's
     */
    char llvm_processor[16];
} pm_gpu;

/* Reads the rules of a device. The table is found as in pm_device_row_read. A device without a row
 * is PM_BAD_INPUT with suggestions, and an empty or impossible cell is PM_BAD_INPUT with its name.
 */
pm_status pm_gpu_find(const char *device, const char *folder, pm_gpu *gpu, pm_error *err);

/* Same, from a row of devices.csv or of a dataset that has been read. */
pm_status pm_gpu_of_row(const pm_device_row *cells, const char *device, pm_gpu *gpu, pm_error *err);

/* Number of work-groups resident on one compute unit, at least 1, as NVIDIA's CUDA Occupancy
 * Calculator computes it. registers: per work-item; 0: unknown, which does not limit. shared: bytes
 * of a work-group without reserved ones. *limit (limit may be NULL) gets the first resource that
 * limits: "groups", "warps", "registers" or "shared". */
unsigned pm_gpu_resident(const pm_gpu *gpu, unsigned work_items, unsigned registers, size_t shared,
                         const char **limit);

/* Compute capability in the form of compilers: 90 means 9.0; 0: unknown, or none. */
unsigned pm_gpu_capability(const pm_gpu *gpu);

/* True for a CPU. A core runs a work-group as loops over its work-items from barrier to barrier.
 * Vectorised code processes warp_width work-items (vector lanes) at once, other code one after the
 * other. */
bool pm_gpu_runs_loops(const pm_gpu *gpu);

/* Bytes left for L1 when `resident` work-groups of `shared` bytes each are on a compute unit.
 * Shared memory gets the smallest carve-out that holds them, or the largest if none does. With
 * shared_spare, the carve-out also holds up to twice as many work-groups, or max_groups if they use
 * no shared memory, but at most shared_spare bytes for this purpose. Driver 580 does this on an
 * H100 for work-groups of less than 512 work-items; for larger ones it reserves less. */
size_t pm_gpu_l1_bytes(const pm_gpu *gpu, unsigned resident, size_t shared);

#endif
