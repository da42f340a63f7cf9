/* Analyses which values are live at each point of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/registers/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/ir/texture.h"

enum { BITS = 64 };

/* Comparison for qsort and bsearch of structs whose first member is a pointer, by this pointer. */
static int by_address(const void *a, const void *b)
{
    uintptr_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

const pm_live_value *pm_liveness_variable(const pm_liveness *l, LLVMValueRef value)
{
    pm_live_value key = {.value = value};

    return bsearch(&key, l->variables, l->variable_count, sizeof key, by_address);
}

pm_live_block *pm_liveness_block(const pm_liveness *l, LLVMBasicBlockRef block)
{
    pm_live_block key = {.block = block};

    return bsearch(&key, l->blocks, l->block_count, sizeof key, by_address);
}

/* ---- values that need no register ---------------------------------------------------------- */

static bool is_undefined(LLVMValueRef value)
{
    return LLVMIsUndef(value) || LLVMIsPoison(value);
}

/* Returns whether a phi may use the register of another phi of its basic block. This is allowed if,
 * for each predecessor block, the incoming value of `phi` is undefined or equal to the incoming
 * value of `other`. */
static bool may_share(LLVMValueRef phi, LLVMValueRef other)
{
    const unsigned count = LLVMCountIncoming(phi);

    if (LLVMTypeOf(phi) != LLVMTypeOf(other) || LLVMCountIncoming(other) != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!is_undefined(LLVMGetIncomingValue(phi, i)) &&
            (LLVMGetIncomingValue(phi, i) != LLVMGetIncomingValue(other, i) ||
             LLVMGetIncomingBlock(phi, i) != LLVMGetIncomingBlock(other, i)))
            return false;
    return true;
}

/* Returns another phi of the same basic block whose register a phi can use; NULL: the phi needs its
 * own register. LLVM creates two phis per result of an unrolled loop: one for the remaining
 * iterations, and one for the code after them, which is undefined if the loop was skipped. */
static LLVMValueRef shared_with(LLVMValueRef phi)
{
    bool open = false;

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        open = open || is_undefined(LLVMGetIncomingValue(phi, i));
    if (!open)
        return NULL;
    PM_EACH_PHI(other, LLVMGetInstructionParent(phi)) {
        bool defined = true;

        for (unsigned i = 0; i < LLVMCountIncoming(other); i++)
            defined = defined && !is_undefined(LLVMGetIncomingValue(other, i));
        if (defined && may_share(phi, other))
            return other;
    }
    return NULL;
}

/* Returns whether a value is a vector that is an operand of a matrix instruction, or an
 * intermediate value on the way to such a vector, in which some elements have not been inserted
 * yet. The vector's elements are in registers that need not follow each other, so the insertions
 * need no instruction. */
static bool is_of_fragments(LLVMValueRef value)
{
    while (pm_is_opcode(value, LLVMInsertElement) && LLVMGetFirstUse(value))
        value = LLVMGetUser(LLVMGetFirstUse(value));
    return LLVMIsACallInst(value) && pm_starts(pm_callee_name(value), "pm.warp.");
}

/* Returns whether a value needs no register, because the instructions that use it include its
 * computation, as a load includes an address offset. */
static bool is_folded(LLVMValueRef value)
{
    if (pm_is_texture_call(value)) /* the call is a part of the fetch, or of the fetched value */
        return true;
    if (pm_is_opcode(value, LLVMGetElementPtr))
        return pm_address_cost_of(value).integer == 0.0;
    if (pm_is_extended(value))
        return pm_is_index_only(value);
    if (pm_is_opcode(value, LLVMInsertElement))
        return is_of_fragments(value);
    if (PM_IS(value, LLVMAdd, LLVMOr))
        return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) && pm_is_index_only(value);
    return PM_IS(value, LLVMBitCast, LLVMTrunc, LLVMPtrToInt, LLVMIntToPtr, LLVMAddrSpaceCast,
                 LLVMFNeg, LLVMFreeze, LLVMAlloca, LLVMExtractElement, LLVMExtractValue);
}

static uint32_t words_of(LLVMValueRef value, bool folded)
{
    if (folded || pm_is_uniform(value) || pm_is_constant_operand(value))
        return 0;
    return pm_type_words(LLVMTypeOf(value));
}

bool pm_liveness_folded(const pm_liveness *l, LLVMValueRef instruction)
{
    return l->folded[pm_liveness_variable(l, instruction)->number];
}

/* A folded value is computed as a part of the instructions that use it, and has no register. Its
 * operands may be folded, too, so they are followed up to values that have a register. The
 * recursion ends at phis, which are never folded. */
void pm_liveness_visit(const pm_liveness *l, LLVMValueRef value,
                       void (*visit)(void *user, uint32_t number), void *user)
{
    const pm_live_value *v;

    if (!LLVMIsAInstruction(value) || !(v = pm_liveness_variable(l, value)))
        return;
    if (l->folded[v->number]) {
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
            pm_liveness_visit(l, LLVMGetOperand(value, i), visit, user);
        return;
    }
    visit(user, v->number);
    if (l->shared[v->number] != v->number)
        visit(user, l->shared[v->number]);
}

