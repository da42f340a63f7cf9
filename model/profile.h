/* A GPU's profile: its row of devices.csv.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_PROFILE_H
#define PM_MODEL_PROFILE_H

#include "perfmodel.h"

typedef struct {
    bool present;         /* false: devices.csv does not have all of this GPU */
    double compute_units; /* SMs */
    double clock_mhz;     /* highest the driver allows */
    /* warp instructions a compute unit can start each cycle, on all its schedulers, and on each
     * kind of pipe */
    double issue_per_cycle, fma_per_cycle, fmaheavy_per_cycle, alu_per_cycle, xu_per_cycle,
        lsu_per_cycle;
    double l1_wavefronts_per_cycle; /* of a compute unit */
    double l2_bytes_per_cycle;      /* of the whole GPU */
    double dram_gb_s;               /* peak, 1e9 bytes */
    /* that a load takes from L1 and from L2; 0 where nobody measured it */
    double load_l1_cycles, load_l2_cycles;
} pm_profile;

/* Reads the row of a device (its id, such as h100) from devices.csv in folder (may be NULL), else
 * in $PERFMODEL_DATASETS, else from the shipped one. A file that is wrong is PM_BAD_INPUT; a device
 * that it does not have, or whose row has an empty cell here, leaves present false. */
pm_status pm_profile_find(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err);

#endif
