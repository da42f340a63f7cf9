/* Makes GSL functions return errors instead of aborting.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GSL calls one error handler per process, and the default one aborts. Between pm_gsl_begin and
 * pm_gsl_end, errors in the calling thread are returned as status. Errors in other threads still go
 * to the previous handler. The last pm_gsl_end of all threads restores that handler. Calls may be
 * nested.
 */
#ifndef PM_BASE_GSL_H
#define PM_BASE_GSL_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "base/memory.h"

void pm_gsl_begin(void);
void pm_gsl_end(void);

/* The two functions allocate a zeroed matrix or vector from `memory`. pm_memory_free frees it;
 * gsl_matrix_free and gsl_vector_free must not be called. A size may be 0. */
gsl_matrix *pm_take_matrix(pm_memory *memory, size_t rows, size_t columns);
gsl_vector *pm_take_vector(pm_memory *memory, size_t size);

#endif
