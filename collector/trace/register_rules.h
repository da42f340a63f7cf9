/* What limits the registers of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_REGISTER_RULES_H
#define PM_COLLECTOR_TRACE_REGISTER_RULES_H

/* What decides how many registers a kernel may have on an NVIDIA GPU; of others all are 0. */
typedef struct {
    unsigned capability;
    unsigned registers; /* of a compute unit */
    unsigned unit;      /* registers are given to warps in multiples of it */
    unsigned most;      /* of a work-item */
    unsigned option;    /* the limit of a build option, -maxrregcount=32; 0: there is none */
} pm_register_rules;

#endif
