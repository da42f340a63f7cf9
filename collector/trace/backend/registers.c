/* Estimates registers by liveness: the usual backward analysis over basic blocks (Aho, Lam, Sethi
 * and Ullman, "Compilers", section 9.2.5), with a bit for each instruction's value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "registers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "collector/error.h"
#include "ir.h"

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
    uint32_t number, words;
} variable;

typedef struct {
    LLVMBasicBlockRef block;
    uint64_t *live_in; /* words of the analysis, a bit for each variable */
} live_block;

typedef struct {
    variable *variables; /* by address */
    live_block *blocks;  /* by address */
    size_t variable_count, block_count, set_words;
    uint64_t *sets, *live; /* live: the set that is being walked */
    uint32_t *sizes;       /* by number */
} liveness;

static int by_address(uintptr_t a, uintptr_t b)
{
    return (a > b) - (a < b);
}

static int by_value(const void *a, const void *b)
{
    return by_address((uintptr_t)((const variable *)a)->value,
                      (uintptr_t)((const variable *)b)->value);
}

static int by_block(const void *a, const void *b)
{
    return by_address((uintptr_t)((const live_block *)a)->block,
                      (uintptr_t)((const live_block *)b)->block);
}

/* A value that another's register or address stands for: what it is made of lives instead. */
static bool is_folded(LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMBitCast:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMFNeg:
    case LLVMFreeze:
    case LLVMAlloca:
    case LLVMExtractElement:
    case LLVMExtractValue:
        return true;
    case LLVMGetElementPtr:
        return pm_address_cost_of(value).integer == 0.0;
    case LLVMSExt:
    case LLVMZExt:
        return pm_is_index_only(value);
    case LLVMAdd:
    case LLVMOr:
        return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) && pm_is_index_only(value);
    default:
        return false;
    }
}

static uint32_t words_of(LLVMValueRef value)
{
    return is_folded(value) || pm_is_uniform(value) ? 0 : pm_type_words(LLVMTypeOf(value));
}

static void count(LLVMValueRef function, liveness *l)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        l->block_count++;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            l->variable_count++;
    }
    l->set_words = (l->variable_count + BITS - 1) / BITS;
}

static bool allocate(liveness *l)
{
    l->variables = calloc(l->variable_count, sizeof *l->variables);
    l->sizes = calloc(l->variable_count, sizeof *l->sizes);
    l->blocks = calloc(l->block_count, sizeof *l->blocks);
    l->sets = calloc((l->block_count + 1) * l->set_words, sizeof *l->sets);
    return l->variables && l->sizes && l->blocks && l->sets;
}

static void release(liveness *l)
{
    free(l->variables);
    free(l->sizes);
    free(l->blocks);
    free(l->sets);
}

static void number(LLVMValueRef function, liveness *l)
{
    uint32_t variables = 0;
    size_t blocks = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        l->blocks[blocks] = (live_block){b, l->sets + blocks * l->set_words};
        blocks++;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            l->sizes[variables] = words_of(i);
            l->variables[variables] = (variable){i, variables, l->sizes[variables]};
            variables++;
        }
    }
    l->live = l->sets + blocks * l->set_words;
    qsort(l->variables, l->variable_count, sizeof *l->variables, by_value);
    qsort(l->blocks, l->block_count, sizeof *l->blocks, by_block);
}

static const variable *find(const liveness *l, LLVMValueRef value)
{
    variable key = {.value = value};

    return bsearch(&key, l->variables, l->variable_count, sizeof key, by_value);
}

static live_block *find_block(const liveness *l, LLVMBasicBlockRef block)
{
    live_block key = {.block = block};

    return bsearch(&key, l->blocks, l->block_count, sizeof key, by_block);
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
        for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && pm_is_opcode(phi, LLVMPHI);
             phi = LLVMGetNextInstruction(phi))
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

static bool is_barrier(LLVMValueRef instruction)
{
    return pm_is_opcode(instruction, LLVMCall) &&
           pm_starts(pm_callee_name(instruction), "llvm.nvvm.barrier");
}

/* Walks a block backwards; needs: what to raise to the largest in it, unless NULL. */
static void walk(liveness *l, LLVMBasicBlockRef block, need *needs)
{
    unsigned loads = 0; /* words of those that come later in the stretch */

    start_at_end(l, block);
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        if (needs)
            note_need(l, needs, 0);
        if (needs && is_barrier(i)) {
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

pm_status pm_registers_estimate(LLVMValueRef function, unsigned *registers, pm_error *err)
{
    liveness l = {0};
    need needs = {0, 0};

    *registers = BASE;
    count(function, &l);
    if (l.variable_count == 0)
        return PM_OK;
    if (!allocate(&l)) {
        release(&l);
        return pm_fail(err, PM_FAILED, "out of memory for the registers of a kernel");
    }
    number(function, &l);
    settle(function, &l);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        walk(&l, b, &needs);
    *registers = BASE + needs.ordered;
    if (*registers < FREE)
        *registers = BASE + needs.ahead < FREE ? BASE + needs.ahead : FREE;
    release(&l);
    return PM_OK;
}
