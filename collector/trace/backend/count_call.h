/* What calls cost. See count_mix.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_COUNT_CALL_H
#define PM_COLLECTOR_TRACE_BACKEND_COUNT_CALL_H

#include <llvm-c/Core.h>

#include "costs.h"

/* Adds times what row says. */
void pm_mix_add_row(const pm_mix *row, double times, pm_mix *mix);

/* Floating-point arithmetic by type. */
pm_cost pm_cost_of_float(LLVMTypeRef type);

void pm_mix_add_call(const pm_costs *costs, LLVMValueRef call, pm_mix *mix);

#endif
