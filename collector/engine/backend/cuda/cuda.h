/* Transforms CUDA kernels in an LLVM module into the form of OpenCL kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CUDA_CUDA_H
#define PM_COLLECTOR_ENGINE_BACKEND_CUDA_CUDA_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "collector/engine/backend.h"

/* Transforms a module that clang made of CUDA C++. Its kernels get the kernel calling convention,
 * pointer parameters to global memory, and the names by which the source or the workload calls
 * them. Returns false if the module has no CUDA kernels. */
bool pm_cuda_lift(LLVMModuleRef module);

/* Replaces copies of small structs with equal scalar members, such as float4, by a load and a store
 * of one vector. Call this function before any optimisation. cuda_vectors.c */
void pm_cuda_widen_copies(LLVMModuleRef module);

/* Initialises variables in __constant__ memory with the workload's contents. Call this function
 * after all optimisations, because the code must not depend on the contents. PM_BAD_INPUT if the
 * module lacks one of the variables, or if the variable is smaller than its contents.
 * cuda_symbols.c */
pm_status pm_cuda_fill_symbols(LLVMModuleRef module, const pm_backend_request *request,
                               pm_error *err);

/* Returns whether the kernel was transformed by pm_cuda_lift. */
bool pm_cuda_is_lifted(LLVMValueRef kernel);

/* Writes the name of a kernel or variable in the source, without types, from its mangled name:
 * ns::sum for _ZN2ns3sumEPf, tile for _ZZ3sumPfE4tile. The result is truncated to `size` bytes. */
void pm_cuda_plain_name(const char *mangled, char *name, size_t size);

#endif
