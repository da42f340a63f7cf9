/* Runs batches of cases in separate processes, so that a crash is the result of one case. Counts
 * the results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_JOBS_H
#define PM_TESTS_RANDOM_JOBS_H

#include "cases.h"

enum { RD_JOBS = 16, RD_REASONS = 256 };

/* A reason of a refusal, without the parts that differ between programs. */
typedef struct {
    char text[160];
    rd_result result;
    unsigned count, odd;
    uint64_t seed;
} rd_reason;

/* bad_exits: batches that ran all their cases but ended with an error (leaks). on_devices: runs
 * with equal outputs on devices. */
typedef struct {
    unsigned counts[RD_RESULTS], odd_counts[RD_RESULTS], bad_exits, on_devices;
    rd_reason reasons[RD_REASONS];
    size_t reason_count;
} rd_tally;

/* Runs all cases of the options. Returns false if no process can be started. */
bool rd_run_jobs(rd_options *options, rd_tally *tally);
void rd_tally_print(const rd_tally *tally);
unsigned rd_tally_all(const rd_tally *tally, rd_result result);

#endif
