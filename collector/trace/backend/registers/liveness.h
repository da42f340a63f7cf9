/* Which values are alive where: the usual backward analysis over basic blocks (Aho, Lam, Sethi and
 * Ullman, "Compilers", section 9.2.5), with a bit for each instruction's value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_REGISTERS_LIVENESS_H
#define PM_COLLECTOR_TRACE_BACKEND_REGISTERS_LIVENESS_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct {
    LLVMValueRef value;
    uint32_t number; /* in the order of the code */
} pm_live_value;

typedef struct {
    LLVMBasicBlockRef block;
    uint64_t *live_in; /* a set: without the block's own phis */
} pm_live_block;

/* A set has a bit for each variable, set_words of 64 bits. */
typedef struct {
    pm_live_value *variables; /* by address */
    pm_live_block *blocks;    /* by address */
    size_t variable_count, block_count, set_words;
    uint64_t *live;   /* the set that is being walked */
    uint32_t *sizes;  /* by number: 32-bit registers; 0: it takes none */
    uint32_t *shared; /* by number: whose register a phi shares; its own number: nobody's */
} pm_liveness;

/* Numbers the values of a kernel and finds what is alive at the start of each block. */
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

/* Registers of a set's members. */
unsigned pm_set_words(const pm_liveness *l, const uint64_t *set);

/* NULL: not an instruction of the kernel. */
const pm_live_value *pm_liveness_variable(const pm_liveness *l, LLVMValueRef value);
pm_live_block *pm_liveness_block(const pm_liveness *l, LLVMBasicBlockRef block);

/* A value that another's register or address stands for: what it is made of lives instead. */
bool pm_is_folded(LLVMValueRef value);

/* Calls visit with the number of each variable that a use of the value keeps alive: the value's
 * own, or those that a folded value is made of. */
void pm_liveness_visit(const pm_liveness *l, LLVMValueRef value,
                       void (*visit)(void *user, uint32_t number), void *user);

/* l->live becomes what is alive at the end of the block: what its successors need, and what their
 * phis take from it. */
void pm_liveness_start(pm_liveness *l, LLVMBasicBlockRef block);
/* One instruction backwards: l->live goes from what is alive behind it to what is before it. */
void pm_liveness_step(pm_liveness *l, LLVMValueRef instruction);

#endif
