/* Properties of a GPU by which the trace engine simulates it, such as the sizes of its caches and
 * its coalescing rule. They are read from the GPU's row of devices.csv.
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
    /* Compute capability 1.0 and 1.1: a half-warp takes one transaction if its addresses are
     * consecutive in the order of the work-items and aligned, otherwise one per work-item. */
    PM_COALESCE_STRICT,
    /* Compute capability 1.2 and 1.3: a half-warp takes segments of 32, 64 or 128 bytes, each as
     * small as possible. */
    PM_COALESCE_SEGMENTS,
    PM_COALESCE_LINES,   /* compute capability 2.x: whole 128-byte lines, through L1 */
    PM_COALESCE_SECTORS, /* compute capability 3.x and later: 32-byte sectors of 128-byte lines */
    PM_COALESCE_ITEMS    /* CPUs: each work-item accesses a cache line separately */
} pm_coalescing;

/* Rule for the number of passes through L1 that one memory instruction of a warp takes if it
 * accesses several cache lines. */
typedef enum {
    /* Compute capability 7.0 and later: the instruction is issued once. The number of passes
     * follows from bank conflicts in the data array of L1. */
    PM_GLOBAL_BANKS,
    /* Compute capability 5.x and 6.1: the instruction is issued once and takes one pass for each
     * line. The work-items of a warp are divided between two texture units, and a load takes at
     * least as many passes as they need. */
    PM_GLOBAL_LINES,
    /* compute capability 2.x: one pass for each line; the instruction is issued again for each line
     * except the first */
    PM_GLOBAL_REPLAYS,
    /* AMD's GCN and CDNA: one pass serves four work-items, or 16 work-items if they access adjacent
     * words */
    PM_GLOBAL_QUADS,
    /* compute capability 3.x: one pass for each line; the instruction is issued again for each
     * line */
    PM_GLOBAL_REISSUES,
    PM_GLOBAL_TEXTURE /* compute capability 6.0: like PM_GLOBAL_LINES, but with one texture unit */
} pm_global_access;

/* Rule that decides which data that a kernel has stored stay in L1. */
typedef enum {
    /* NVIDIA: L1 keeps all written data if L1 and shared memory share one array, otherwise none */
    PM_STORES_BY_ARRAY,
    PM_STORES_WHOLE /* AMD's GCN and CDNA: L1 keeps only cache lines that were written completely */
} pm_l1_stores;

/* Scope in which the number of allocated registers is rounded up to a multiple of register_unit. */
typedef enum {
    PM_REGISTERS_GROUP, /* compute capability 1.x: the registers of a work-group are rounded up */
    /* compute capability 2.x and later: the registers of a warp are rounded up */
    PM_REGISTERS_WARP
} pm_register_scope;

enum { PM_MAX_CARVEOUTS = 16 };

