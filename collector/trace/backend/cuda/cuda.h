/* CUDA's kernels made into what OpenCL's are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CUDA_CUDA_H
#define PM_COLLECTOR_TRACE_BACKEND_CUDA_CUDA_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "collector/trace/backend.h"

/* Of a module that clang made of CUDA C++: kernels get a kernel's calling convention, pointers to
 * global memory for parameters, and the names that the source, or the workload, has for them.
 * False: the module has no such kernels. */
bool pm_cuda_lift(LLVMModuleRef module);

/* Its copies of small structs of equal scalars, such as float4, become a load and a store of one
 * vector; before anything is optimised. cuda_vectors.c */
void pm_cuda_widen_copies(LLVMModuleRef module);

/* Gives variables in __constant__ memory what the workload says that they hold, after everything is
 * optimised: the code must not depend on it. PM_BAD_INPUT where there is no such variable, or a
 * smaller one. cuda_symbols.c */
pm_status pm_cuda_fill_symbols(LLVMModuleRef module, const pm_backend_request *request,
                               pm_error *err);

/* Whether the kernel is one of those. */
bool pm_cuda_is_lifted(LLVMValueRef kernel);

/* The kernel's or variable's name of the source, without a mangled name's types: ns::sum of
 * _ZN2ns3sumEPf, tile of _ZZ3sumPfE4tile. Cut where it is longer than size. */
void pm_cuda_plain_name(const char *mangled, char *name, size_t size);

#endif
