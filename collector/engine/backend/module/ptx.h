/* Prepares an LLVM module for compilation to PTX.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_PTX_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_PTX_H

#include <llvm-c/Core.h>

#include "perfmodel.h"

/* Defines the functions for global offsets and the number of dimensions, which the trace engine
 * implements when it runs the code itself. The bodies read the registers in which NVIDIA's OpenCL
 * stores these values. */
void pm_ptx_define_answers(LLVMModuleRef module);

#endif
