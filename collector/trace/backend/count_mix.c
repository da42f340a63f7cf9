/* The instruction mix of IR. See count_mix.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Most IR instructions are one machine instruction, as many for a vector as it has elements; the
 * exceptions stand here and in count_integer.c, count_call.c and addresses.c.
 */
#include "count_mix.h"

#include <llvm-c/Target.h>

#include "addresses.h"
#include "collector/error.h"
#include "count_parts.h"
#include "ir.h"

/* IR instructions of a loop that the GPU's compiler unrolls. */
enum { MOST_UNROLLED = 64 };

void pm_tally_add(const pm_tally *t, pm_cost cost, double times)
{
    pm_mix_add_row(pm_costs_row(t->costs, cost), times, t->mix);
}

void pm_tally_integer(const pm_tally *t, LLVMValueRef instruction, double count)
{
    pm_tally_add(t, pm_is_uniform(instruction) ? PM_COST_uniform : PM_COST_integer, count);
}

double pm_integer_words(LLVMTypeRef type)
{
    return pm_type_elements(type) * (pm_integer_bits(type) > 32 ? 2.0 : 1.0);
}

/* ---- floating point ----------------------------------------------------------------------- */

/* A product whose one use is a sum becomes a fused multiply-add: OpenCL C lets compilers contract,
 * and a GPU's do. */
static bool is_contracted(LLVMValueRef product)
{
    LLVMValueRef user = pm_only_user(product);

    return user && (pm_is_opcode(user, LLVMFAdd) || pm_is_opcode(user, LLVMFSub));
}

static void add_float(const pm_tally *t, LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);

    if (!pm_is_opcode(instruction, LLVMFMul) || !is_contracted(instruction))
        pm_tally_add(t, pm_cost_of_float(type), pm_type_elements(type));
}

static void add_float_division(const pm_tally *t, LLVMValueRef division)
{
    LLVMTypeRef type = LLVMTypeOf(division);

    pm_tally_add(
        t, pm_cost_of_float(type) == PM_COST_double ? PM_COST_fdiv_double : PM_COST_fdiv_float,
        pm_type_elements(type));
}

/* As fmod, if the table has it. */
static void add_float_rest(const pm_tally *t, LLVMValueRef rest)
{
    LLVMTypeRef type = LLVMTypeOf(rest);
    const pm_mix *row = pm_costs_named(
        t->costs, "fmod", pm_cost_of_float(type) == PM_COST_double ? "double" : "float");

    if (row)
        pm_mix_add_row(row, pm_type_elements(type), t->mix);
    else
        add_float_division(t, rest);
}

static void add_comparison(const pm_tally *t, LLVMValueRef comparison)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(comparison, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(pm_element_type(type));
    double elements = pm_type_elements(type);

    if (kind == LLVMDoubleTypeKind)
        pm_tally_add(t, PM_COST_compare_double, elements);
    else if (pm_is_opcode(comparison, LLVMFCmp))
        pm_tally_add(t, PM_COST_compare_float, elements);
    else
        pm_tally_add(t, PM_COST_compare_int,
                     kind == LLVMPointerTypeKind ? pm_type_words(type) : pm_integer_words(type));
}

static bool is_floating(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(pm_element_type(type));

    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* ---- conversions -------------------------------------------------------------------------- */

/* Whether a small integer is an unsigned one in a register of 32 bits already. */
static bool is_clear_above(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMUDiv) || pm_is_opcode(value, LLVMURem) ||
           pm_is_opcode(value, LLVMLShr) || pm_is_opcode(value, LLVMAnd);
}

/* Loads extend; addresses and wide products take 32-bit operands; bytes come out of a word by a
 * permutation that leaves the rest clear. */
static void add_extension(const pm_tally *t, LLVMValueRef extension)
{
    LLVMValueRef from = LLVMGetOperand(extension, 0);
    unsigned bits = pm_integer_bits(LLVMTypeOf(from));
    double elements = pm_type_elements(LLVMTypeOf(extension));

    if (pm_is_opcode(from, LLVMLoad) || pm_is_index_only(extension) ||
        (pm_is_opcode(extension, LLVMZExt) && is_clear_above(from)))
        return;
    if (bits == 1)
        pm_tally_add(t, PM_COST_select, elements);
    else if (bits < 32)
        pm_tally_add(t, PM_COST_permute, elements);
    else if (pm_is_opcode(extension, LLVMSExt) &&
             !(pm_only_user(extension) && pm_is_opcode(pm_only_user(extension), LLVMMul)))
        pm_tally_integer(t, extension, elements); /* the sign's word */
}

