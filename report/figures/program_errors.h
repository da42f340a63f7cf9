/* Prediction errors of a validation, summarized by program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_FIGURES_PROGRAM_ERRORS_H
#define PM_REPORT_FIGURES_PROGRAM_ERRORS_H

#include "perfmodel.h"

typedef struct {
    const char *program;
    size_t n; /* number of samples whose time was both measured and predicted */
    /* predicted time / measured time over these samples: geometric mean (ratio), smallest (lo) and
     * largest (hi) */
    double ratio, lo, hi;
    /* relative error |predicted time / measured time - 1| over these samples: mean, median and
     * largest */
    double mean, median, largest;
} pm_program_error;

/* Returns the errors of each program, in the order in which the programs first occur in the
 * validation. *count is the number of programs. The caller frees the array. NULL if memory runs
 * out. */
pm_program_error *pm_program_errors(const pm_validation *validation, size_t *count);

#endif
