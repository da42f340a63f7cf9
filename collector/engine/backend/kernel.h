/* Compiles one kernel of an LLVM module: its description for the trace engine, and host code for
 * each of its basic blocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_KERNEL_H
#define PM_COLLECTOR_ENGINE_BACKEND_KERNEL_H

#include "collector/engine/backend/ir/kernel_request.h"
#include "collector/engine/program.h"

/* Fills *code, except the pointers to the basic blocks' host functions. These functions, named by
 * pm_kernel_block_name, are added to the module and compiled later. */
pm_status pm_kernel_build(const pm_kernel_request *request, pm_kernel_code *code, pm_error *err);

/* Sets in *code the kernel's parameters with the offsets of their values, and the required
 * work-group size (__attribute__((reqd_work_group_size(x, y, z)))). Defined in
 * kernel_parameters.c. */
void pm_kernel_describe_parameters(const pm_kernel_request *request, pm_kernel_code *code);
void pm_kernel_describe_group(const pm_kernel_request *request, pm_kernel_code *code);

/* Writes the name of a basic block's host function, which starts with pm_kernel_prefix(kind).
 * kernel, block: indices. */
void pm_kernel_block_name(size_t kernel, uint32_t block, pm_code_kind kind, char *name,
                          size_t size);
const char *pm_kernel_prefix(pm_code_kind kind);

#endif
