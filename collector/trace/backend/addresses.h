/* What the computation of addresses costs: a GPU's loads and stores take a register and a constant
 * offset, so most of it folds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_H
#define PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Integer instructions for a getelementptr beyond those of its base and indices:
 * - none for constant indices, which become the offset of the load or store;
 * - none if one that always comes before it differs by a constant alone;
 * - one (IMAD.WIDE, LEA) for each 32-bit index, two for each 64-bit one. */
double pm_address_cost(LLVMValueRef gep);

/* Whether the value ends as nothing but indices of addresses. */
bool pm_is_index_only(LLVMValueRef value);

#endif
