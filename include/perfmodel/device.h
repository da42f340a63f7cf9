/* Lists of the devices of this machine, of the GPUs for which times can be predicted (because they
 * have a dataset or a profile), and of the programs of the suite. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_DEVICE_H
#define PERFMODEL_DEVICE_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An OpenCL device of this machine, as its driver describes it. A text is "" and a number is 0 if
 * the driver does not report it. */
typedef struct {
    char id[64];            /* name in datasets and for --device, such as h100; unique in a list */
    char name[128];         /* name of the device */
    char vendor[128];       /* name of its vendor */
    char platform[128];     /* name of the device's OpenCL platform */
    char driver[128];       /* version of its driver */
    bool is_cpu;            /* true: the device is a CPU */
    bool is_nvidia;         /* true: the device is a GPU of NVIDIA */
    unsigned compute_units; /* number of compute units (NVIDIA: SMs) */
    unsigned clock_mhz;     /* highest clock rate in MHz */
    /* memory_bytes: bytes of global memory. local_memory_bytes: bytes of local memory of one
     * work-group. max_work_group: largest number of work-items in a work-group. */
    size_t memory_bytes, local_memory_bytes, max_work_group;
    unsigned pci_bus, pci_slot;          /* position on the PCI bus; NVIDIA only, else 0 */
    size_t platform_index, device_index; /* indices of platform and device in OpenCL's lists */
    uint64_t reserved[8];
} pm_device;

/* Lists all OpenCL devices that the ICD loader finds. Free *devices with free(). PM_FAILED if there
 * is no device or memory ran out. */
pm_status pm_devices(pm_device **devices, size_t *count, pm_error *err);

/* A GPU whose measured kernel times are in a dataset. */
typedef struct {
    char *name, *path; /* name of the dataset, and path of its file */
    size_t samples;    /* number of rows of the dataset */
    size_t copy_count; /* number of filled members of the array `copies` */
    /* Bandwidth of copying an array, measured by the suite's program `copy`, for each vector width
     * (Shimada et al. 2010, figure 1). */
    struct {
        char *variant; /* variant of the program `copy`, named by its vector width */
        /* bytes that the largest measured run of the program `copy` reads and writes */
        double bytes;
        /* bandwidth of that run: bytes read plus bytes written, in 1e9 bytes/s */
        double gb_per_s;
    } copies[8];
    uint64_t reserved[8];
} pm_target;
/* Lists the GPUs with a dataset that pm_dataset_locate finds by name. Free them with
 * pm_targets_free. A dataset that cannot be read is left out with a notice. If there is a dataset
 * NAME, the datasets that extend it are left out without a notice: NAME-trace, NAME-shared,
 * NAME-layouts, NAME-corpus, NAME-blind, NAME-cuda, NAME-clang and NAME-energy. NAME-trace is also
 * left out if NAME is a row of devices.csv. */
pm_status pm_targets(pm_session *session, pm_target **targets, size_t *count, pm_error *err);
void pm_targets_free(pm_target *targets, size_t count);

/* Lists the rows of devices.csv that have all cells that a prediction needs. *names gets their
 * names in the order of the table, NULL-terminated. Free them with pm_profiles_free. */
pm_status pm_profiles(pm_session *session, char ***names, size_t *count, pm_error *err);
void pm_profiles_free(char **names);

/* Writes the id of a GPU into id, which has id_size bytes. said: the GPU's name as people or
 * drivers write it, such as "RTX 2080 Ti". If no row of devices.csv matches, or said is a path, id
 * becomes a copy of said. PM_BAD_INPUT if several rows match (the message lists them), or if the
 * name is too long for id. */
pm_status pm_target_id(const pm_session *session, const char *said, char *id, size_t id_size,
                       pm_error *err);

