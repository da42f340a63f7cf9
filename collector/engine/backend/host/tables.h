/* Guards loads from constant tables in functions that are not inlined.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_TABLES_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_TABLES_H

#include <llvm-c/Target.h>

/* Adds bounds checks to loads from constant tables, in all functions except kernels and blocks. A
 * load outside of its table reads the table's start instead. layout: of the host. The module must
 * have passed pm_module_check. */
void pm_tables_guard(LLVMModuleRef module, LLVMTargetDataRef layout);

#endif
