/* What a warp does to memory: the event that the trace engine's parts hand on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_ACCESS_H
#define PM_COLLECTOR_TRACE_MEMORY_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/rules.h"

/* Address spaces as the hardware has them. Private is what a work-item keeps in memory because it
 * does not fit in registers (CUDA: local memory). */
typedef enum { PM_SPACE_GLOBAL, PM_SPACE_SHARED, PM_SPACE_CONSTANT, PM_SPACE_PRIVATE } pm_space;

typedef enum { PM_ACCESS_LOAD, PM_ACCESS_STORE, PM_ACCESS_ATOMIC } pm_access_kind;

/* One memory instruction, executed once by a warp. */
typedef struct {
    pm_space space;
    pm_access_kind kind;
    bool read_only; /* a load of what nothing in the launch writes, see pm_site */
    bool operand;   /* of an instruction that the constant cache gives it with */
    bool returns;   /* an atomic whose result something uses */
    /* Of an atomic whose work-items each change a place that several want: what each takes. */
    unsigned turn_wavefronts;
    bool one_place;  /* the same for all work-items whatever the data, by the code */
    bool again;      /* in a loop that tries again to change a place of global memory */
    bool scalar;     /* a load that can be done once for all work-items, see pm_site */
    bool one_by_one; /* on a CPU: by work-items one after the other, not by a vector of them */
    bool wraps; /* and for all that its compiler knows, not to neighbours as int + 1 could wrap */
    unsigned bytes; /* that each work-item accesses: 1, 2, 4, 8, 12 or 16 */
    uint64_t mask;  /* bit l: work-item l of the warp takes part; may be 0 (predicated off) */
    /* By work-item, where its mask bit is set. Global and constant: an address whose low bits are
     * those of the GPU (buffers start at multiples of 512). Shared: the offset in the work-group's
     * shared memory. Private: the offset in the work-item's own memory. */
    const uint64_t *address;
    uint16_t site;              /* its number + 1; 0: unknown */
    uint32_t group;             /* work-group of the launch */
    uint64_t home;              /* of private memory: where the warp's starts, for the GPU */
    struct pm_pattern *pattern; /* of these addresses; NULL: nobody has looked */
} pm_warp_access;

#endif
