/* The probe: fills a row of devices.csv by queries and measurements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each file has one kind of measurement, which fills cells of the row. A cell keeps its first
 * value. The order is: values from the driver, measured values, values from a similar GPU's row.
 * A kind that fails reports its error and leaves its cells empty for later kinds; the probe
 * continues.
 */
#ifndef PM_COLLECTOR_PROBE_PROBE_H
#define PM_COLLECTOR_PROBE_PROBE_H

#include "collector/probe/bench.h"
#include "machine/devices_table.h"

/* Properties of the device from its driver that measurements need; 0: unknown. */
typedef struct {
    double clock_mhz;
    double l2_bytes;
    double dram_gb_s;   /* peak bandwidth of DRAM: memory clock times bus width */
    double shared_unit; /* bytes of local memory per compute unit */
    unsigned compute_units;
    unsigned warp;       /* work-items per warp */
    unsigned capability; /* NVIDIA's compute capability; 90 means 9.0 */
    int cuda_version;    /* version of the CUDA driver, in the format of cuDriverGetVersion */
    bool fp64;           /* true: the device has fp64 arithmetic */
} pm_probe_facts;

typedef struct {
    pm_probe_row *row;
    pm_probe_facts facts;
    pm_probe_bench bench;
    pm_log log;
    /* Queried or measured size of L1, without the part for local memory, and of L2. 0: there is
     * none, or it is unknown. */
    double l1_bytes, l2_bytes;
    double dram_cycles; /* latency of a load from DRAM; 0: not measured */
    double clock_mhz;   /* clock of the device during the measurements */
    /* largest measured number of instructions issued per cycle; 0: not measured */
    pm_probe_value issue;
    const pm_device_row *like; /* row of a similar GPU; NULL: there is none */
    const char *like_name;
} pm_probe;

/* ---- cells (row.c) --------------------------------------------------------------------- */

/* Creates an empty table row with a cell for each column of devices.csv, in the order of the
 * columns. NULL if out of memory. */
pm_probe_row *pm_probe_row_create(const pm_device *device);
pm_probe_cell *pm_probe_cell_find(pm_probe_row *row, const char *column);
/* Fills a table cell if it is still empty. The text `how` says in a few words from where the value
 * comes. */
void pm_probe_text(pm_probe *probe, const char *column, pm_probe_origin origin, const char *value,
                   const char *how);
void pm_probe_number(pm_probe *probe, const char *column, pm_probe_origin origin, double value,
                     const char *how);
/* Fills a table cell, if it is still empty, with a measured number rounded to MEASURED_DIGITS
 * digits. The cell's source gets `what`, a description of the measurement, and the spread of the
 * repeated measurements in percent. */
void pm_probe_measured(pm_probe *probe, const char *column, pm_probe_value value, const char *what);

/* ---- kinds ----------------------------------------------------------------------------------- */

/* A function that measures one or several properties of a device. An error ends only this function,
 * not the probe. */
typedef void (*pm_probe_kind)(pm_probe *probe);
pm_status pm_probe_try(pm_probe *probe, pm_probe_kind kind, pm_error *err);

/* Fills cells of the device's row of devices.csv with values from the OpenCL driver, and from
 * NVIDIA's driver if there is one (driver.c). */
void pm_probe_driver(pm_probe *probe);
/* The three functions fill cells of a CPU's row (cpu.c). pm_probe_cpu takes values from Linux and
 * OpenCL. pm_probe_core_clock measures the clock of a core, which later measurements need.
 * pm_probe_cpu_launch measures the cost of a kernel launch by its event, because the time in which
 * the driver wakes its threads is not part of a kernel's time. */
void pm_probe_cpu(pm_probe *probe);
void pm_probe_core_clock(pm_probe *probe);
void pm_probe_cpu_launch(pm_probe *probe);
/* Measures the latency of arithmetic, and the device's clock, which later measurements need
 * (clock.c). */
void pm_probe_clock(pm_probe *probe);
/* Measures rates of arithmetic instructions (arithmetic.c), and rates and latency of local memory
 * (local.c). */
void pm_probe_arithmetic(pm_probe *probe);
void pm_probe_local(pm_probe *probe);
/* Measures the sizes of the caches (caches.c), and the latencies of loads from them and from DRAM
 * (latency.c). */
void pm_probe_caches(pm_probe *probe);
void pm_probe_latency(pm_probe *probe);
/* Measures the bandwidths of caches and DRAM (bandwidth.c), and the cost of kernel launches
 * (launch.c). */
void pm_probe_bandwidth(pm_probe *probe);
void pm_probe_launches(pm_probe *probe);
/* Fills empty cells from a similar GPU's row (like.c). datasets: folder in which devices.csv is
 * searched first, or NULL. */
pm_status pm_probe_like(pm_probe *probe, const char *datasets, pm_error *err);

/* ---- the table (write.c) --------------------------------------------------------------- */

/* Fails if it will not be possible to append the device's row to the table at `path`, or to create
 * that file. */
pm_status pm_probe_output_check(const char *path, const char *device, pm_error *err);
pm_status pm_probe_output_write(const char *path, const pm_probe_row *row, const pm_log *log,
                                pm_error *err);

/* ---- chase.c -------------------------------------------------------------------------------- */

/* Latency of dependent loads in a buffer of a given size (Saavedra and Smith 1995). PM_CHASE_LINE:
 * bytes between addresses. PM_CHASE_MAX: maximum number of buffer sizes per call. */

enum { PM_CHASE_LINE = 128, PM_CHASE_MAX = 32 };

/* Measures the time of a load in buffers of the given sizes, at most PM_CHASE_MAX. Each load
 * accesses another line of PM_CHASE_LINE bytes, in random order. warm: true if the whole buffer is
 * read before, so that it is cached if it fits. Otherwise the caches contain the lines that the
 * loads themselves left. A size that could not be measured gets 0. seconds and cycles may each be
 * NULL. */
void pm_probe_chase(pm_probe *probe, const size_t *bytes, size_t count, bool warm,
                    pm_probe_value *seconds, pm_probe_value *cycles);

#endif
