/* Cases run in processes of their own, so that a crash is one case's result; and the tally of all
 * results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_RANDOM_JOBS_H
#define PM_TESTS_LAYOUT_RANDOM_JOBS_H

#include "cases.h"

enum { LR_JOBS = 16, LR_REASONS = 256 };

/* A reason for refusals, without what differs between programs. */
typedef struct {
    char text[200];
    unsigned count, odd;
    uint64_t seed;
} lr_reason;

/* bad_exits: of jobs that ran all their cases (leaks). */
typedef struct {
    unsigned counts[LR_RESULTS], odd_counts[LR_RESULTS], shown, bad_exits;
    lr_reason reasons[LR_REASONS];
    size_t reason_count;
} lr_tally;

/* Runs all cases of the options, in so many processes. false: there can be none. */
bool lr_run_jobs(const lr_options *o, unsigned count, lr_tally *t);
unsigned lr_tally_all(const lr_tally *t, lr_result result);
void lr_tally_print(const lr_tally *t);

#endif