typedef struct {
    char device[64];
    unsigned compute_units;
    unsigned warp_width; /* number of work-items of a warp, at most PM_MAX_WARP */
    pm_coalescing coalescing;

    bool l1_global;  /* true: global loads use L1; false: they bypass it */
    bool l1_unified; /* true: L1 and shared memory share one array of l1_bytes bytes */
    size_t l1_bytes; /* size of L1 per compute unit; 0: no L1 */
    /* l1_line: size of a cache line of L1 in bytes. l1_sector: size of a sector in bytes; a line
     * has at most 32 sectors. l1_ways: number of lines in a set. If there is no L1, l1_line and
     * l1_sector are the size of a warp's memory request and its granularity. */
    unsigned l1_line, l1_sector, l1_ways;
    /* Size of the read-only cache in bytes. It serves loads of read-only data if global loads
     * bypass L1. Its lines have the size of L1's. 0: there is none, or L1 serves these loads. */
    size_t readonly_bytes;
    pm_global_access global_access;
    pm_l1_stores l1_stores;
    /* Alignment in bytes that a global memory access of several 32-bit words needs; 4 on AMD's
     * GPUs. 0: it must be aligned to its own size. */
    unsigned wide_align;
    /* Size in bytes of the cache for loads by which all work-items of a warp read one address
     * (AMD's scalar loads). Its lines have the size of L1's. 0: there is none. */
    size_t scalar_bytes;

    /* bytes of shared memory of a compute unit, for all its work-groups */
    size_t shared_bytes;
    /* largest amount of shared memory that one work-group may use, bytes */
    size_t shared_group_bytes;
    /* bytes of shared memory that a work-group occupies in addition to its own arrays */
    size_t shared_reserved;
    unsigned shared_unit; /* granularity of a work-group's allocation in bytes */
    unsigned shared_banks;
    unsigned shared_bank_bytes; /* bytes that a bank delivers in one pass: 4 or 8 */
    /* possible sizes of shared memory in bytes, ascending; only if l1_unified */
    size_t carveouts[PM_MAX_CARVEOUTS];
    size_t carveout_count;
    /* Only if l1_unified: the driver reserves shared memory for work-groups that are not resident
     * yet, up to this total in bytes. 0: it reserves none. */
    size_t shared_spare;

    size_t l2_bytes; /* size of the GPU's L2; 0: no L2 */
    /* line size and sector size of L2 in bytes, and its number of lines in a set */
    unsigned l2_line, l2_sector, l2_ways;
    /* Bytes that L2 reads from DRAM when a load misses: l2_sector or twice as much. 0: l2_sector.
     */
    unsigned l2_fetch;
    /* true: if only some bytes of a sector were written, L2 reads the sector from memory before it
     * writes the sector back */
    bool l2_fills;
    /* fraction (0 ... 1) of the sectors that pass through two slices of L2, and so are counted
     * twice */
    double l2_far;
    /* Bytes of the cache between L2 and DRAM (AMD's Infinity Cache), which keeps data read from
     * DRAM. Its lines have the size of L2's. 0: there is none. */
    size_t l3_bytes;

    /* largest numbers of warps and work-groups resident on a compute unit */
    unsigned max_warps, max_groups;
    /* Largest number of resident work-groups if each has only one warp. Such work-groups need no
     * barrier resource. 0: max_groups. */
    unsigned max_lone_groups;
    /* number of 32-bit registers of a compute unit; for a CPU: number of instructions in flight per
     * core */
    unsigned registers;
    pm_register_scope register_scope;
    /* granularity of register allocation: an allocation is rounded up to a multiple of this number
     */
    unsigned register_unit;
    /* If register_scope is PM_REGISTERS_GROUP: granularity to which a work-group's number of warps
     * is rounded up. If PM_REGISTERS_WARP: number of schedulers. Each scheduler has an equal part
     * of the registers, so each can hold the same number of warps. */
    unsigned warp_unit;
    unsigned max_registers; /* largest number of registers of a work-item */

    double compute_capability; /* NVIDIA's number, such as 9.0; 0: unknown, or another maker's */
    /* name of the chip in LLVM's AMDGPU back end, such as gfx90a; "": unknown, or another maker's
     */
    char llvm_processor[16];
} pm_gpu;

/* Reads the properties by which the trace engine simulates a device from devices.csv, which is
 * found as in pm_device_row_read. PM_BAD_INPUT with suggestions if the table does not have the
 * device. PM_BAD_INPUT with the column's name if a cell is empty or impossible. */
pm_status pm_gpu_find(const char *device, const char *folder, pm_gpu *gpu, pm_error *err);

/* Reads the properties by which the trace engine simulates a device from a row that the caller has
 * read. The row is from devices.csv or from a dataset's JSON file. Errors are those of
 * pm_gpu_find. */
pm_status pm_gpu_of_row(const pm_device_row *cells, const char *device, pm_gpu *gpu, pm_error *err);

/* Returns the number of work-groups resident on one compute unit, at least 1, as NVIDIA's CUDA
 * Occupancy Calculator computes it. registers: registers of a work-item; 0: unknown, and then no
 * limit. shared: bytes of shared memory that a work-group declares. *limit (limit may be NULL) gets
 * the first resource that limits: "groups", "warps", "registers" or "shared". */
unsigned pm_gpu_resident(const pm_gpu *gpu, unsigned work_items, unsigned registers, size_t shared,
                         const char **limit);

/* Returns NVIDIA's compute capability as compilers write it: 90 means 9.0. 0: unknown, or a GPU of
 * another vendor. */
unsigned pm_gpu_capability(const pm_gpu *gpu);

/* Returns true for a CPU. The trace engine lets a core run a work-group as loops over its
 * work-items, one loop between two barriers. Vectorised code processes warp_width work-items
 * (vector lanes) at once. Other code processes one work-item after the other. */
bool pm_gpu_runs_loops(const pm_gpu *gpu);

/* Returns the bytes left for L1 when `resident` work-groups of `shared` bytes each are on a compute
 * unit. Shared memory gets the smallest carve-out that holds these work-groups, or the largest one
 * if none does. If gpu->shared_spare is not 0, the carve-out holds up to twice as many work-groups,
 * or max_groups if they use no shared memory, as far as these need at most shared_spare bytes in
 * total. Driver 580 does this on an H100 for work-groups of less than 512 work-items; for larger
 * ones it reserves less. */
size_t pm_gpu_l1_bytes(const pm_gpu *gpu, unsigned resident, size_t shared);

#endif
