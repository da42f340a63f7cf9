/* A linear model of the time with non-negative coefficients, fitted to all rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_LINE_H
#define PM_MODEL_METHODS_LINE_H

#include "model/training.h"

typedef struct pm_line pm_line;

/* Fits T = a0 + sum_i a_i x_i with all a >= 0 to the rows t->many_row. x_i are the counters, and
 * the time on the source GPU if there is one. The fit minimizes the sum of squared relative errors.
 * Returns NULL if t->many_row is not longer than the list of rows for the other models, if there
 * are too many counters, or if the sums overflow. */
const pm_line *pm_line_fit(pm_memory *memory, const pm_training *t);

/* Predicts the log time of row number `row` of the regression problem. */
double pm_line_log_time(const pm_line *line, const pm_problem *problem, size_t row);
/* Predicts the log time of training row i by the model fitted without the row's program. */
double pm_line_unseen(const pm_line *line, const pm_training *t, size_t i);

#endif
