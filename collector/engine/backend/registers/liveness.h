/* Liveness of values by backward analysis over basic blocks (Aho, Lam, Sethi and Ullman,
 * "Compilers", section 9.2.5), with one bit for each instruction's value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_LIVENESS_H
#define PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_LIVENESS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct {
    LLVMValueRef value;
    uint32_t number; /* number of the variable (value of an instruction) in code order */
} pm_live_value;

typedef struct {
    LLVMBasicBlockRef block;
    /* set of values live at the basic block's start, without the results of its phis */
    uint64_t *live_in;
    LLVMValueRef *phi_values; /* values that the basic block passes to the phis of its successors */
    size_t phi_value_count;
} pm_live_block;

/* The result of the liveness analysis. A variable is the value of an instruction. A set of
 * variables is a bit array of set_words words of 64 bits. */
typedef struct {
    pm_live_value *variables; /* sorted by address */
    pm_live_block *blocks;    /* sorted by address */
    size_t variable_count, block_count, set_words;
    uint64_t *live;  /* set of the variables (values of instructions) that are live at the current
                        instruction of a backward walk */
    uint32_t *sizes; /* sizes[variable]: number of 32-bit registers of the variable (value of an
                        instruction); 0: none */
    /* folded[variable]: the variable needs no register, because the instructions that use it
     * include its computation, as a load includes an address offset. The operands of the
     * computation then stay live instead. */
    bool *folded;
    /* shared[v]: number of the variable (value of an instruction) whose register variable v uses.
     * It is v, except for some phis, which use the register of another phi of their basic block. */
    uint32_t *shared;
} pm_liveness;

/* Numbers the values of a kernel and finds the live values at the start of each basic block. */
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

/* Returns the total number of 32-bit registers of the variables (values of instructions) in a
 * set. */
unsigned pm_set_words(const pm_liveness *l, const uint64_t *set);

/* Returns the entry of an instruction's value in l->variables; NULL if the value is not an
 * instruction of the kernel. */
const pm_live_value *pm_liveness_variable(const pm_liveness *l, LLVMValueRef value);
pm_live_block *pm_liveness_block(const pm_liveness *l, LLVMBasicBlockRef block);

/* Returns whether an instruction of the kernel needs no register, because the instructions that use
 * its value compute the value themselves (l->folded). */
bool pm_liveness_folded(const pm_liveness *l, LLVMValueRef instruction);

/* Calls `visit` with the number of each variable that must be live where `value` is used. This is
 * the variable of the value itself. A value without a register is computed by the instructions that
 * use it (folded). `visit` then gets the variables of its operands instead. */
void pm_liveness_visit(const pm_liveness *l, LLVMValueRef value,
                       void (*visit)(void *user, uint32_t number), void *user);

/* Sets l->live to the values live at the end of the basic block: values that its successors need,
 * and operands of their phis. */
void pm_liveness_start(pm_liveness *l, LLVMBasicBlockRef block);
/* Changes l->live from the set of the values that are live after an instruction to the set of those
 * that are live before it. */
void pm_liveness_step(pm_liveness *l, LLVMValueRef instruction);

#endif
