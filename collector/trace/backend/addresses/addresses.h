/* What the computation of addresses costs: a GPU's loads and stores take a register and a constant
 * offset, so most of it folds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_ADDRESSES_H
#define PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_ADDRESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

typedef struct {
    /* Machine instructions; sum: additions that either pipe can do; uniform: on the uniform pipe.
     */
    double integer, sum, uniform;
    /* Additions of an index of 32 bits, scaled by what is no power of two; by one, for a single
     * base; for the first of several bases that it is scaled alike for; for each of the others. */
    double multiplied, scaled, shared, again;
} pm_address_cost;

/* What a getelementptr costs beyond its base and indices:
 * - nothing for constant indices, which become the offset of the load or store;
 * - nothing if one that always comes before it differs by a constant alone;
 * - one addition of each 32-bit index (IMAD.WIDE; before compute capability 7.0 two to ten
 *   instructions), two integer instructions for each 64-bit or masked one of a 64-bit address, and
 *   two to five for a 32-bit one that an earlier block has scaled;
 * - in shared memory, where an instruction adds a register and a uniform one, one uniform
 *   instruction for an index that all work-items share, and nothing for another beside it that
 *   was there before. */
pm_address_cost pm_address_cost_of(LLVMValueRef gep);

/* An address without the constants that are added to it last. */
LLVMValueRef pm_address_base(LLVMValueRef pointer);

/* Whether an address is of a variable in __constant memory, a constant away from its start: an
 * instruction takes what is there as an operand. */
bool pm_is_constant_operand(LLVMValueRef pointer);

/* Whether two addresses differ by how they are computed, by a constant. */
bool pm_is_offset_from(LLVMValueRef a, LLVMValueRef b);

/* Whether the value ends as nothing but indices of addresses. */
bool pm_is_index_only(LLVMValueRef value);

/* Whether the value ends as nothing but indices of addresses that differ from earlier ones by a
 * constant: then nothing computes it. */
bool pm_is_offset_only(LLVMValueRef value);

/* Whether a sum is the index of an address that is a constant or one multiply-add away from the
 * address of one of its operands: then nothing adds the index itself. */
bool pm_is_index_sum(LLVMValueRef sum);

/* Whether an address is the same for all work-items of a work-group by the code: made of arguments,
 * group ids and loop counters. */
bool pm_is_uniform_address(LLVMValueRef pointer);

/* Whether a pointer is the base that IMAD.WIDE adds a 32-bit index to, and so in a register. */
bool pm_is_wide_base(LLVMValueRef pointer);

#endif
