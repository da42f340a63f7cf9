/* Solves the normal equations of a fit, as one of GSL's solvers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Its results equal those of gsl_multifit_nlinear_solver_cholesky of GSL 2.7 to the last bit, in
 * less time. GSL's solver traverses the Jacobian column by column and computes the known gradient
 * again. This solver does not report the condition number.
 */
#ifndef PM_MODEL_UNITS_NORMAL_H
#define PM_MODEL_UNITS_NORMAL_H

#include <gsl/gsl_multifit_nlinear.h>

/* Solver for GSL's nonlinear least squares with at most PM_UNITS_PARAMETERS parameters, for use
 * with the method gsl_multifit_nlinear_trs_lm. */
extern const gsl_multifit_nlinear_solver pm_normal_solver;

#endif
