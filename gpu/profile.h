/* A GPU's profile: what the units model needs of its row of devices.csv.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_GPU_PROFILE_H
#define PM_GPU_PROFILE_H

#include "base/wire.h"
#include "perfmodel.h"

/* Whether instructions of different pipes of arithmetic (fma, alu, fp64, xu) go side by side. */
typedef enum {
    PM_PIPES_APART,
    PM_PIPES_ONE,     /* GCN, CDNA: they are rates of one and the same lanes */
    PM_PIPES_XU_APART /* RDNA: the same but for special functions */
} pm_pipes;

typedef struct {
    bool present;              /* false: devices.csv does not have all of this GPU */
    double year;               /* of its introduction; 0: unknown */
    char architecture[32];     /* "" unknown */
    double compute_capability; /* NVIDIA's number; 0: another maker's, or unknown */
    double compute_units;      /* SMs */
    double clock_mhz;          /* highest the driver allows */
    /* warp instructions a compute unit can start each cycle, on all its schedulers, and on each
     * kind of pipe; 0 where fmaheavy is no pipe of its own, or where nothing is known of fp64 */
    double issue_per_cycle, fma_per_cycle, fmaheavy_per_cycle, alu_per_cycle, xu_per_cycle,
        lsu_per_cycle, fp64_per_cycle;
    pm_pipes pipes;
    bool loops;                     /* it is a CPU, see pm_gpu_runs_loops */
    bool of_dataset;                /* the row is one that a dataset brings (own_row.h) */
    bool replays;                   /* a load of several lines is issued anew for each */
    double warp_width;              /* work-items; 0: unknown */
    double l1_wavefronts_per_cycle; /* of a compute unit */
    double l2_bytes_per_cycle;      /* of the whole GPU; 0: it has no L2 */
    double l3_gb_s;                 /* of the cache behind L2, 1e9 bytes; 0: there is none */
    double dram_gb_s;               /* peak, 1e9 bytes */
    double dram_share;              /* of it that a large copy reaches */
    /* Cycles from an instruction to one that needs its result: of arithmetic, a load from shared
     * memory, and one that hits L1, hits L2, misses both; 0 where nobody measured it. l3: of a
     * load that misses L2 and hits what is behind it. */
    double alu_cycles, shared_cycles, l1_cycles, l2_cycles, l3_cycles, dram_cycles;
    double tdp_w;    /* power limit of the board; 0: unknown */
    double launch_s; /* from one empty kernel to the next; 0: unknown */
} pm_profile;

/* Reads the row of a device (its id, such as h100) from devices.csv in folder (may be NULL), else
 * in $PERFMODEL_DATASETS, else from the shipped one. A cell that is wrong or absurd is PM_BAD_INPUT
 * with its place; a device that the table does not have, or whose row has an empty cell that the
 * units model cannot do without, leaves present false. */
pm_status pm_profile_find(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err);
/* The same of the device that a dataset was measured on, which may bring its row with it
 * (own_row.h): json_path is the file beside it. */
pm_status pm_profile_of_dataset(const char *device, const char *json_path, const char *folder,
                                pm_profile *profile, pm_error *err);
/* The same for a GPU that cannot be predicted otherwise: what is missing is PM_BAD_INPUT too, and
 * says which cell, or which devices there are. */
pm_status pm_profile_need(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err);

/* Like pm_profile_find, with the session's folder of datasets. devices.csv is read once in a
 * session.
 */
pm_status pm_session_profile(pm_session *session, const char *device, pm_profile *profile,
                             pm_error *err);

/* Writes or reads all members. Keys of cached results that depend on a profile contain them. */
void pm_profile_wire(pm_wire *wire, pm_profile *profile);

/* Years of development between two GPUs; 0 for two of one architecture. Where a year is unknown,
 * PM_FAR_YEARS. */
#define PM_FAR_YEARS 10.0
double pm_profile_years_apart(const pm_profile *a, const pm_profile *b);

/* Work-items' operations a second that the GPU can do at most: peak FP32 operations, a fused
 * multiply-add being two. */
double pm_profile_peak_flops(const pm_profile *profile);

#endif
