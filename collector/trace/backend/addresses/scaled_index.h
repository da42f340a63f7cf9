/* What it takes to scale an index and add it to the base of a 64-bit address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_SCALED_INDEX_H
#define PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_SCALED_INDEX_H

#include "collector/trace/backend/addresses/addresses.h"

/* 32-bit integers reach a 64-bit address in one multiply-add with a wide result. */
bool pm_is_narrow_index(LLVMValueRef index);

/* A mask is moved to where the index is wanted, scaled: what is left is a sum, none at all where
 * the base is in the instruction. */
bool pm_is_masked_index(LLVMValueRef index);

/* Adds what an index of an address costs: one of 32 bits is scaled, another a sum of two words. */
void pm_add_wide_index(LLVMValueRef gep, LLVMValueRef index, pm_address_cost *cost);

#endif
