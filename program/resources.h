/* What a GPU's compiler takes for a kernel and makes of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_RESOURCES_H
#define PM_PROGRAM_RESOURCES_H

#include <stddef.h>

/* Of a part of its machine code: instructions, and the registers that those of them store to
 * private memory and load from there. fetches: vector loads from memory but those; waits: how often
 * the code waits for some of them that nothing before has waited beside. */
typedef struct {
    double instructions, stores, loads, fetches, waits;
} pm_code_part;

typedef struct {
    unsigned registers;  /* of a work-item */
    unsigned spilled;    /* registers that have a place in private memory */
    size_t shared_bytes; /* of its own shared variables, of a work-group */
    /* What is in no loop, and what is in one. Zeros where the code is not known. */
    pm_code_part outside, inside;
} pm_kernel_resources;

#endif
