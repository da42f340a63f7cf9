/* The limits on the registers of a kernel: those of the GPU and of the build options.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_REGISTER_RULES_H
#define PM_COLLECTOR_ENGINE_REGISTER_RULES_H

/* Numbers that limit the registers of a kernel on an NVIDIA GPU. All members are 0 for other
 * GPUs. */
typedef struct {
    unsigned capability;
    unsigned registers; /* registers of a compute unit */
    /* granularity of allocation: a warp gets a multiple of this number of registers */
    unsigned unit;
    unsigned most;   /* largest number of registers of a work-item */
    unsigned option; /* value of the build option -maxrregcount=N; 0: not given */
} pm_register_rules;

#endif
