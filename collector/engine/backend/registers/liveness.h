/* Liveness of values by backward analysis over basic blocks (Aho, Lam, Sethi and Ullman,
 * "Compilers", section 9.2.5), with one bit for each instruction's value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_LIVENESS_H
#define PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_LIVENESS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct {
    LLVMValueRef value;
    uint32_t number; /* index in the order of the code */
} pm_live_value;

typedef struct {
    LLVMBasicBlockRef block;
    uint64_t *live_in; /* set of values live at the block's start, without the block's own phis */
} pm_live_block;

/* The result of the analysis. A set has a bit for each variable, in set_words words of 64 bits. */
typedef struct {
    pm_live_value *variables; /* sorted by address */
    pm_live_block *blocks;    /* sorted by address */
    size_t variable_count, block_count, set_words;
    uint64_t *live;  /* the set at the current instruction of a walk */
    uint32_t *sizes; /* 32-bit registers of each variable; 0: none */
    /* Number of the variable whose register each variable uses: its own number, except for some
     * phis. */
    uint32_t *shared;
} pm_liveness;

/* Numbers the values of a kernel and finds the live values at the start of each block. */
void pm_liveness_find(LLVMValueRef function, pm_liveness *l, pm_memory *memory);

static inline bool pm_set_has(const uint64_t *set, uint32_t number)
{
    return set[number / 64] >> number % 64 & 1;
}

static inline void pm_set_add(uint64_t *set, uint32_t number)
{
    set[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void pm_set_remove(uint64_t *set, uint32_t number)
{
    set[number / 64] &= ~(UINT64_C(1) << number % 64);
}

/* Total 32-bit registers of a set's members. */
unsigned pm_set_words(const pm_liveness *l, const uint64_t *set);

/* NULL if the value is not an instruction of the kernel. */
const pm_live_value *pm_liveness_variable(const pm_liveness *l, LLVMValueRef value);
pm_live_block *pm_liveness_block(const pm_liveness *l, LLVMBasicBlockRef block);

/* Returns whether a value needs no register because its users fold it, as an address. Its operands
 * then stay live instead. */
bool pm_is_folded(LLVMValueRef value);

/* Calls `visit` with the number of each variable that a use of the value makes live: the value's
 * own number, or those of the operands of a folded value. */
void pm_liveness_visit(const pm_liveness *l, LLVMValueRef value,
                       void (*visit)(void *user, uint32_t number), void *user);

/* Sets l->live to the values live at the end of the block: values that its successors need, and
 * operands of their phis. */
void pm_liveness_start(pm_liveness *l, LLVMBasicBlockRef block);
/* Moves l->live backwards over one instruction, from the values live after it to those before it.
 */
void pm_liveness_step(pm_liveness *l, LLVMValueRef instruction);

#endif