static void add_conversion(const pm_tally *t, LLVMValueRef conversion, pm_cost narrow)
{
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(conversion, 0)), to = LLVMTypeOf(conversion);
    bool wide = pm_type_words(pm_element_type(from)) > 1 || pm_type_words(pm_element_type(to)) > 1;

    pm_tally_add(t, wide ? PM_COST_convert_wide : narrow, pm_type_elements(to));
}

/* ---- vectors ------------------------------------------------------------------------------ */

/* Elements of 32 bits or more are registers of their own; smaller ones are packed. */
static bool is_packed(LLVMTypeRef vector)
{
    return pm_type_words(vector) < pm_type_elements(vector);
}

static void add_element(const pm_tally *t, LLVMValueRef access, unsigned index)
{
    LLVMTypeRef vector = LLVMTypeOf(LLVMGetOperand(access, 0));

    if (!LLVMIsConstant(LLVMGetOperand(access, index)))
        pm_tally_add(t, PM_COST_select, pm_type_elements(vector) - 1.0);
    else if (is_packed(vector))
        pm_tally_add(t, PM_COST_permute, 1.0);
}

static void add_shuffle(const pm_tally *t, LLVMValueRef shuffle)
{
    if (is_packed(LLVMTypeOf(shuffle)))
        pm_tally_add(t, PM_COST_permute, pm_type_words(LLVMTypeOf(shuffle)));
}

/* ---- memory ------------------------------------------------------------------------------- */

/* A vector that is aligned is one access, up to 16 bytes. */
static void add_memory(const pm_tally *t, LLVMValueRef access, LLVMTypeRef type)
{
    unsigned long long bytes =
        LLVMABISizeOfType(LLVMGetModuleDataLayout(LLVMGetGlobalParent(
                              LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)))),
                          type);
    unsigned alignment = LLVMGetAlignment(access);

    if (alignment == 0 || alignment > WIDEST)
        alignment = WIDEST;
    bytes = (bytes + alignment - 1) / alignment; /* is now the number of accesses */
    pm_tally_add(t, PM_COST_memory, (double)bytes);
}

static void add_address(const pm_tally *t, LLVMValueRef gep)
{
    double elements = pm_type_elements(LLVMTypeOf(gep));
    pm_address_cost cost = pm_address_cost_of(gep);

    pm_tally_add(t, PM_COST_integer, cost.integer * elements);
    pm_tally_add(t, PM_COST_uniform, cost.uniform * elements);
}

/* ---- control ------------------------------------------------------------------------------ */

/* Whether `to` stands before the end of `from`: the edge that closes a loop. */
static bool is_back_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (LLVMBasicBlockRef b = from; b; b = LLVMGetPreviousBasicBlock(b))
        if (b == to)
            return true;
    return false;
}

/* A value that is another phi of the same block moves from register to register in every round;
 * one that is a constant is set where its edge starts. All others are computed in place. */
static bool needs_move(LLVMValueRef phi, LLVMValueRef value)
{
    if (LLVMIsUndef(value) || value == phi)
        return false;
    if (LLVMIsConstant(value))
        return true;
    return pm_is_opcode(value, LLVMPHI) &&
           LLVMGetInstructionParent(value) == LLVMGetInstructionParent(phi);
}

static void add_moves(const pm_tally *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && pm_is_opcode(phi, LLVMPHI);
         phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == from &&
                needs_move(phi, LLVMGetIncomingValue(phi, i)))
                pm_tally_add(t, PM_COST_move, pm_type_words(LLVMTypeOf(phi)));
}

/* Whether a block only ends the kernel: a branch there is an exit under a predicate. */
static bool is_exit(LLVMBasicBlockRef block)
{
    return pm_is_opcode(LLVMGetFirstInstruction(block), LLVMRet);
}

/* Whether a block is a loop by itself, small enough for the GPU's compiler to unroll it. */
static bool is_small_loop(LLVMBasicBlockRef block)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    unsigned size = 0;
    bool again = false;

    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
        again = again || LLVMGetSuccessor(branch, i) == block;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); again && i; i = LLVMGetNextInstruction(i))
        size += !pm_is_opcode(i, LLVMPHI);
    return again && size <= MOST_UNROLLED;
}

