/* How many registers a kernel's work-item needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_REGISTERS_REGISTERS_H
#define PM_COLLECTOR_TRACE_BACKEND_REGISTERS_REGISTERS_H

#include <llvm-c/Core.h>

#include "base/memory.h"
#include "collector/trace/backend/registers/spill.h"

/* spills: what a limit on registers makes the compiler keep in private memory. */
typedef struct {
    unsigned count;
    pm_spills spills;
} pm_registers;

/* An estimate, in 32-bit registers: the most that live values of optimised IR take at any place,
 * and what the machine needs besides. What costs no instruction (addresses that fold into their
 * load, arguments in the constant bank, values that all work-items share) takes none. No more than
 * limit, which UINT_MAX is none of. */
pm_registers pm_registers_estimate(LLVMValueRef function, unsigned limit, pm_memory *memory);
/* As LLVM's own back ends for GPUs take them, which leave sums where they were moved (sunk.h). */
unsigned pm_registers_sunk(LLVMValueRef function, pm_memory *memory);

#endif
