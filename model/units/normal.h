/* The normal equations of a fit, as one of GSL's solvers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What gsl_multifit_nlinear_solver_cholesky of GSL 2.7 is, to the last bit, in less time: that goes
 * through the slopes column by column, and finds a gradient anew that is known. It does not tell
 * the condition number.
 */
#ifndef PM_MODEL_UNITS_NORMAL_H
#define PM_MODEL_UNITS_NORMAL_H

#include <gsl/gsl_multifit_nlinear.h>

/* For at most PM_UNITS_PARAMETERS parameters, and gsl_multifit_nlinear_trs_lm. */
extern const gsl_multifit_nlinear_solver pm_normal_solver;

#endif
