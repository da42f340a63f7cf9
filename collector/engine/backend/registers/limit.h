/* The limit on a kernel's registers, from its attributes and build options.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_LIMIT_H
#define PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_LIMIT_H

#include <llvm-c/Core.h>

#include "collector/engine/register_rules.h"

/* Returns the maximum number of registers of a work-item. UINT_MAX: neither the kernel nor an
 * option limits the number. A kernel's own limit, which is CUDA's __launch_bounds__ or OpenCL's
 * reqd_work_group_size, takes precedence over the option, as it does for ptxas (CUDA C++
 * Programming Guide, "Launch Bounds"). */
unsigned pm_register_limit(LLVMModuleRef module, LLVMValueRef kernel, unsigned warp_width,
                           const pm_register_rules *rules);

#endif
