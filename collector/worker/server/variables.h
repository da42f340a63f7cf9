/* Adds a buffer to a workload for each variable in global memory (__device__, __managed__) of its
 * CUDA source, because the trace engine passes such variables to kernels like buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_SERVER_VARIABLES_H
#define PM_COLLECTOR_WORKER_SERVER_VARIABLES_H

#include "collector/engine/engine.h"

/* Adds a buffer to the workload for each __device__ or __managed__ variable that a launched kernel
 * uses, behind the workload's own buffers. Adds to each launch the arguments that pass these
 * buffers to the kernel (pm_parameter.variable), and the textures that are bound to texture
 * references (pm_parameter.reference). All launches share the variables. */
pm_status pm_served_add_variables(pm_workload *workload, const pm_trace_program *program,
                                  pm_error *err);

#endif
