/* Batches of cases run in processes of their own, so that a crash is one case's result; and the
 * tally of all results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_JOBS_H
#define PM_TESTS_SHARED_RANDOM_JOBS_H

#include "cases.h"

enum { SR_JOBS = 16, SR_REASONS = 200 };

/* A reason, without what differs between programs. */
typedef struct {
    char text[160];
    sr_result result;
    unsigned count, odd;
    uint64_t seed;
} sr_reason;

/* bad_exits: of batches that ran all their cases (leaks). on_devices: runs that were equal there.
 */
typedef struct {
    unsigned counts[SR_RESULTS], odd_counts[SR_RESULTS], bad_exits, on_devices;
    sr_reason reasons[SR_REASONS];
    size_t reason_count;
} sr_tally;

/* Runs all cases of the options, so many batches at a time. false: there can be no processes. */
bool sr_run_jobs(sr_options *options, unsigned jobs, sr_tally *tally);
void sr_tally_print(const sr_tally *tally);
unsigned sr_tally_all(const sr_tally *tally, sr_result result);

#endif
