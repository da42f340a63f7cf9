/* Tuning campaigns: the trace engine counts the events of all versions (combinations of tuning
 * parameters) of some workloads, for several target GPUs. The work is split into shards (parts).
 * Each shard writes one file (answer/shares/shares.h) with two kinds of items, which have these
 * keys:
 *
 *   "PROGRAM VERSION"          {"values": [...], "range": [...], "code": CODE,
 *                              "failures": {TARGET: TEXT}, "measured_s": SECONDS}, where `failures`
 *                              and `measured_s` are optional. If the version cannot be compiled,
 *                              "failure": TEXT replaces `code` and `failures`.
 *   "CODE TARGET"              [{"kernel", "work_items", "work_group", "counters": [...]}...]
 *
 * `range` is the global and local size of the first launch, or null. CODE identifies the compiled
 * code and its launches. A shard counts each CODE once, and its counts are equal in all shards.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_CAMPAIGN_H
#define PM_ANSWER_TUNE_CAMPAIGN_H

#include "answer/counts/counts.h"
#include "answer/shares/shares.h"
#include "answer/tune/parts.h"

/* Returns the `run` object in the head of every shard file: everything that results depend on. It
 * holds the options, the targets, the names of the counter columns and an empty list of workloads.
 * registers_source: the source of register counts that the trace engine reports. */
json_t *pm_campaign_run(const pm_session *session, const pm_tune_options *options,
                        const char *const *targets, const char *registers_source,
                        const pm_count_columns *columns);
/* Appends a workload with its search space of parameters to run's list. definition: text that
 * identifies the workload's first version (pm_program_define). */
void pm_campaign_add(json_t *run, const pm_tuner *tuner, const char *definition);

json_t *pm_campaign_kernels(const pm_count_columns *columns, const pm_sample *kernels,
                            size_t count);

#endif
