/* Campaigns: versions of workloads counted for several targets, in shares of which each has its
 * file (shares/shares.h). What a file's items are:
 *
 *   "PROGRAM VERSION"          {"values": [...], "code": CODE, "failures": {TARGET: TEXT},
 *                              "measured_s": SECONDS}, the last two where there are any; or
 *                              {"values": [...], "failure": TEXT}: it cannot be compiled
 *   "CODE TARGET"              [{"kernel", "work_items", "work_group", "counters": [...]}...]
 *
 * CODE stands for what versions compile to and how they launch it, so that it is counted once in a
 * share, and its counts are the same in all shares.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TUNE_CAMPAIGN_H
#define PM_TUNE_CAMPAIGN_H

#include "counts/counts.h"
#include "shares/shares.h"
#include "tune/parts.h"

/* What results depend on, for the head of shares (`run`): options, targets, the columns of
 * counters, and of each workload its space. */
json_t *pm_campaign_run(const pm_session *session, const pm_tune_options *options,
                        const char *const *targets, const char *registers_source,
                        const pm_count_columns *columns);
/* Adds a workload; definition: of its first version. */
void pm_campaign_add(json_t *run, const pm_tuner *tuner, const char *definition);

json_t *pm_campaign_kernels(const pm_count_columns *columns, const pm_sample *kernels,
                            size_t count);

#endif
