/* The probe: what each kind of measurement gets and leaves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One kind a file, each of which fills cells of the row. The first to fill a cell is right: what
 * the driver says, then what was measured, then what the row of a GPU like it says. A kind that
 * fails tells why and leaves its cells to the others; the probe goes on.
 */
#ifndef PM_COLLECTOR_PROBE_PROBE_H
#define PM_COLLECTOR_PROBE_PROBE_H

#include "collector/probe/bench.h"
#include "gpu/devices_table.h"

/* What the driver says and the measurements need; 0: it does not say. */
typedef struct {
    double clock_mhz;
    double l2_bytes;
    double dram_gb_s;   /* memory clock times bus */
    double shared_unit; /* bytes of local memory of a compute unit */
    unsigned compute_units;
    unsigned warp;       /* work-items */
    unsigned capability; /* NVIDIA's compute capability, times ten */
    int cuda_version;    /* as cuDriverGetVersion has it */
    bool fp64;           /* it has fp64 arithmetic */
} pm_probe_facts;

typedef struct {
    pm_probe_row *row;
    pm_probe_facts facts;
    pm_probe_bench bench;
    pm_log log;
    /* As asked or measured, what of L1 keeps global memory; 0: there is none, or nobody knows. */
    double l1_bytes, l2_bytes;
    double dram_cycles;        /* of a load that DRAM answers; 0: not measured */
    double clock_mhz;          /* at which the device ran while it was measured */
    pm_probe_value issue;      /* the most instructions that a cycle started; 0: not measured */
    const pm_device_row *like; /* of a GPU like it; NULL: there is none */
    const char *like_name;
} pm_probe;

/* ---- cells (row.c) --------------------------------------------------------------------- */

/* An empty row: a cell for each column of devices.csv, in its order. NULL: out of memory. */
pm_probe_row *pm_probe_row_create(const pm_device *device);
pm_probe_cell *pm_probe_cell_find(pm_probe_row *row, const char *column);
/* Fills a cell that is empty yet; how is a few words. */
void pm_probe_text(pm_probe *probe, const char *column, pm_probe_origin origin, const char *value,
                   const char *how);
void pm_probe_number(pm_probe *probe, const char *column, pm_probe_origin origin, double value,
                     const char *how);
/* A measured number, of so many digits, with its spread; what says what ran. */
void pm_probe_measured(pm_probe *probe, const char *column, pm_probe_value value, const char *what);

/* ---- kinds ----------------------------------------------------------------------------------- */

/* A kind, or a part of one that the others do without; what fails in it ends it. */
typedef void (*pm_probe_kind)(pm_probe *probe);
pm_status pm_probe_try(pm_probe *probe, pm_probe_kind kind, pm_error *err);

/* What the OpenCL driver says, and NVIDIA's where there is one (driver.c). */
void pm_probe_driver(pm_probe *probe);
/* What Linux and OpenCL tell of a CPU, and the clock of a core, which the others need; and a
 * launch, by its event: the time in which threads are woken is no part of a kernel's (cpu.c). */
void pm_probe_cpu(pm_probe *probe);
void pm_probe_core_clock(pm_probe *probe);
void pm_probe_cpu_launch(pm_probe *probe);
/* Latency of arithmetic, and the clock, which the others need (clock.c). */
void pm_probe_clock(pm_probe *probe);
/* Rates of arithmetic (arithmetic.c) and of local memory, with its latency (local.c).
 */
void pm_probe_arithmetic(pm_probe *probe);
void pm_probe_local(pm_probe *probe);
/* Sizes of the caches, and latencies of loads (caches.c, latency.c). */
void pm_probe_caches(pm_probe *probe);
void pm_probe_latency(pm_probe *probe);
/* Bandwidths (bandwidth.c), and launches (launch.c). */
void pm_probe_bandwidth(pm_probe *probe);
void pm_probe_launches(pm_probe *probe);
/* What is left, from the row of a GPU like it (like.c). datasets: folder where devices.csv is
 * looked up first, or NULL. */
pm_status pm_probe_like(pm_probe *probe, const char *datasets, pm_error *err);

/* ---- the table (write.c) --------------------------------------------------------------- */

/* Whether a row of the device may be appended to the table, or a new one written there. */
pm_status pm_probe_output_check(const char *path, const char *device, pm_error *err);
pm_status pm_probe_output_write(const char *path, const pm_probe_row *row, const pm_log *log,
                                pm_error *err);

/* ---- chase.c -------------------------------------------------------------------------------- */

/* Following indices through a buffer in global memory: what a load takes that finds its data as far
 * away as a buffer of that size is (Saavedra and Smith 1995). */

enum { PM_CHASE_LINE = 128, PM_CHASE_MAX = 32 };

/* What a load takes in buffers of those sizes, at most PM_CHASE_MAX of them; each load is of
 * another line of PM_CHASE_LINE bytes, in random order. warm: the buffer was read whole just
 * before, so that what fits into a cache is there; else it is as the loads themselves leave it. A
 * size that nothing was measured at is 0. seconds and cycles may each be NULL. */
void pm_probe_chase(pm_probe *probe, const size_t *bytes, size_t count, bool warm,
                    pm_probe_value *seconds, pm_probe_value *cycles);

#endif
