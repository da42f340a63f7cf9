/* Converts clang's bitcode to the IR from which a GPU's compiler would generate machine code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_MODULE_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>

#include "collector/engine/backend.h"
#include "collector/engine/backend/costs/costs.h"

/* Parses the bitcode into `context` and optimises it as for a GPU. All functions are inlined except
 * the mathematical builtins listed in `costs`. Loops are unrolled, and adjacent loads and stores
 * merged. costs NULL: the module is for PTX; all builtins are inlined, and ids and sizes are read
 * from registers (ptx.h). NULL on failure. */
LLVMModuleRef pm_module_load(LLVMContextRef context, const pm_backend_request *request,
                             const pm_costs *costs, pm_error *err);

/* Reads the module of a request from bitcode or PTX, without changing it. NULL on failure. */
LLVMModuleRef pm_module_read(LLVMContextRef context, const pm_backend_request *request,
                             pm_error *err);

/* Checks that the engine can execute all kernels of the module. PM_BAD_INPUT if a kernel calls a
 * function that the engine does not support: printf, an image function, a recursive function, or a
 * function without a body. The error names the function and the source line of the call. */
pm_status pm_module_check(LLVMModuleRef module, const pm_backend_request *request, pm_error *err);

/* Creates LLVM's target machine of an NVIDIA GPU. chip: such as sm_70. features: such as +ptx70.
 * The caller disposes of it. NULL with err on failure. */
LLVMTargetMachineRef pm_gpu_machine(const char *chip, const char *features, pm_error *err);

bool pm_is_kernel(LLVMValueRef function);

/* Raises an LLVM error as PM_FAILED, and frees `error`. */
pm_status pm_llvm_fail(pm_error *err, const char *what, LLVMErrorRef error);

#endif
