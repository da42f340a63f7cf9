/* Estimates the number of registers that a work-item of a kernel needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_REGISTERS_H
#define PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_REGISTERS_H

#include <llvm-c/Core.h>

#include "base/memory.h"
#include "collector/engine/backend/registers/spill.h"

/* Registers of a work-item. count: number of 32-bit registers. spills: the 32-bit values that are
 * stored in private memory because of a register limit. */
typedef struct {
    unsigned count;
    pm_spills spills;
} pm_registers;

/* Estimates the 32-bit registers of a work-item: the largest number that live values of optimised
 * IR take at any point, plus the machine's overhead. Some values take no register: addresses that
 * are part of a load, arguments in the constant bank, and values that all work-items have in
 * common. The result is at most `limit`; UINT_MAX: no limit. */
pm_registers pm_registers_estimate(LLVMValueRef function, unsigned limit, pm_memory *memory);
/* Returns the number of 32-bit registers of a work-item for code from LLVM's own GPU back ends,
 * which move additions down to their use (sunk.h). */
unsigned pm_registers_sunk(LLVMValueRef function, pm_memory *memory);

#endif
