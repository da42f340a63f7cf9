/* Running cases.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_CASES_H
#define PM_TESTS_RANDOM_CASES_H

#include "suite.h"

typedef struct {
    const rd_suite *suite;
    rd_language language;
    uint64_t first;              /* seed */
    unsigned programs, variants; /* variants of each program */
    /* devices: number of programs, from the first on, that run on devices; oclgrind: number of
     * programs, up to the last, that run under Oclgrind */
    unsigned devices, oclgrind;
    const char *only; /* use this transform instead of random ones; NULL: random */
    bool print, opencl, identity, optimised;
    const rd_break *broken; /* NULL: nothing is */
    unsigned jobs, show;    /* show: number of bad cases to report */
    const char *folder;
    rd_case *cases; /* programs * variants, divided among processes */
} rd_options;

enum { RD_BATCH = 32 };

/* Text of a case (RD_STARTED) while its original program runs. If the process ends then, the fault
 * is in the original program. */
#define RD_ORIGINAL "(the original)"

/* Runs the cases of batch `number` that have no result yet: programs from number * RD_BATCH on. */
int rd_run_batch(const rd_options *options, unsigned number);

#endif
