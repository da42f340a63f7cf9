/* A line through all counters, learned from all rows there are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_LINE_H
#define PM_MODEL_METHODS_LINE_H

#include "model/training.h"

typedef struct pm_line pm_line;

/* T = a0 + sum a_i x_i, no a below 0, of the least sum of squared relative errors over t->many_row;
 * a source's time is one more x. NULL: there are no more rows than other families learn from too,
 * or too many counters, or these are too large for sums. */
const pm_line *pm_line_fit(pm_memory *memory, const pm_training *t);

/* log T of a row of the problem. */
double pm_line_log_time(const pm_line *line, const pm_problem *problem, size_t row);
/* log T of training row i by the line that has not seen its program. */
double pm_line_unseen(const pm_line *line, const pm_training *t, size_t i);

#endif
