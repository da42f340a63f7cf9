/* A warp's access to memory. The part of the trace engine that runs warps passes it to the part
 * that simulates memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_ACCESS_H
#define PM_COLLECTOR_ENGINE_MEMORY_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/rules.h"

/* Address spaces of the hardware. Private memory contains a work-item's variables that do not fit
 * into registers (CUDA: local memory). */
typedef enum { PM_SPACE_GLOBAL, PM_SPACE_SHARED, PM_SPACE_CONSTANT, PM_SPACE_PRIVATE } pm_space;

typedef enum { PM_ACCESS_LOAD, PM_ACCESS_STORE, PM_ACCESS_ATOMIC } pm_access_kind;

/* Part of a texture fetch that a load makes. A fetch with linear filtering is one instruction, but
 * loads four texels by four loads. Only the first of these is counted as a request. */
typedef enum {
    PM_FETCH_NONE,  /* not a fetch */
    PM_FETCH_INDEX, /* fetch by an integer index in linear memory (tex1Dfetch) */
    /* the load of a fetch by coordinates, or of its first texel if the filtering is linear */
    PM_FETCH_POINT,
    /* linear filtering: load of the texel in the next row and the next column. Its sectors count.
     */
    PM_FETCH_OPPOSITE,
    /* linear filtering: load of one of the other two texels. Its sectors do not count, because they
     * are mostly those of the first or of the opposite texel. */
    PM_FETCH_BESIDE
} pm_fetch;

/* A memory instruction, executed once by a warp. */
typedef struct {
    pm_space space;
    pm_access_kind kind;
    bool read_only; /* true: a load of data that no instruction of the launch writes */
    pm_fetch fetch;
    /* true: not a load, but an arithmetic instruction that reads its operand from the constant
     * bank */
    bool operand;
    bool bypasses; /* true: a load that bypasses L1 */
    bool returns;  /* true: an atomic whose result is used */
    /* Wavefronts of an atomic on shared memory for each serialized work-item. 0: the atomic takes
     * the wavefronts of a load. */
    unsigned turn_wavefronts;
    /* true: all work-items of a warp have the same address, whatever the input data are */
    bool one_place;
    /* true: the access is part of a compare-and-swap retry loop on global memory */
    bool again;
    bool scalar;     /* true: AMD GPUs may execute the load once for all work-items (scalar load) */
    bool one_by_one; /* true (CPU only): executed work-item by work-item, not by vectors */
    /* True (CPU only): the index has int additions that may overflow. The compiler then cannot
     * prove that neighbouring work-items access neighbouring addresses. */
    bool wraps;
    unsigned bytes; /* bytes per work-item: 1, 2, 4, 8, 12 or 16 */
    /* mask of the work-items that make the access: bit l for work-item l of the warp; 0 if the
     * predicates of all work-items are off */
    uint64_t mask;
    /* Address of each work-item whose bit in `mask` is set. Global and constant memory: its low
     * bits are those of the GPU address, because buffers start at multiples of 512. Shared memory:
     * offset in the work-group's shared memory. Private memory: offset in the work-item's own
     * memory. */
    const uint64_t *address;
    uint16_t site;  /* index of the memory instruction in its kernel + 1; 0: unknown */
    uint32_t group; /* number of the work-group in the launch */
    uint64_t home;  /* private memory only: GPU address of the warp's private memory */
    /* distances of the addresses in `address` from the first one; NULL: not computed */
    struct pm_pattern *pattern;
} pm_warp_access;

#endif
