/* Programs measured on a device, into a dataset. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_COLLECT_H
#define PERFMODEL_COLLECT_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of count shares of the work; count 0: all of it. Complete. */
typedef struct {
    unsigned index; /* from 1 to count */
    unsigned count;
} pm_shard;

/* What a share of a run has done. */
typedef struct {
    size_t done, kept, failed; /* kept: were finished already */
    char path[4096];           /* of its file */
    uint64_t reserved[4];
} pm_share_result;

typedef struct {
    const char *device;           /* NULL: the first GPU, else the first device; see pm_devices.
                                   * none: no device and no times, counters by the trace engine */
    const char *suite;            /* suite (NULL is that, too), corpus or all */
    const char *const *workloads; /* files, captures and folders of them, NULL-terminated, in place
                                   * of a suite; or NULL */
    const char *const *programs;  /* NULL-terminated lists; NULL: all */
    const char *const *variants;
    const char *const *sizes;
    const char *counters; /* auto, cupti, trace, none; NULL is auto */
    const char *target;   /* trace: GPU whose rules count; NULL: the device if devices.csv has it,
                           * else h100 */
    const char *output;   /* path of the dataset; NULL: DEVICE.csv in the user's folder, and
                           * TARGET-trace.csv for device none */
    bool energy;          /* also joules of the launches, which takes a second and more for each
                           * workload (docs/datasets.md) */
    double time_limit_s;  /* a size whose one pass would last longer is left out; 0: no limit */
    pm_shard shard;       /* only programs' variants of this share, into NAME-IofN.csv */
    const char *command;  /* for the provenance */
    uint64_t reserved[8];
} pm_collect_options;

typedef struct {
    size_t measured, kept, failed, skipped; /* kept: were in the dataset already */
    char path[4096];
    char device[64];
    uint64_t reserved[8];
} pm_collect_result;

/* Runs programs on a device and appends its samples to the dataset, a whole row at a time. */
pm_status pm_collect(pm_session *session, const pm_collect_options *options,
                     pm_collect_result *result, pm_error *err);

/* Joins the shares that runs of pm_collect with pm_shard have written (paths is NULL-terminated)
 * into one dataset, with its provenance: rows in the order in which one run would have written
 * them. A row that is in several counts once if it is the same; else, as with datasets that do not
 * go together, it is PM_BAD_INPUT and nothing is written. A torn last row is dropped, and a share
 * that is missing told of, with a notice. An output that is there already is written over. */
pm_status pm_merge(pm_session *session, const char *const *paths, const char *output,
                   pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