/* A jump falls through; the blocks are laid out for it. */
static void add_branch(const pm_tally *t, LLVMValueRef branch)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    bool back = false, exits = false;

    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        add_moves(t, block, LLVMGetSuccessor(branch, i));
        back = back || is_back_edge(block, LLVMGetSuccessor(branch, i));
        exits = exits || is_exit(LLVMGetSuccessor(branch, i));
        if (LLVMGetSuccessor(branch, i) != block && is_small_loop(LLVMGetSuccessor(branch, i)))
            pm_tally_add(t, PM_COST_loop_entry, 1.0);
    }
    if (!LLVMIsConditional(branch))
        return;
    pm_tally_add(t, back ? PM_COST_branch_back : PM_COST_branch_forward, 1.0);
    if (!back && !exits && !pm_is_uniform(LLVMGetCondition(branch)))
        pm_tally_add(t, PM_COST_reconverge, 1.0);
}

/* A chain of comparisons, of which half are passed. */
static void add_switch(const pm_tally *t, LLVMValueRef branch)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    unsigned successors = LLVMGetNumSuccessors(branch);

    for (unsigned i = 0; i < successors; i++)
        add_moves(t, block, LLVMGetSuccessor(branch, i));
    pm_tally_add(t, PM_COST_compare_int, successors / 2.0);
    pm_tally_add(t, PM_COST_branch_forward, successors / 2.0);
}

/* ---- all of them -------------------------------------------------------------------------- */

static bool add_cast_or_float(const pm_tally *t, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
        add_float(t, i);
        return true;
    case LLVMFDiv:
        add_float_division(t, i);
        return true;
    case LLVMFRem:
        add_float_rest(t, i);
        return true;
    case LLVMICmp:
    case LLVMFCmp:
        add_comparison(t, i);
        return true;
    case LLVMZExt:
    case LLVMSExt:
        add_extension(t, i);
        return true;
    case LLVMSIToFP:
    case LLVMUIToFP:
        add_conversion(t, i, PM_COST_convert_int_to_float);
        return true;
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMFPExt:
    case LLVMFPTrunc:
        add_conversion(t, i, PM_COST_convert_float_to_int);
        return true;
    case LLVMSelect:
        pm_tally_add(t, is_floating(LLVMTypeOf(i)) ? PM_COST_select_float : PM_COST_select,
                     pm_type_words(LLVMTypeOf(i)));
        return true;
    default:
        return false;
    }
}

static bool add_memory_or_vector(const pm_tally *t, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        add_memory(t, i, LLVMTypeOf(i));
        return true;
    case LLVMStore:
        add_memory(t, i, LLVMTypeOf(LLVMGetOperand(i, 0)));
        return true;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        pm_tally_add(t, PM_COST_memory, 1.0);
        return true;
    case LLVMFence:
        pm_tally_add(t, PM_COST_fence, 1.0);
        return true;
    case LLVMGetElementPtr:
        add_address(t, i);
        return true;
    case LLVMExtractElement:
        add_element(t, i, 1);
        return true;
    case LLVMInsertElement:
        add_element(t, i, 2);
        return true;
    case LLVMShuffleVector:
        add_shuffle(t, i);
        return true;
    default:
        return false;
    }
}

static bool add_control(const pm_tally *t, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
        add_branch(t, i);
        return true;
    case LLVMSwitch:
        add_switch(t, i);
        return true;
    case LLVMRet:
        pm_tally_add(t, PM_COST_exit, 1.0);
        return true;
    case LLVMCall:
        pm_count_call(t, i);
        return true;
    default:
        return false;
    }
}

/* Names for registers that hold the value already. */
static bool is_free(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI: /* see add_moves */
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMFNeg: /* a modifier of the operand */
    case LLVMFreeze:
    case LLVMAlloca:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMUnreachable:
        return true;
    default:
        return false;
    }
}

pm_status pm_mix_add(const pm_costs *costs, LLVMValueRef instruction, pm_mix *mix, pm_error *err)
{
    const pm_tally t = {costs, mix};

    if (is_free(instruction) || pm_count_integer(&t, instruction) ||
        add_cast_or_float(&t, instruction) || add_memory_or_vector(&t, instruction) ||
        add_control(&t, instruction))
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "line %u: LLVM's instruction number %d has no cost; report it as a bug",
                   LLVMGetDebugLocLine(instruction), (int)LLVMGetInstructionOpcode(instruction));
}

void pm_mix_add_entry(const pm_costs *costs, LLVMValueRef kernel, pm_mix *mix)
{
    const pm_tally t = {costs, mix};

    pm_tally_add(&t, PM_COST_entry, 1.0);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMValueRef parameter = LLVMGetParam(kernel, i);

        if (LLVMGetFirstUse(parameter))
            pm_tally_add(&t, pm_is_wide_base(parameter) ? PM_COST_constant_load : PM_COST_constant,
                         1.0);
    }
}
