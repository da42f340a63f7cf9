/* A GPU's profile: its peak rates, latencies and sizes from devices.csv, from which the prediction
 * method `units` computes how long each functional unit works.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_PROFILE_H
#define PM_MACHINE_PROFILE_H

#include "base/wire.h"
#include "perfmodel.h"

/* Rule that says which pipes of a compute unit execute concurrently: fma (multiply-add), alu
 * (integer), fp64 and xu (special functions). PM_PIPES_APART: all of them. */
typedef enum {
    PM_PIPES_APART,
    PM_PIPES_ONE, /* GCN, CDNA: all pipes use the same lanes, so their times add up */
    /* RDNA: like PM_PIPES_ONE, except that xu (the pipe for special functions) executes
     * concurrently with the other pipes */
    PM_PIPES_XU_APART
} pm_pipes;

typedef struct {
    /* true: devices.csv has the GPU and all cells that the prediction method `units` requires */
    bool present;
    double year;               /* year of introduction; 0: unknown */
    char architecture[32];     /* "": unknown */
    double compute_capability; /* NVIDIA's number, such as 9.0; 0: unknown, or another maker's */
    double compute_units;      /* number of SMs */
    double clock_mhz;          /* highest clock that the driver allows */
    /* Warp instructions per cycle of a compute unit. issue_per_cycle: issued by all its schedulers.
     * The other members: executed by one pipe. 0: fmaheavy is not a separate pipe, or the rate of
     * fp64 is unknown. */
    double issue_per_cycle, fma_per_cycle, fmaheavy_per_cycle, alu_per_cycle, xu_per_cycle,
        lsu_per_cycle, fp64_per_cycle;
    /* Multiply-adds per cycle on the tensor cores of a compute unit, by the type of the factors:
     * f16 and bf16; tf32; f64; integers of 8 bits; floating-point numbers of 8 bits. 0: none, or
     * unknown. */
    double tensor_f16_per_cycle, tensor_tf32_per_cycle, tensor_f64_per_cycle, tensor_int8_per_cycle,
        tensor_fp8_per_cycle;
    /* Fraction of these rates that tensor instructions of one warp (mma.sync, wmma) reach, except
     * those of f64. 0: unknown; all of it is assumed. */
    double tensor_warp_share;
    pm_pipes pipes;
    /* true: the device is a CPU, which runs a work-group as loops over its work-items */
    bool loops;
    /* true: the row comes from the JSON file of a dataset and not from devices.csv (own_row.h) */
    bool of_dataset;
    /* true: a load of several cache lines is issued again for each line */
    bool replays;
    double warp_width;              /* work-items per warp; 0: unknown */
    double l1_wavefronts_per_cycle; /* per compute unit */
    /* bandwidth of L2 of the whole GPU, bytes per cycle; 0: no L2 */
    double l2_bytes_per_cycle;
    /* bandwidth of the L3 cache between L2 and DRAM, 1e9 bytes/s; 0: there is no such cache */
    double l3_gb_s;
    double dram_gb_s; /* peak bandwidth of DRAM, 1e9 bytes/s */
    /* fraction (0 ... 1) of the peak DRAM bandwidth that a large copy reaches */
    double dram_share;
    double dram_rows_s; /* rows that DRAM can open per second (dram_rows.h); 0: unknown */
    /* Latencies in cycles, from the issue of an instruction to the issue of one that needs its
     * result. alu: arithmetic. shared: loads from shared memory. l1, l2, l3, dram: loads that hit
     * in this memory (L3: the cache between L2 and DRAM). 0: not measured. */
    double alu_cycles, shared_cycles, l1_cycles, l2_cycles, l3_cycles, dram_cycles;
    double tdp_w; /* power limit of the board in watts; 0: unknown */
    /* seconds from the start of an empty kernel to the start of the next one; 0: unknown */
    double launch_s;
} pm_profile;

/* Reads the profile of a device, given by its id such as h100. The table is found as in
 * pm_device_row_read. A wrong cell is PM_BAD_INPUT with file and line. If the table lacks the
 * device or a required cell, `present` is false. */
pm_status pm_profile_find(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err);
/* Reads the profile of a dataset's device. The row is read from the dataset's JSON file at
 * json_path if it has one (own_row.h), else from devices.csv as in pm_profile_find. */
pm_status pm_profile_of_dataset(const char *device, const char *json_path, const char *folder,
                                pm_profile *profile, pm_error *err);
/* Reads the profile of a device as pm_profile_find does, except that a missing device or cell is
 * PM_BAD_INPUT. The message names the cell, or suggests other devices. */
pm_status pm_profile_need(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err);

/* Reads the profile of a device as pm_profile_find does, in the session's folder of datasets. The
 * session reads devices.csv once. */
pm_status pm_session_profile(pm_session *session, const char *device, pm_profile *profile,
                             pm_error *err);

/* Writes all members of a profile to a message if wire->writing, else reads them from it. The
 * messages are also part of the cache keys of results that depend on the profile. */
void pm_profile_wire(pm_wire *wire, pm_profile *profile);

/* Returns the number of years between the introductions of two GPUs. 0 if they have the same
 * architecture. PM_FAR_YEARS if one of the years is unknown. */
#define PM_FAR_YEARS 10.0
double pm_profile_years_apart(const pm_profile *a, const pm_profile *b);

/* Returns the peak rate of FP32 operations of a GPU, operations/s. A fused multiply-add counts as
 * two operations. */
double pm_profile_peak_flops(const pm_profile *profile);

#endif
