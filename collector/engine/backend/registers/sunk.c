/* Moves arithmetic between its position in LLVM IR and the basic block that uses it, to imitate
 * other compilers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/registers/sunk.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/control_flow/graph.h"
#include "collector/engine/backend/ir/ir.h"

enum { MOST_KEPT = 32 };

/* State of moving computations from basic block `from` up to block `to`, which defines the operands
 * of the moved values. able: list of the values of block `from` that can be moved to `to`. */
typedef struct {
    pm_memory *memory;
    LLVMBuilderRef builder;
    pm_sunk *done;
    LLVMBasicBlockRef from, to;
    /* kept: list of the values of basic block `to` that stay live only because sums in basic block
     * `from` use them */
    LLVMValueRef *able, *kept;
    size_t able_count, kept_count;
} sunk;

static bool contains(const LLVMValueRef *list, size_t count, LLVMValueRef value)
{
    for (size_t i = count; i-- > 0;)
        if (list[i] == value)
            return true;
    return false;
}

static bool is_sum(LLVMValueRef value)
{
    return PM_IS(value, LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFNeg) ||
           (LLVMIsACallInst(value) && (pm_starts(pm_callee_name(value), "llvm.fmuladd.") ||
                                       pm_starts(pm_callee_name(value), "llvm.fma.")));
}

static bool is_address(LLVMValueRef value)
{
    return pm_is_extended(value) ||
           PM_IS(value, LLVMGetElementPtr, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMOr);
}

/* Returns whether an operand is available in basic block `to`: it is defined outside of block
 * `from`, or is a value in s->able, which can be moved. */
static bool is_known(const sunk *s, LLVMValueRef operand)
{
    return !LLVMIsAInstruction(operand) || LLVMGetInstructionParent(operand) != s->from ||
           contains(s->able, s->able_count, operand);
}

static void keep(sunk *s, LLVMValueRef operand)
{
    if (LLVMIsAInstruction(operand) && s->to && LLVMGetInstructionParent(operand) == s->to &&
        !pm_is_constant_operand(operand) && !contains(s->kept, s->kept_count, operand))
        *pm_add(s->memory, s->kept, s->kept_count) = operand;
}

static void look_at(sunk *s, LLVMValueRef value)
{
    const unsigned operands = (unsigned)LLVMGetNumOperands(value);

    if (!is_sum(value) && !is_address(value) && !LLVMIsALoadInst(value))
        return;
    for (unsigned i = 0; i < operands; i++)
        if (!is_known(s, LLVMGetOperand(value, i)))
            return;
    for (unsigned i = 0; i < operands && is_sum(value); i++)
        keep(s, LLVMGetOperand(value, i));
    *pm_add(s->memory, s->able, s->able_count) = value;
}

static bool is_operand(LLVMValueRef of, LLVMValueRef value)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(of); i++)
        if (LLVMGetOperand(of, i) == value)
            return true;
    return false;
}

static void put_before(sunk *s, LLVMValueRef value, LLVMValueRef at)
{
    *pm_add(s->memory, s->done->moves, s->done->count) =
        (struct pm_sunk_move){value, LLVMGetNextInstruction(value)};
    LLVMInstructionRemoveFromParent(value);
    LLVMPositionBuilderBefore(s->builder, at);
    LLVMInsertIntoBuilder(s->builder, value);
}

/* Moves a value to basic block `to`, directly behind its last operand there, or behind the phis if
 * `to` defines no operand. Operands in block `from` are moved first. */
static void move(sunk *s, LLVMValueRef value)
{
    LLVMValueRef at = LLVMGetBasicBlockTerminator(s->to), before;

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        LLVMValueRef operand = LLVMGetOperand(value, i);

        if (LLVMIsAInstruction(operand) && LLVMGetInstructionParent(operand) == s->from)
            move(s, operand);
    }
    while ((before = LLVMGetPreviousInstruction(at)) && !LLVMIsAPHINode(before) &&
           !is_operand(value, before))
        at = before;
    put_before(s, value, at);
}

/* Searches the sums of a basic block for an operand that is defined in another basic block. Returns
 * the block that defines the first one; NULL: there is none. */
static LLVMBasicBlockRef block_of_operands(LLVMBasicBlockRef block)
{
    PM_EACH_INSTRUCTION(i, block)
        for (unsigned o = 0; is_sum(i) && o < (unsigned)LLVMGetNumOperands(i); o++) {
            LLVMValueRef operand = LLVMGetOperand(i, o);

            if (LLVMIsAInstruction(operand) && !pm_is_constant_operand(operand) &&
                LLVMGetInstructionParent(operand) != block)
                return LLVMGetInstructionParent(operand);
        }
    return NULL;
}

static bool is_load_of_sum(LLVMValueRef value)
{
    LLVMUseRef use = LLVMIsALoadInst(value) ? LLVMGetFirstUse(value) : NULL;

    return use && !LLVMGetNextUse(use) && is_sum(LLVMGetUser(use)) &&
           LLVMGetInstructionParent(LLVMGetUser(use)) == LLVMGetInstructionParent(value);
}

/* If basic block `from` has many loads before its first sum, moves each load down to the first sum
 * that uses it. */
