/* Resources of a kernel, as the GPU's compiler reports them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_RESOURCES_H
#define PM_PROGRAM_RESOURCES_H

#include <stddef.h>

/* Counts of instructions in a section of a kernel's machine code. instructions: all of them.
 * stores: stores of registers to private memory (spills). loads: loads of these registers. fetches:
 * other vector loads from memory. waits: waits for fetches, without waits that an earlier wait
 * makes needless. */
typedef struct {
    double instructions, stores, loads, fetches, waits;
} pm_code_part;

typedef struct {
    unsigned registers; /* registers of a work-item */
    /* number of registers of a work-item that are spilled to private memory */
    unsigned spilled;
    size_t shared_bytes; /* bytes of the kernel's own shared variables for one work-group */
    /* Counts of instructions in the kernel's machine code: outside of all loops (outside), and in
     * loops (inside). All zero: the machine code is unknown. */
    pm_code_part outside, inside;
} pm_kernel_resources;

#endif
