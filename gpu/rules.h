/* The rules by which a GPU counts: from its row of devices.csv.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_GPU_RULES_H
#define PM_GPU_RULES_H

#include "gpu/devices_table.h"

/* The widest warp of any GPU (AMD's wavefront). */
enum { PM_MAX_WARP = 64 };

/* How a warp's addresses become transactions of global memory. */
typedef enum {
    PM_COALESCE_STRICT,   /* compute capability 1.0, 1.1: a half-warp in order and aligned, or one
                           * transaction a work-item */
    PM_COALESCE_SEGMENTS, /* 1.2, 1.3: segments of 32, 64 or 128 bytes for each half-warp, shrunk */
    PM_COALESCE_LINES,    /* 2.x: whole 128-byte lines through L1 */
    PM_COALESCE_SECTORS,  /* 3.x on: 32-byte sectors of 128-byte lines */
    PM_COALESCE_ITEMS     /* CPUs: each work-item's own access to a line of the cache */
} pm_coalescing;

/* What a global access of several lines costs in passes through L1. */
typedef enum {
    PM_GLOBAL_BANKS,   /* compute capability 7.0 on: one instruction, passes by banks of data */
    PM_GLOBAL_LINES,   /* 5.x, 6.1: one instruction, a pass for each line, and for a load as many as
                        * its two texture units need if these are more */
    PM_GLOBAL_REPLAYS, /* 2.x: a pass for each line, and it is issued again for each but the first
                        */
    PM_GLOBAL_QUADS,   /* AMD's GCN and CDNA: four work-items a pass, 16 whose words lie together */
    PM_GLOBAL_REISSUES, /* 3.x: a pass for each line, and it is issued again for each */
    PM_GLOBAL_TEXTURE   /* 6.0: as lines, with one texture unit */
} pm_global_access;

/* What a store leaves in L1 of the lines that it writes. */
typedef enum {
    PM_STORES_BY_ARRAY, /* NVIDIA: all that it wrote where L1 and shared memory are one array, else
                         * nothing */
    PM_STORES_WHOLE     /* AMD's GCN and CDNA: lines that it wrote whole */
} pm_l1_stores;

/* Whose registers are rounded up when they are given out. */
typedef enum {
    PM_REGISTERS_GROUP, /* compute capability 1.x: a work-group's together */
    PM_REGISTERS_WARP   /* 2.x on: each warp's */
} pm_register_scope;

enum { PM_MAX_CARVEOUTS = 16 };

typedef struct {
    char device[64];
    unsigned compute_units;
    unsigned warp_width; /* work-items; at most PM_MAX_WARP */
    pm_coalescing coalescing;

    bool l1_global;  /* global loads go through L1 */
    bool l1_unified; /* L1 and shared memory share one array: l1_bytes is both together */
    size_t l1_bytes; /* of a compute unit; 0: none */
    /* Bytes, bytes, lines of a set. Line and sector are known without an L1 too: what a warp asks
     * for at once, and the least of it; there are at most 32 sectors in a line. */
    unsigned l1_line, l1_sector, l1_ways;
    /* Of the read-only cache that loads of what is only read go through where others pass by L1;
     * its lines are L1's. 0: none, or L1 has them anyway. */
    size_t readonly_bytes;
    pm_global_access global_access;
    pm_l1_stores l1_stores;
    /* Bytes at multiples of which a global access of several words may start: 4 on AMD's GPUs.
     * 0: of all that it takes. */
    unsigned wide_align;
    /* Of the cache that gives loads of one place for all work-items (AMD's scalar loads); its lines
     * are L1's. 0: none. */
    size_t scalar_bytes;

    size_t shared_bytes;       /* that the groups of a compute unit can have together */
    size_t shared_group_bytes; /* that one group can have */
    size_t shared_reserved;    /* bytes that each group takes besides its own */
    unsigned shared_unit;      /* bytes of a group are given out in multiples of it */
    unsigned shared_banks;
    unsigned shared_bank_bytes; /* that a bank gives in one pass: a word of 4, or 2 of them */
    size_t carveouts[PM_MAX_CARVEOUTS]; /* unified: bytes that can be shared memory, ascending */
    size_t carveout_count;
    size_t shared_spare; /* unified: up to here the driver makes room for more groups; 0: it does
                            not */

    size_t l2_bytes;                      /* of the GPU; 0: none */
    unsigned l2_line, l2_sector, l2_ways; /* as L1's */
    double l2_far; /* share of sectors that pass a second slice on their way, counted twice */
    /* Of the cache between L2 and memory that keeps what memory gave (AMD's Infinity Cache), in
     * lines as L2's. 0: none. */
    size_t l3_bytes;

    unsigned max_warps, max_groups; /* resident on a compute unit */
    unsigned max_lone_groups;       /* of one warp, which need no barrier; 0: max_groups */
    unsigned registers; /* 32-bit, of a compute unit; of a CPU's core: instructions under way */
    pm_register_scope register_scope;
    unsigned register_unit; /* registers are given out in multiples of it */
    /* Scope group: a group's warps count in multiples of it. Scope warp: the schedulers, which have
     * equal parts of the registers, so that as many warps fit into each. */
    unsigned warp_unit;
    unsigned max_registers; /* of a work-item */

    double compute_capability; /* NVIDIA's number, such as 9.0; 0: none, or unknown */
    /* What LLVM's AMDGPU back end calls the chip, such as gfx90a; "": another maker's, or unknown
     */
    char llvm_processor[16];
} pm_gpu;

/* Reads the rules of a device from devices.csv: looked for in folder (may be NULL), then
 * $PERFMODEL_DATASETS, then the shipped one. A device without a row is PM_BAD_INPUT and lists those
 * with one; an empty or impossible cell is named. */
pm_status pm_gpu_find(const char *device, const char *folder, pm_gpu *gpu, pm_error *err);

/* The same of a row that was read: of devices.csv, or brought by a dataset. */
pm_status pm_gpu_of_row(const pm_device_row *cells, const char *device, pm_gpu *gpu, pm_error *err);

/* Work-groups that one compute unit holds at once, at least 1; by what it says in limit (may be
 * NULL): "groups", "warps", "registers" or "shared", the first of them that allows no more.
 * registers: of a work-item; 0: unknown, no limit. shared: bytes of a work-group, without those
 * that are reserved. The rules are those of NVIDIA's CUDA Occupancy Calculator. */
unsigned pm_gpu_resident(const pm_gpu *gpu, unsigned work_items, unsigned registers, size_t shared,
                         const char **limit);

/* Its compute capability as compilers have it: 90 is 9.0; 0: none, or unknown. */
unsigned pm_gpu_capability(const pm_gpu *gpu);

/* Whether it is a CPU: a core runs a work-group as loops over its work-items, from barrier to
 * barrier. What a compiler can vectorise is done for warp_width of them (the lanes of a vector) at
 * once, the rest for one after the other. */
bool pm_gpu_runs_loops(const pm_gpu *gpu);

/* Bytes that are left for L1 when `resident` groups of `shared` bytes each share the array: the
 * smallest part of it that holds them becomes shared memory (the largest if none does). With
 * shared_spare, the part is as large as twice as many groups need (without shared memory of their
 * own: as many as there can be), but no larger than shared_spare for their sake. That is what
 * driver 580 does on an H100 for work-groups of less than 512 work-items; larger ones get less. */
size_t pm_gpu_l1_bytes(const pm_gpu *gpu, unsigned resident, size_t shared);

#endif
