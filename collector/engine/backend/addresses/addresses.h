/* The cost of address computations. Most of them are free, because a GPU's loads and stores add a
 * constant offset to a register.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_ADDRESSES_H
#define PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_ADDRESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

typedef struct {
    /* Number of machine instructions, by pipe. integer: integer pipe. sum: additions that either
     * the integer or the multiply-add pipe executes. uniform: uniform pipe. */
    double integer, sum, uniform;
    /* Numbers of 64-bit addresses of the form base + index * size, with a 32-bit index and the
     * element size `size`. multiplied: the size is not a power of two. For the other members it is
     * one. scaled: index * size is added to this base only. If the same index * size is added to
     * several bases, `shared` counts the first address and `again` each further one. */
    double multiplied, scaled, shared, again;
} pm_address_cost;

/* Returns the cost of an LLVM getelementptr, without the computation of its base and indices:
 * - Constant indices are free, because they become the offset of the load or store.
 * - The getelementptr is free if an address that is always computed before it differs only by a
 *   constant.
 * - The address of a texture fetch is free, because the texture unit computes it.
 * - A 32-bit index takes one addition (IMAD.WIDE; before compute capability 7.0 two to ten
 *   instructions). If an earlier block has scaled the same index, it takes two to five integer
 *   instructions. A 64-bit or masked index takes two integer instructions.
 * - An access to shared memory adds a register and a uniform register without an instruction of its
 *   own. An index that is the same for all work-items takes one uniform instruction. If an address
 *   has a second index, that index is free if an earlier block computed it. */
pm_address_cost pm_address_cost_of(LLVMValueRef gep);

/* Returns the address that remains when the constant offsets that were added last are left out. */
LLVMValueRef pm_address_base(LLVMValueRef pointer);

/* Returns whether a value is loaded from a constant offset in a __constant variable, or by the
 * texture unit from a texture object. An instruction can read such data directly as an operand,
 * without a load. */
bool pm_is_constant_operand(LLVMValueRef value);

/* Returns whether two addresses always differ by the same constant. */
bool pm_is_offset_from(LLVMValueRef a, LLVMValueRef b);

/* Returns whether the value is used only in indices of addresses. */
bool pm_is_index_only(LLVMValueRef value);

/* Returns whether the value is used only in indices of addresses that differ from earlier addresses
 * by a constant. Its computation then needs no instruction. */
bool pm_is_offset_only(LLVMValueRef value);

/* Returns whether a sum i + j needs no instruction of its own. This is so if the sum is used only
 * in indices of addresses, and one of i and j is a constant or itself an index of another address.
 * The compiler then computes the address with the index i + j from that other address, by a
 * constant offset or by one multiply-add. */
bool pm_is_index_sum(LLVMValueRef sum);

/* Returns whether an address is provably the same for all work-items of a work-group: computed from
 * arguments, group ids and loop counters. */
bool pm_is_uniform_address(LLVMValueRef pointer);

/* Returns whether the kernel adds a 32-bit index to this pointer, by the instruction IMAD.WIDE. The
 * pointer must then be in a register. */
bool pm_is_wide_base(LLVMValueRef pointer);

#endif