static void spread_loads(sunk *s)
{
    LLVMValueRef i = LLVMGetFirstInstruction(s->from), next;
    size_t count = 0;

    for (; i && !is_sum(i); i = LLVMGetNextInstruction(i))
        count += is_load_of_sum(i);
    if (count <= MOST_KEPT)
        return;
    for (i = LLVMGetFirstInstruction(s->from); i && !is_sum(i); i = next) {
        next = LLVMGetNextInstruction(i);
        if (is_load_of_sum(i))
            put_before(s, i, LLVMGetUser(LLVMGetFirstUse(i)));
    }
}

static void move_from(sunk *s)
{
    spread_loads(s);
    PM_EACH_INSTRUCTION(i, s->from)
        look_at(s, i);
    if (s->kept_count <= MOST_KEPT)
        return;
    for (size_t i = 0; i < s->able_count; i++)
        if (is_sum(s->able[i]) && LLVMGetInstructionParent(s->able[i]) == s->from)
            move(s, s->able[i]);
}

/* ---- sinking to the use ---------------------------------------------------------------------- */

/* The basic blocks of a kernel with their numbers, and whether each block is in a loop. */
typedef struct {
    struct numbered {
        LLVMBasicBlockRef block;
        uint32_t number;
    } * blocks; /* sorted by address */
    size_t count;
    bool *in_loop; /* indexed by number */
} loops;

static int by_address(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const struct numbered *)a)->block;
    const uintptr_t y = (uintptr_t)((const struct numbered *)b)->block;

    return (x > y) - (x < y);
}

static uint32_t number_of(const loops *l, LLVMBasicBlockRef block)
{
    const struct numbered key = {.block = block};
    const struct numbered *found = bsearch(&key, l->blocks, l->count, sizeof key, by_address);

    return found->number;
}

static loops find_loops(LLVMValueRef kernel, pm_memory *memory)
{
    loops l = {.count = 0};
    pm_graph graph = {0}, reverse;
    size_t edges = 0, n = 0;

    PM_EACH_BLOCK(b, kernel) {
        const uint32_t number = (uint32_t)l.count;

        *pm_add(memory, l.blocks, l.count) = (struct numbered){b, number};
    }
    qsort(l.blocks, l.count, sizeof *l.blocks, by_address);
    graph.nodes = l.count;
    graph.first = pm_take(memory, l.count + 1, sizeof *graph.first);
    PM_EACH_BLOCK(b, kernel) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            *pm_add(memory, graph.to, edges) = number_of(&l, LLVMGetSuccessor(end, k));
        graph.first[++n] = (uint32_t)edges;
    }
    reverse = pm_graph_reverse(&graph, memory);
    l.in_loop = pm_graph_cycles(&graph, &reverse, 0, memory);
    return l;
}

/* Returns the first instruction that uses a value, if all users are in one basic block other than
 * the value's. Otherwise, or if the instruction is a phi, NULL. */
static LLVMValueRef user_elsewhere(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    LLVMBasicBlockRef block = use ? LLVMGetInstructionParent(LLVMGetUser(use)) : NULL;
    LLVMValueRef first;

    if (!block || block == LLVMGetInstructionParent(value))
        return NULL;
    for (; use; use = LLVMGetNextUse(use))
        if (LLVMIsAPHINode(LLVMGetUser(use)) || LLVMGetInstructionParent(LLVMGetUser(use)) != block)
            return NULL;
    for (first = LLVMGetFirstInstruction(block); first; first = LLVMGetNextInstruction(first))
        if (is_operand(first, value))
            break;
    return first;
}

pm_sunk pm_sunk_move_on(LLVMValueRef kernel, pm_memory *memory)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(pm_context_of(kernel));
    const loops l = find_loops(kernel, memory);
    pm_sunk done = {NULL, 0};
    sunk s = {.memory = memory, .builder = builder, .done = &done};

    for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(kernel); b; b = LLVMGetPreviousBasicBlock(b))
        for (LLVMValueRef i = LLVMGetLastInstruction(b), next; i; i = next) {
            LLVMValueRef user = is_sum(i) ? user_elsewhere(i) : NULL;

            next = LLVMGetPreviousInstruction(i);
            if (user && !l.in_loop[number_of(&l, LLVMGetInstructionParent(user))])
                put_before(&s, i, user);
        }
    LLVMDisposeBuilder(builder);
    return done;
}

pm_sunk pm_sunk_move_back(LLVMValueRef kernel, pm_memory *memory)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(pm_context_of(kernel));
    pm_sunk done = {NULL, 0};

    PM_EACH_BLOCK(b, kernel) {
        sunk s = {.memory = memory,
                  .builder = builder,
                  .done = &done,
                  .from = b,
                  .to = block_of_operands(b)};

        move_from(&s);
    }
    LLVMDisposeBuilder(builder);
    return done;
}

void pm_sunk_restore(const pm_sunk *done)
{
    for (size_t i = done->count; i-- > 0;) {
        LLVMBuilderRef builder =
            LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(done->moves[i].value)));

        LLVMInstructionRemoveFromParent(done->moves[i].value);
        LLVMPositionBuilderBefore(builder, done->moves[i].before);
        LLVMInsertIntoBuilder(builder, done->moves[i].value);
        LLVMDisposeBuilder(builder);
    }
}