/* A variable here is the value of an instruction. Sets l->shared[v] to the number of the variable
 * whose register variable v uses. If a phi uses the register of another phi, its own size becomes
 * 0, and the other phi counts as live while the first one is. */
static void share_registers(pm_liveness *l, pm_memory *memory)
{
    l->shared = pm_take(memory, l->variable_count, sizeof *l->shared);
    for (size_t i = 0; i < l->variable_count; i++) {
        const pm_live_value *v = &l->variables[i];
        LLVMValueRef other = pm_is_opcode(v->value, LLVMPHI) ? shared_with(v->value) : NULL;

        l->shared[v->number] = v->number;
        if (!other)
            continue;
        l->shared[v->number] = pm_liveness_variable(l, other)->number;
        l->sizes[v->number] = 0;
    }
}

/* ---- the analysis ------------------------------------------------------------------------- */

/* Lists for each basic block the values that the phis of its successors get from it. One pass over
 * all phis makes the lists. A search through the phis for each predecessor would take quadratic
 * time if a block has many predecessors, such as the cases of a switch. */
static void list_phi_values(LLVMValueRef function, pm_liveness *l, pm_memory *memory)
{
    PM_EACH_BLOCK(b, function)
        PM_EACH_PHI(phi, b)
            for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
                pm_live_block *from = pm_liveness_block(l, LLVMGetIncomingBlock(phi, i));

                *pm_add(memory, from->phi_values, from->phi_value_count) =
                    LLVMGetIncomingValue(phi, i);
            }
}

static void number(LLVMValueRef function, pm_liveness *l, pm_memory *memory)
{
    uint32_t count = 0;

    PM_EACH_BLOCK(b, function) {
        pm_add(memory, l->blocks, l->block_count)->block = b;
        PM_EACH_INSTRUCTION(i, b) {
            const bool folded = is_folded(i);
            size_t flags = count;

            *pm_add(memory, l->variables, l->variable_count) = (pm_live_value){i, count};
            *pm_add(memory, l->folded, flags) = folded;
            *pm_add(memory, l->sizes, count) = words_of(i, folded);
        }
    }
    l->set_words = (l->variable_count + BITS - 1) / BITS;
    l->live = pm_take(memory, l->set_words, sizeof *l->live);
    for (size_t b = 0; b < l->block_count; b++)
        l->blocks[b].live_in = pm_take(memory, l->set_words, sizeof *l->live);
    qsort(l->variables, l->variable_count, sizeof *l->variables, by_address);
    qsort(l->blocks, l->block_count, sizeof *l->blocks, by_address);
    share_registers(l, memory);
    list_phi_values(function, l, memory);
}

static void add_live(void *user, uint32_t number)
{
    pm_set_add(((pm_liveness *)user)->live, number);
}

unsigned pm_set_words(const pm_liveness *l, const uint64_t *set)
{
    unsigned words = 0;

    for (size_t w = 0; w < l->set_words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            words += l->sizes[w * BITS + (size_t)__builtin_ctzll(bits)];
    return words;
}

void pm_liveness_start(pm_liveness *l, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    const pm_live_block *own = pm_liveness_block(l, block);

    memset(l->live, 0, l->set_words * sizeof *l->live);
    for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
        const uint64_t *in = pm_liveness_block(l, to)->live_in;

        for (size_t w = 0; w < l->set_words; w++)
            l->live[w] |= in[w];
    }
    for (size_t i = 0; i < own->phi_value_count; i++)
        pm_liveness_visit(l, own->phi_values[i], add_live, l);
}

void pm_liveness_step(pm_liveness *l, LLVMValueRef instruction)
{
    const uint32_t number = pm_liveness_variable(l, instruction)->number;

    pm_set_remove(l->live, number);
    if (pm_is_opcode(instruction, LLVMPHI) || l->folded[number])
        return;
    for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(instruction); o++)
        pm_liveness_visit(l, LLVMGetOperand(instruction, o), add_live, l);
}

void pm_liveness_find(LLVMValueRef function, pm_liveness *l, pm_memory *memory)
{
    bool changed = true;

    *l = (pm_liveness){0};
    number(function, l, memory);
    while (changed) {
        changed = false;
        for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(function); b;
             b = LLVMGetPreviousBasicBlock(b)) {
            uint64_t *in = pm_liveness_block(l, b)->live_in;
            size_t bytes = l->set_words * sizeof *in;

            pm_liveness_start(l, b);
            for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i))
                pm_liveness_step(l, i);
            if (memcmp(in, l->live, bytes) != 0) {
                memcpy(in, l->live, bytes);
                changed = true;
            }
        }
    }
}
