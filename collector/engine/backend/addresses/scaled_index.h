/* The cost of adding a scaled index to the base of a 64-bit address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_SCALED_INDEX_H
#define PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_SCALED_INDEX_H

#include "collector/engine/backend/addresses/addresses.h"

/* Returns whether the index is a 32-bit integer, also if it is extended to 64 bits. A multiply-add
 * with a 64-bit result then adds the scaled index to the base. */
bool pm_is_narrow_index(LLVMValueRef index);

/* Returns whether the index is masked by a constant. The compiler scales the mask and applies it to
 * the address. The address then needs only an addition, or no instruction if the load or store adds
 * the base itself. */
bool pm_is_masked_index(LLVMValueRef index);

/* Adds to *cost the cost of adding `index` to the base of the address `gep`. A 32-bit index counts
 * as a scaled index, any other index as an addition of two 32-bit words. */
void pm_add_wide_index(LLVMValueRef gep, LLVMValueRef index, pm_address_cost *cost);

#endif
