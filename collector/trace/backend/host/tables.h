/* Loads from constant tables in functions that stay calls.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_HOST_TABLES_H
#define PM_COLLECTOR_TRACE_BACKEND_HOST_TABLES_H

#include <llvm-c/Target.h>

/* Makes the loads of all functions but kernels and blocks stay in their tables: one that lies
 * outside reads the table's start. layout is the host's. For a module that pm_module_check let
 * through. */
void pm_tables_guard(LLVMModuleRef module, LLVMTargetDataRef layout);

#endif
