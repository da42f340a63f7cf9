/* Estimates registers by liveness: the usual backward analysis over basic blocks (Aho, Lam, Sethi
 * and Ullman, "Compilers", section 9.2.5), with a bit for each instruction's value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/registers/registers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/trace/backend/addresses/addresses.h"
#include "collector/trace/backend/ir/intrinsics.h"
#include "collector/trace/backend/ir/ir.h"
#include "collector/trace/backend/registers/sunk.h"

enum {
    /* Of every kernel: the stack pointer, R1 by NVIDIA's calling convention, and its neighbour;
     * two that the hardware keeps of each work-item since Volta; and a pair for the address in
     * the making. */
    BASE = 6,
    /* Up to here registers cost no occupancy on any chip since Kepler (65536 for 2048 work-items),
     * and NVIDIA's compiler spends them to have many loads under way at once. */
    FREE = 32,
    BITS = 64
};

typedef struct {
    LLVMValueRef value;
    uint32_t number;
} variable;

typedef struct {
    LLVMBasicBlockRef block;
    uint64_t *live_in; /* words of the analysis, a bit for each variable */
} live_block;

typedef struct {
    variable *variables; /* by address */
    live_block *blocks;  /* by address */
    size_t variable_count, block_count, set_words;
    uint64_t *live;  /* the set that is being walked */
    uint32_t *sizes; /* by number */
} liveness;

/* By the pointer that a variable and a block start with. */
static int by_address(const void *a, const void *b)
{
    uintptr_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* A value that another's register or address stands for: what it is made of lives instead. */
static bool is_folded(LLVMValueRef value)
{
    if (pm_is_opcode(value, LLVMGetElementPtr))
        return pm_address_cost_of(value).integer == 0.0;
    if (pm_is_extended(value))
        return pm_is_index_only(value);
    if (PM_IS(value, LLVMAdd, LLVMOr))
        return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) && pm_is_index_only(value);
    return PM_IS(value, LLVMBitCast, LLVMTrunc, LLVMPtrToInt, LLVMIntToPtr, LLVMAddrSpaceCast,
                 LLVMFNeg, LLVMFreeze, LLVMAlloca, LLVMExtractElement, LLVMExtractValue);
}

static uint32_t words_of(LLVMValueRef value)
{
    if (is_folded(value) || pm_is_uniform(value) ||
        (LLVMIsALoadInst(value) && pm_is_constant_operand(LLVMGetOperand(value, 0))))
        return 0;
    return pm_type_words(LLVMTypeOf(value));
}

static void number(LLVMValueRef function, liveness *l, pm_memory *memory)
{
    uint32_t count = 0;

    PM_EACH_BLOCK(b, function) {
        pm_add(memory, l->blocks, l->block_count)->block = b;
        PM_EACH_INSTRUCTION(i, b) {
            *pm_add(memory, l->variables, l->variable_count) = (variable){i, count};
            *pm_add(memory, l->sizes, count) = words_of(i);
        }
    }
    l->set_words = (l->variable_count + BITS - 1) / BITS;
    l->live = pm_take(memory, l->set_words, sizeof *l->live);
    for (size_t b = 0; b < l->block_count; b++)
        l->blocks[b].live_in = pm_take(memory, l->set_words, sizeof *l->live);
    qsort(l->variables, l->variable_count, sizeof *l->variables, by_address);
    qsort(l->blocks, l->block_count, sizeof *l->blocks, by_address);
}

static const variable *find(const liveness *l, LLVMValueRef value)
{
    variable key = {.value = value};

    return bsearch(&key, l->variables, l->variable_count, sizeof key, by_address);
}

static live_block *find_block(const liveness *l, LLVMBasicBlockRef block)
{
    live_block key = {.block = block};

    return bsearch(&key, l->blocks, l->block_count, sizeof key, by_address);
}

/* What a folded value is made of lives in its place; operands lead back to definitions, which
 * phis (never folded) end. */
