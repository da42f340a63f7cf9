/* GSL's errors as statuses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GSL calls one handler of the whole process when something fails, and the default one aborts.
 * Between begin and end, what fails in the thread that called begin returns its status instead; for
 * all other threads the handler that was set before goes on to be called, and it is set again with
 * the last end. Calls may be nested.
 */
#ifndef PM_BASE_GSL_H
#define PM_BASE_GSL_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "base/memory.h"

void pm_gsl_begin(void);
void pm_gsl_end(void);

/* Zeroed, of a memory: not to be freed one by one. A size may be 0. */
gsl_matrix *pm_take_matrix(pm_memory *memory, size_t rows, size_t columns);
gsl_vector *pm_take_vector(pm_memory *memory, size_t size);

#endif
