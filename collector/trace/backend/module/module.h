/* From clang's bitcode to the IR that a GPU's compiler would make machine code of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_MODULE_MODULE_H
#define PM_COLLECTOR_TRACE_BACKEND_MODULE_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>

#include "collector/trace/backend.h"
#include "collector/trace/backend/costs/costs.h"

/* Parses the bitcode into context and optimises it as for a GPU: everything is inlined but the
 * mathematical builtins that costs lists, loops are unrolled, loads and stores of neighbours
 * merged. Without costs it is for a GPU's assembler: all builtins are inlined, and what the engine
 * answers is read from registers (ptx.h). NULL on failure. */
LLVMModuleRef pm_module_load(LLVMContextRef context, const pm_backend_request *request,
                             const pm_costs *costs, pm_error *err);

/* PM_BAD_INPUT if a kernel calls something that the engine does not do: printf, an image, a
 * recursive function, one without a body; names it with its line. */
pm_status pm_module_check(LLVMModuleRef module, const pm_backend_request *request, pm_error *err);

/* LLVM's machine of an NVIDIA GPU, such as sm_70 with +ptx70, to be disposed of; NULL with err. */
LLVMTargetMachineRef pm_gpu_machine(const char *chip, const char *features, pm_error *err);

bool pm_is_kernel(LLVMValueRef function);

/* Fails with an LLVM error, which is consumed. */
pm_status pm_llvm_fail(pm_error *err, const char *what, LLVMErrorRef error);

#endif
