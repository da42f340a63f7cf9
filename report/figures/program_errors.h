/* Prediction errors of a validation, summarized by program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_FIGURES_PROGRAM_ERRORS_H
#define PM_REPORT_FIGURES_PROGRAM_ERRORS_H

#include "perfmodel.h"

typedef struct {
    const char *program;
    /* number of the program's samples: kernels, variants and sizes with a measured and a predicted
     * time */
    size_t n;
    /* predicted time / measured time over the n samples (kernels in a variant and size): geometric
     * mean (ratio), smallest (lo) and largest (hi) */
    double ratio, lo, hi;
    /* relative error |predicted time / measured time - 1| over the n samples: mean, median and
     * largest */
    double mean, median, largest;
} pm_program_error;

/* Returns the errors of each program, in the order in which the programs first occur in the
 * validation. *count is the number of programs. The caller frees the array. NULL if memory runs
 * out. */
pm_program_error *pm_program_errors(const pm_validation *validation, size_t *count);

#endif
