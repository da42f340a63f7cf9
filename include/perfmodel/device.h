/* Devices of this machine, GPUs that are known, and the programs of the suite. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_DEVICE_H
#define PERFMODEL_DEVICE_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    char id[64];    /* the name used in datasets and --device, such as h100 */
    char name[128]; /* as the driver gives it */
    char vendor[128];
    char platform[128];
    char driver[128];
    bool is_cpu;
    bool is_nvidia;
    unsigned compute_units;
    unsigned clock_mhz;
    size_t memory_bytes, local_memory_bytes, max_work_group;
    unsigned pci_bus, pci_slot; /* NVIDIA only */
    size_t platform_index, device_index;
    uint64_t reserved[8];
} pm_device;

/* Every OpenCL device behind the ICD loader; *devices is freed with free(). None is PM_FAILED. */
pm_status pm_devices(pm_device **devices, size_t *count, pm_error *err);

/* A GPU with a dataset, and what the copy probe measured on it: for each vector width bytes read
 * plus written a second, at the largest size (Shimada et al. 2010, figure 1). */
typedef struct {
    char *name, *path;
    size_t samples;
    size_t copy_count;
    struct {
        char *variant;
        double bytes;    /* of the largest copy, read plus written */
        double gb_per_s; /* 1e9 bytes */
    } copies[8];
    uint64_t reserved[8];
} pm_target;
/* The datasets that pm_dataset_locate finds by name, as targets. A broken one is left out with a
 * notice. Left out without one are those that only add to another (NAME-trace, NAME-shared,
 * NAME-layouts, NAME-energy beside NAME), or have only traced counters of a GPU with a row of
 * devices.csv. */
pm_status pm_targets(pm_session *session, pm_target **targets, size_t *count, pm_error *err);
void pm_targets_free(pm_target *targets, size_t count);

/* The names of the rows of devices.csv that have what a prediction needs, NULL-terminated, in the
 * table's order. *names is freed with pm_profiles_free. */
pm_status pm_profiles(pm_session *session, char ***names, size_t *count, pm_error *err);
void pm_profiles_free(char **names);

/* The id of the row of devices.csv that `said` means, as people and drivers call GPUs ("RTX 2080
 * Ti"), written into id; said itself where there is none, and of a path. Several rows that it may
 * mean are PM_BAD_INPUT, which names them. */
pm_status pm_target_id(const pm_session *session, const char *said, char *id, size_t id_size,
                       pm_error *err);

/* Where the value of a column comes from. */
typedef enum {
    PM_PROBE_UNKNOWN,  /* from nowhere: the cell is empty */
    PM_PROBE_ASKED,    /* of a driver, or follows from what it says */
    PM_PROBE_MEASURED, /* by a kernel */
    PM_PROBE_LIKE      /* the row of a GPU of the same architecture says so */
} pm_probe_origin;

typedef struct {
    const char *name; /* of the column */
    char *value;      /* "": unknown */
    char *how;        /* a few words: what was asked or ran, and how far the runs spread */
    pm_probe_origin origin;
    uint64_t reserved[4];
} pm_probe_cell;

/* A row of devices.csv: a cell for each column, in the order of the table. */
typedef struct {
    pm_device device;
    size_t count;
    pm_probe_cell *cells;
    uint64_t reserved[8];
} pm_probe_row;

typedef struct {
    const char *device; /* NULL: the first GPU, else the first device; see pm_devices */
    const char *output; /* a table to append the row to, or a new one; NULL: nowhere */
    uint64_t reserved[8];
} pm_probe_options;

/* Fills a row of devices.csv for a device of this machine: asks the drivers, runs microbenchmarks,
 * and takes what neither tells from the row of a GPU of the same architecture. An output that has
 * the device already, or cannot be written, is PM_BAD_INPUT before anything is measured. NULL on
 * failure. */
pm_probe_row *pm_probe_run(pm_session *session, const pm_probe_options *options, pm_error *err);
void pm_probe_free(pm_probe_row *row);
/* The header of the table and the row as CSV, with a newline after each; freed with free(). */
char *pm_probe_csv(const pm_probe_row *row, pm_error *err);

/* A program of the suite. */
typedef struct {
    const char *name;
    const char *title;
    bool probe;       /* measures the device, not an algorithm */
    bool layouts;     /* any data layout of the base is a variant too */
    bool tuned;       /* it has parameters, and tune:NAME=VALUE,NAME=VALUE is a variant too */
    const char *base; /* the variant that transforms start from; staged in local memory it is a
                         variant too; NULL: none */
    const char *const *variants; /* NULL-terminated */
    const char *const *sizes;    /* NULL-terminated, smallest work first */
    uint64_t reserved[4];
} pm_program_info;
size_t pm_program_count(void);
const pm_program_info *pm_program_at(size_t i);

#ifdef __cplusplus
}
#endif

#endif
