/* The iteration of cfd on the CPU in double, with a bound of what float may differ from it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_KERNELS_CFD_REFERENCE_H
#define PM_KERNELS_CFD_REFERENCE_H

#include "base/error.h"
#include "kernels/cfd/mesh.h"

/* As the kernels declare it. */
typedef struct {
    float density;
    float momentum[3];
    float energy;
} pm_cfd_cell;

/* Holds got against one iteration of STAGES stages from `initial` on; both have an entry for each
 * element. */
pm_status pm_cfd_reference_check(const pm_cfd_mesh *mesh, const pm_cfd_cell *initial,
                                 const pm_cfd_cell *far_field, const pm_cfd_cell *got,
                                 pm_error *err);

#endif