static void use(liveness *l, LLVMValueRef value)
{
    const variable *v;

    if (!LLVMIsAInstruction(value) || !(v = find(l, value)))
        return;
    if (!is_folded(value)) {
        l->live[v->number / BITS] |= UINT64_C(1) << v->number % BITS;
        return;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        use(l, LLVMGetOperand(value, i));
}

static void define(liveness *l, LLVMValueRef value)
{
    const variable *v = find(l, value);

    l->live[v->number / BITS] &= ~(UINT64_C(1) << v->number % BITS);
}

static unsigned live_words(const liveness *l)
{
    unsigned words = 0;

    for (size_t w = 0; w < l->set_words; w++)
        for (uint64_t bits = l->live[w]; bits; bits &= bits - 1)
            words += l->sizes[w * BITS + (size_t)__builtin_ctzll(bits)];
    return words;
}

/* Live at the end of the block: what its successors need, and what their phis take from it. */
static void start_at_end(liveness *l, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    memset(l->live, 0, l->set_words * sizeof *l->live);
    for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
        const uint64_t *in = find_block(l, to)->live_in;

        for (size_t w = 0; w < l->set_words; w++)
            l->live[w] |= in[w];
        PM_EACH_PHI(phi, to)
            for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
                if (LLVMGetIncomingBlock(phi, i) == block)
                    use(l, LLVMGetIncomingValue(phi, i));
    }
}

/* The most that is needed at one place: as the instructions stand, and with the loads of each
 * stretch between barriers ahead of everything else in it. */
typedef struct {
    unsigned ordered, ahead;
} need;

static void note_need(const liveness *l, need *n, unsigned loads)
{
    unsigned words = live_words(l);

    n->ordered = words > n->ordered ? words : n->ordered;
    n->ahead = words + loads > n->ahead ? words + loads : n->ahead;
}

/* Walks a block backwards; needs: what to raise to the largest in it, unless NULL. */
static void walk(liveness *l, LLVMBasicBlockRef block, need *needs)
{
    unsigned loads = 0; /* words of those that come later in the stretch */

    start_at_end(l, block);
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        if (needs)
            note_need(l, needs, 0);
        if (needs && pm_is_barrier(i)) {
            note_need(l, needs, loads);
            loads = 0;
        }
        if (pm_is_opcode(i, LLVMLoad))
            loads += words_of(i);
        define(l, i);
        if (pm_is_opcode(i, LLVMPHI) || is_folded(i))
            continue;
        for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(i); o++)
            use(l, LLVMGetOperand(i, o));
    }
    if (needs)
        note_need(l, needs, loads);
}

static void settle(LLVMValueRef function, liveness *l)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(function); b;
             b = LLVMGetPreviousBasicBlock(b)) {
            uint64_t *in = find_block(l, b)->live_in;
            size_t bytes = l->set_words * sizeof *in;

            walk(l, b, NULL);
            if (memcmp(in, l->live, bytes) != 0) {
                memcpy(in, l->live, bytes);
                changed = true;
            }
        }
    }
}

static unsigned estimate(LLVMValueRef function, pm_memory *memory)
{
    liveness l = {0};
    need needs = {0, 0};

    number(function, &l, memory);
    settle(function, &l);
    PM_EACH_BLOCK(b, function)
        walk(&l, b, &needs);
    if (BASE + needs.ordered >= FREE)
        return BASE + needs.ordered;
    return BASE + needs.ahead < FREE ? BASE + needs.ahead : FREE;
}

unsigned pm_registers_estimate(LLVMValueRef function, pm_memory *memory)
{
    const pm_sunk sunk = pm_sunk_move_back(function, memory);
    const unsigned registers = estimate(function, memory);

    pm_sunk_restore(&sunk);
    return registers;
}

unsigned pm_registers_sunk(LLVMValueRef function, pm_memory *memory)
{
    const pm_sunk sunk = pm_sunk_move_on(function, memory);
    const unsigned registers = estimate(function, memory);

    pm_sunk_restore(&sunk);
    return registers;
}
