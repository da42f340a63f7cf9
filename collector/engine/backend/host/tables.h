/* Guards loads from constant tables in functions that are not inlined, such as the mathematical
 * functions of libclc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_TABLES_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_TABLES_H

#include <llvm-c/Target.h>

/* Adds bounds checks to loads from constant arrays such as libclc's tables. All functions of the
 * module are changed, except kernels and the host functions of their basic blocks. A load outside
 * of its array reads the array's start instead. layout: LLVM's data layout of the host. The module
 * must have passed pm_module_check. */
void pm_tables_guard(LLVMModuleRef module, LLVMTargetDataRef layout);

#endif
