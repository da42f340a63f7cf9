/* Measurements of programs on a device, stored in a dataset. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_COLLECT_H
#define PERFMODEL_COLLECT_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shard: one of `count` disjoint parts of the work. No later version adds members. */
typedef struct {
    unsigned index; /* number of the shard, 1 ... count */
    unsigned count; /* number of shards; 0: the work is not divided */
} pm_shard;

/* Result of one shard (part) of a run that is divided among several processes: how many items of
 * the work are done. */
typedef struct {
    /* Numbers of items: finished by this call (done), finished by an earlier call (kept), and
     * failed. An item is a workload of a check, or a version of a workload in a search. */
    size_t done, kept, failed;
    char path[4096]; /* path of the shard's file */
    uint64_t reserved[4];
} pm_share_result;

/* Options of pm_collect. Lists are NULL-terminated. */
typedef struct {
    /* Name of the device to measure, as in the list of pm_devices. NULL: the first GPU, or the
     * first device if there is no GPU. "none": nothing is measured; the trace engine counts events,
     * and the rows have no times. */
    const char *device;
    /* programs of perfmodel to run, by the name of a suite: suite, corpus, cuda, or all; NULL:
     * suite */
    const char *suite;
    /* Paths of the user's workloads: workload files, sources, captures, or folders of them. They
     * replace the programs of `suite`. NULL: none. */
    const char *const *workloads;
    const char *const *programs; /* names of the programs to run; NULL: all */
    const char *const *variants; /* names of the variants to run; NULL: all */
    const char *const *sizes;    /* names of sizes; NULL: all */
    /* tool that counts events on the device: auto, cupti, trace or none; NULL: auto */
    const char *counters;
    /* GPU that the trace engine simulates when it counts. NULL: the measured device if devices.csv
     * has it, else h100. */
    const char *target;
    /* Path of the dataset. NULL: DEVICE.csv in the user's folder, or TARGET-trace.csv if device is
     * "none". The suites corpus and cuda are then written to datasets of their own, such as
     * DEVICE-corpus.csv. */
    const char *output;
    /* true: also measures the energy of the launches in J, which takes more than a second for each
     * workload (docs/datasets.md). */
    bool energy;
    /* Longest time of one pass (each launch of the workload once), seconds. A variant's size that
     * would take longer is left out, with all larger sizes of the same variant. 0: no limit. */
    double time_limit_s;
    /* Part of the work to run if several calls divide it. The shard's dataset is NAME-IofN.csv if
     * output is NAME.csv. */
    pm_shard shard;
    const char *command; /* command line that the dataset's provenance file records; NULL: none */
    uint64_t reserved[8];
} pm_collect_options;

/* Result of pm_collect, which measures workloads. A workload is a program in one variant and
 * size. */
typedef struct {
    /* Numbers of workloads: measured by this call (measured), found in the dataset already (kept),
     * failed, and left out because of time_limit_s (skipped). */
    size_t measured, kept, failed, skipped;
    char path[4096]; /* path of the dataset */
    char device[64]; /* id of the device */
    uint64_t reserved[8];
} pm_collect_result;

/* Runs programs on a device and appends their samples to the dataset, a whole row at a time. A
 * workload with a wrong result is not stored and counts as failed, with a notice. If a call is
 * interrupted, the same call resumes it. */
pm_status pm_collect(pm_session *session, const pm_collect_options *options,
                     pm_collect_result *result, pm_error *err);

/* Merges the datasets that pm_collect wrote for shards (parts) of a run into one dataset with its
 * provenance. paths: the shards' datasets, NULL-terminated. Rows get the order in which one run
 * would have written them. Identical rows of several shards become one row. An incomplete last row
 * is dropped with a notice, and a missing shard is reported in a notice. An existing output is
 * replaced. PM_BAD_INPUT, and nothing is written, if rows of the same key differ or if the datasets
 * are not of the same run. */
pm_status pm_merge(pm_session *session, const char *const *paths, const char *output,
                   pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
