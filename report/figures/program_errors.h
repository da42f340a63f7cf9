/* How far predictions are off, by program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_FIGURES_PROGRAM_ERRORS_H
#define PM_REPORT_FIGURES_PROGRAM_ERRORS_H

#include "perfmodel.h"

typedef struct {
    const char *program;
    size_t n;                     /* samples with both times */
    double ratio, lo, hi;         /* predicted over measured: geometric mean, ends */
    double mean, median, largest; /* relative errors */
} pm_program_error;

/* In the order of the validation; *count of them, to free. NULL: no memory. */
pm_program_error *pm_program_errors(const pm_validation *validation, size_t *count);

#endif
