/* A program as NVIDIA's assembler takes it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_MODULE_PTX_H
#define PM_COLLECTOR_TRACE_BACKEND_MODULE_PTX_H

#include <llvm-c/Core.h>

#include "perfmodel.h"

/* Gives the functions that the engine answers a body that reads the registers that NVIDIA's OpenCL
 * keeps the answers in. */
void pm_ptx_define_answers(LLVMModuleRef module);

#endif