/* Properties of a GPU that a compiler of kernels needs. */
typedef struct {
    /* NVIDIA's compute capability as compilers write it: 90 means 9.0; 0: unknown, or the GPU of
     * another vendor */
    unsigned compute_capability;
    unsigned warp_width; /* work-items of a warp; NVIDIA: 32 */
    /* largest amount of shared (local) memory of one work-group, bytes */
    size_t shared_group_bytes;
    uint64_t reserved[6];
} pm_target_limits;

/* Reads the properties of a GPU, given by its id, from devices.csv. PM_BAD_INPUT if the table does
 * not have the GPU. */
pm_status pm_target_limits_read(pm_session *session, const char *id, pm_target_limits *limits,
                                pm_error *err);

/* How pm_probe_run got a property of the device: from a driver, by a measurement, or from a
 * similar GPU. */
typedef enum {
    PM_PROBE_UNKNOWN, /* PM_PROBE_UNKNOWN: there is no value, and the cell is empty. */
    /* PM_PROBE_ASKED: the driver reports the value, or it is computed from values that the driver
     * reports. */
    PM_PROBE_ASKED,
    PM_PROBE_MEASURED, /* A microbenchmark measured the value. */
    /* PM_PROBE_LIKE: the value is copied from a GPU of the same architecture. */
    PM_PROBE_LIKE
} pm_probe_origin;

/* A property of a device: one column of its row in devices.csv. */
typedef struct {
    const char *name; /* name of the column; static */
    char *value;      /* text of the cell; "": unknown */
    /* Origin of the value, as a short text for users. It names the query or benchmark that gave the
     * value, and the spread of the benchmark's runs. */
    char *how;
    pm_probe_origin origin;
    uint64_t reserved[4];
} pm_probe_cell;

/* A row of devices.csv for a device. */
typedef struct {
    pm_device device;
    size_t count;         /* number of columns */
    pm_probe_cell *cells; /* `count` cells, in the order of the table's columns */
    uint64_t reserved[8];
} pm_probe_row;

typedef struct {
    /* Device to probe, as in the list of pm_devices. NULL: the first GPU, or the first device if
     * there is no GPU. */
    const char *device;
    /* path of the CSV table to append the row to; a missing file is created; NULL: none */
    const char *output;
    uint64_t reserved[8];
} pm_probe_options;

/* Fills a row of devices.csv for a device of this machine. Queries the drivers, runs
 * microbenchmarks, and copies the remaining values from a GPU of the same architecture. Free the
 * row with pm_probe_free. NULL on failure. PM_BAD_INPUT, before anything is measured, if the output
 * already has the device or cannot be written. */
pm_probe_row *pm_probe_run(pm_session *session, const pm_probe_options *options, pm_error *err);
void pm_probe_free(pm_probe_row *row);
/* Returns two lines of CSV: the header of the table and the row. Each ends in a newline. Free the
 * text with free(). NULL: out of memory. */
char *pm_probe_csv(const pm_probe_row *row, pm_error *err);

/* A program of the suite. All members are static. */
typedef struct {
    const char *name;
    const char *title; /* short description */
    bool probe;        /* true: the program is a benchmark of the device and not an algorithm */
    /* true: besides its listed variants, the program has one variant for each data layout of its
     * structs */
    bool layouts;
    /* true: the program has tuning parameters, and "tune:NAME=VALUE,NAME=VALUE" is a variant */
    bool tuned;
    /* Base variant: the variant that transforms start from. The base variant with arrays staged in
     * local memory is also a variant. NULL: the program has no base variant. */
    const char *base;
    const char *const *variants; /* names of listed variants, NULL-terminated */
    const char *const *sizes;    /* names of sizes, NULL-terminated, smallest work first */
    uint64_t reserved[4];
} pm_program_info;
size_t pm_program_count(void);
/* Returns a program of the suite, in the order of listings. NULL if i >= pm_program_count(). */
const pm_program_info *pm_program_at(size_t i);

#ifdef __cplusplus
}
#endif

#endif
