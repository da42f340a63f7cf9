/* Resources of a kernel, as the GPU's compiler reports them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_RESOURCES_H
#define PM_PROGRAM_RESOURCES_H

#include <stddef.h>

/* Part of a kernel's machine code. instructions: number of instructions. stores and loads:
 * registers that they spill to and reload from private memory. fetches: other vector loads from
 * memory. waits: number of times that the code waits for some of the fetches, without counting
 * waits that an earlier wait covers. */
typedef struct {
    double instructions, stores, loads, fetches, waits;
} pm_code_part;

typedef struct {
    unsigned registers;  /* registers of a work-item */
    unsigned spilled;    /* registers that are spilled to private memory */
    size_t shared_bytes; /* bytes of the kernel's own shared variables, of a work-group */
    /* The code outside of loops and the code in loops. Zeros if the code is unknown. */
    pm_code_part outside, inside;
} pm_kernel_resources;

#endif
