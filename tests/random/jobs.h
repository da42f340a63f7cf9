/* Batches of cases run in processes of their own, so that a crash is one case's result; and the
 * tally of all results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_JOBS_H
#define PM_TESTS_RANDOM_JOBS_H

#include "cases.h"

enum { RD_JOBS = 16, RD_REASONS = 256 };

/* A reason, without what differs between programs. */
typedef struct {
    char text[160];
    rd_result result;
    unsigned count, odd;
    uint64_t seed;
} rd_reason;

/* bad_exits: of batches that ran all their cases (leaks). on_devices: runs that were equal there.
 */
typedef struct {
    unsigned counts[RD_RESULTS], odd_counts[RD_RESULTS], bad_exits, on_devices;
    rd_reason reasons[RD_REASONS];
    size_t reason_count;
} rd_tally;

/* Runs all cases of the options. false: there can be no processes. */
bool rd_run_jobs(rd_options *options, rd_tally *tally);
void rd_tally_print(const rd_tally *tally);
unsigned rd_tally_all(const rd_tally *tally, rd_result result);

#endif
