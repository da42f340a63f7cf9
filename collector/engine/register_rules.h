/* The limits on the registers of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_REGISTER_RULES_H
#define PM_COLLECTOR_ENGINE_REGISTER_RULES_H

/* Rules by which an NVIDIA GPU allocates registers, and their limits. All members are 0 for
 * other GPUs. */
typedef struct {
    unsigned capability;
    unsigned registers; /* registers of a compute unit */
    /* granularity of allocation: a warp gets a multiple of this number of registers */
    unsigned unit;
    unsigned most;   /* largest number of registers of a work-item */
    unsigned option; /* value of the build option -maxrregcount=N; 0: not given */
} pm_register_rules;

#endif
