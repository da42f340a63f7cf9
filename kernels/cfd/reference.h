/* The iteration of cfd on the CPU in double, with a bound of the error of a computation in float.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_KERNELS_CFD_REFERENCE_H
#define PM_KERNELS_CFD_REFERENCE_H

#include "base/error.h"
#include "kernels/cfd/mesh.h"

/* Same layout as the struct in the kernels. */
typedef struct {
    float density;
    float momentum[3];
    float energy;
} pm_cfd_cell;

/* Compares `got` with one iteration of STAGES stages that starts from `initial`. Both have one
 * entry per element. Returns an error if a difference exceeds the bound. */
pm_status pm_cfd_reference_check(const pm_cfd_mesh *mesh, const pm_cfd_cell *initial,
                                 const pm_cfd_cell *far_field, const pm_cfd_cell *got,
                                 pm_error *err);

#endif
