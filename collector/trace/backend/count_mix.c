/* The instruction mix of IR. See count_mix.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Most IR instructions are one machine instruction. What this file knows are the exceptions:
 * machine instructions that do the work of two (multiply-add, shift-add, additions and logic of
 * three operands, extensions that an instruction makes of its operand), what a machine has no
 * instruction for (division), and what takes several (64-bit integers, vectors).
 */
#include "count_mix.h"

#include <llvm-c/Target.h>

#include "addresses.h"
#include "collector/error.h"
#include "count_call.h"
#include "ir.h"

enum { WIDEST = 16 /* bytes of the widest load or store */ };

typedef struct {
    const pm_costs *costs;
    pm_mix *mix;
} tally;

static void add(const tally *t, pm_cost cost, double times)
{
    pm_mix_add_row(pm_costs_row(t->costs, cost), times, t->mix);
}

/* Integer work of `count` machine instructions, on the uniform pipe if all work-items share it. */
static void add_integer(const tally *t, LLVMValueRef instruction, double count)
{
    add(t, pm_is_uniform(instruction) ? PM_COST_uniform : PM_COST_integer, count);
}

static double words(LLVMTypeRef type)
{
    return pm_type_elements(type) * (pm_integer_bits(type) > 32 ? 2.0 : 1.0);
}

/* Words of an integer result that anything uses. */
static double used_words(LLVMValueRef instruction)
{
    return pm_is_low_word(instruction) ? 1.0 : words(LLVMTypeOf(instruction));
}

/* ---- integers ----------------------------------------------------------------------------- */

static bool is_sum(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMAdd) || pm_is_opcode(value, LLVMSub);
}

static bool is_logic(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMAnd) || pm_is_opcode(value, LLVMOr) ||
           pm_is_opcode(value, LLVMXor);
}

/* Sums and logic take three operands at once (IADD3, LOP3): of a tree of n operations of two
 * operands half, rounded up, are left. Its root counts one, the others half each. */
static double share_of_three(LLVMValueRef instruction, bool (*like)(LLVMValueRef))
{
    LLVMValueRef user = pm_only_user(instruction);

    return user && like(user) && LLVMTypeOf(user) == LLVMTypeOf(instruction) ? 0.5 : 1.0;
}

/* A product and a sum are one IMAD, a shift and a sum one LEA: the sum is counted alone. */
static bool is_fused(LLVMValueRef product)
{
    LLVMValueRef user = pm_only_user(product);

    return user && is_sum(user);
}

static bool has_fused_operand(LLVMValueRef sum)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(sum, i);

        if ((pm_is_opcode(operand, LLVMMul) ||
             (pm_is_opcode(operand, LLVMShl) && LLVMIsConstant(LLVMGetOperand(operand, 1)))) &&
            pm_only_user(operand) == sum)
            return true;
    }
    return false;
}

static bool is_extended(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMSExt) || pm_is_opcode(value, LLVMZExt);
}

/* A 64-bit product of what fits 32 bits is one IMAD.WIDE. */
static bool is_wide_product(LLVMValueRef product)
{
    LLVMValueRef right = LLVMGetOperand(product, 1);

    return pm_integer_bits(LLVMTypeOf(product)) == 64 && is_extended(LLVMGetOperand(product, 0)) &&
           (is_extended(right) || LLVMIsConstant(right));
}

static bool has_wide_operand(LLVMValueRef sum)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(sum, i);

        if (pm_is_opcode(operand, LLVMMul) && is_wide_product(operand) &&
            pm_only_user(operand) == sum)
            return true;
    }
    return false;
}

static void add_sum(const tally *t, LLVMValueRef sum)
{
    if (pm_is_index_sum(sum))
        return;
    if (has_wide_operand(sum))
        add_integer(t, sum, 1.0);
    else if (has_fused_operand(sum))
        add_integer(t, sum, used_words(sum));
    else
        add_integer(t, sum, used_words(sum) * share_of_three(sum, is_sum));
}

static void add_product(const tally *t, LLVMValueRef product)
{
    LLVMTypeRef type = LLVMTypeOf(product);

    if (pm_integer_bits(type) > 32 && !is_wide_product(product) && !pm_is_low_word(product))
        add(t, PM_COST_mul_i64, pm_type_elements(type));
    else if (!is_fused(product))
        add_integer(t, product, pm_type_elements(type));
}

/* Bytes are taken out of a word by one permutation, whether IR shifts, masks or truncates; but a
 * byte that is an index is scaled and masked at once, after a shift. */
static bool is_byte_mask(LLVMValueRef value)
{
    LLVMValueRef mask;

    if (!pm_is_opcode(value, LLVMAnd) || pm_is_index_only(value))
        return false;
    mask = LLVMGetOperand(value, 1);
    return LLVMIsAConstantInt(mask) && pm_integer_bits(LLVMTypeOf(mask)) <= 64 &&
           LLVMConstIntGetZExtValue(mask) == 0xff;
}

static bool feeds_byte(LLVMValueRef shift)
{
    LLVMValueRef user = pm_only_user(shift);

    return user && (is_byte_mask(user) ||
                    (pm_is_opcode(user, LLVMTrunc) && pm_integer_bits(LLVMTypeOf(user)) <= 16));
}

static void add_shift(const tally *t, LLVMValueRef shift)
{
    bool constant = LLVMIsConstant(LLVMGetOperand(shift, 1));

    if (pm_is_opcode(shift, LLVMShl) && constant && is_fused(shift))
        return;
    if (pm_is_opcode(shift, LLVMLShr) && constant && feeds_byte(shift))
        return;
    if (pm_is_word_move(shift))
        return;
    if (pm_is_sign_extension(shift))
        add_integer(t, shift, pm_is_index_only(shift) ? 0.0 : 1.0);
    else
        add_integer(t, shift, used_words(shift));
}

static void add_logic(const tally *t, LLVMValueRef logic)
{
    LLVMTypeRef type = LLVMTypeOf(logic);

    if (pm_integer_bits(type) == 1)
        return; /* part of the comparisons */
    if (pm_is_opcode(logic, LLVMOr) && LLVMIsAConstantInt(LLVMGetOperand(logic, 1)) &&
        pm_is_index_only(logic))
        return; /* an addition without carries: the offset of a load or store */
    if (is_byte_mask(logic))
        add(t, PM_COST_permute, words(type));
    else
        add_integer(t, logic, used_words(logic) * share_of_three(logic, is_logic));
}

static void add_division(const tally *t, LLVMValueRef division, pm_cost narrow, pm_cost wide)
{
    LLVMTypeRef type = LLVMTypeOf(division);
    bool rest = pm_is_opcode(division, LLVMURem) || pm_is_opcode(division, LLVMSRem);

    if (LLVMIsConstant(LLVMGetOperand(division, 1)))
        add(t, rest ? PM_COST_rem_constant : PM_COST_div_constant, words(type));
    else
        add(t, pm_integer_bits(type) > 32 ? wide : narrow, pm_type_elements(type));
}

/* ---- floating point ----------------------------------------------------------------------- */

/* A product whose one use is a sum becomes a fused multiply-add: OpenCL C lets compilers contract,
 * and a GPU's do. */
static bool is_contracted(LLVMValueRef product)
{
    LLVMValueRef user = pm_only_user(product);

    return user && (pm_is_opcode(user, LLVMFAdd) || pm_is_opcode(user, LLVMFSub));
}

static void add_float(const tally *t, LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);

    if (!pm_is_opcode(instruction, LLVMFMul) || !is_contracted(instruction))
        add(t, pm_cost_of_float(type), pm_type_elements(type));
}

static void add_float_division(const tally *t, LLVMValueRef division)
{
    LLVMTypeRef type = LLVMTypeOf(division);

    add(t, pm_cost_of_float(type) == PM_COST_double ? PM_COST_fdiv_double : PM_COST_fdiv_float,
        pm_type_elements(type));
}

static void add_comparison(const tally *t, LLVMValueRef comparison)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(comparison, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(pm_element_type(type));
    double elements = pm_type_elements(type);

    if (kind == LLVMDoubleTypeKind)
        add(t, PM_COST_compare_double, elements);
    else if (pm_is_opcode(comparison, LLVMFCmp))
        add(t, PM_COST_compare_float, elements);
    else
        add(t, PM_COST_compare_int,
            kind == LLVMPointerTypeKind ? pm_type_words(type) : words(type));
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
static void add_extension(const tally *t, LLVMValueRef extension)
{
    LLVMValueRef from = LLVMGetOperand(extension, 0);
    unsigned bits = pm_integer_bits(LLVMTypeOf(from));
    double elements = pm_type_elements(LLVMTypeOf(extension));

    if (pm_is_opcode(from, LLVMLoad) || pm_is_index_only(extension) ||
        (pm_is_opcode(extension, LLVMZExt) && is_clear_above(from)))
        return;
    if (bits == 1)
        add(t, PM_COST_select, elements);
    else if (bits < 32)
        add(t, PM_COST_permute, elements);
    else if (pm_is_opcode(extension, LLVMSExt) &&
             !(pm_only_user(extension) && pm_is_opcode(pm_only_user(extension), LLVMMul)))
        add_integer(t, extension, elements); /* the sign's word */
}

static void add_conversion(const tally *t, LLVMValueRef conversion, pm_cost narrow)
{
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(conversion, 0)), to = LLVMTypeOf(conversion);
    bool wide = pm_type_words(pm_element_type(from)) > 1 || pm_type_words(pm_element_type(to)) > 1;

    add(t, wide ? PM_COST_convert_wide : narrow, pm_type_elements(to));
}

/* ---- vectors ------------------------------------------------------------------------------ */

/* Elements of 32 bits or more are registers of their own; smaller ones are packed. */
static bool is_packed(LLVMTypeRef vector)
{
    return pm_type_words(vector) < pm_type_elements(vector);
}

static void add_element(const tally *t, LLVMValueRef access, unsigned index)
{
    LLVMTypeRef vector = LLVMTypeOf(LLVMGetOperand(access, 0));

    if (!LLVMIsConstant(LLVMGetOperand(access, index)))
        add(t, PM_COST_select, pm_type_elements(vector) - 1.0);
    else if (is_packed(vector))
        add(t, PM_COST_permute, 1.0);
}

static void add_shuffle(const tally *t, LLVMValueRef shuffle)
{
    if (is_packed(LLVMTypeOf(shuffle)))
        add(t, PM_COST_permute, pm_type_words(LLVMTypeOf(shuffle)));
}

/* ---- memory ------------------------------------------------------------------------------- */

/* A vector that is aligned is one access, up to 16 bytes. */
static void add_memory(const tally *t, LLVMValueRef access, LLVMTypeRef type)
{
    unsigned long long bytes =
        LLVMABISizeOfType(LLVMGetModuleDataLayout(LLVMGetGlobalParent(
                              LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)))),
                          type);
    unsigned alignment = LLVMGetAlignment(access);

    if (alignment == 0 || alignment > WIDEST)
        alignment = WIDEST;
    add(t, PM_COST_memory, (double)((bytes + alignment - 1) / alignment));
}

static void add_address(const tally *t, LLVMValueRef gep)
{
    double elements = pm_type_elements(LLVMTypeOf(gep));
    pm_address_cost cost = pm_address_cost_of(gep);

    add(t, PM_COST_integer, cost.integer * elements);
    add(t, PM_COST_uniform, cost.uniform * elements);
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

static void add_moves(const tally *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && pm_is_opcode(phi, LLVMPHI);
         phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == from &&
                needs_move(phi, LLVMGetIncomingValue(phi, i)))
                add(t, PM_COST_move, pm_type_words(LLVMTypeOf(phi)));
}

/* Whether a block only ends the kernel: a branch there is an exit under a predicate. */
static bool is_exit(LLVMBasicBlockRef block)
{
    return pm_is_opcode(LLVMGetFirstInstruction(block), LLVMRet);
}

/* A jump falls through; the blocks are laid out for it. */
static void add_branch(const tally *t, LLVMValueRef branch)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    bool back = false, exits = false;

    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        add_moves(t, block, LLVMGetSuccessor(branch, i));
        back = back || is_back_edge(block, LLVMGetSuccessor(branch, i));
        exits = exits || is_exit(LLVMGetSuccessor(branch, i));
    }
    if (!LLVMIsConditional(branch))
        return;
    add(t, back ? PM_COST_branch_back : PM_COST_branch_forward, 1.0);
    if (!back && !exits && !pm_is_uniform(LLVMGetCondition(branch)))
        add(t, PM_COST_reconverge, 1.0);
}

/* A chain of comparisons, of which half are passed. */
static void add_switch(const tally *t, LLVMValueRef branch)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    unsigned successors = LLVMGetNumSuccessors(branch);

    for (unsigned i = 0; i < successors; i++)
        add_moves(t, block, LLVMGetSuccessor(branch, i));
    add(t, PM_COST_compare_int, successors / 2.0);
    add(t, PM_COST_branch_forward, successors / 2.0);
}

/* ---- all of them -------------------------------------------------------------------------- */

/* false: not one of this group. */
static bool add_integer_instruction(const tally *t, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
        add_sum(t, i);
        return true;
    case LLVMMul:
        add_product(t, i);
        return true;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        add_shift(t, i);
        return true;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        add_logic(t, i);
        return true;
    case LLVMUDiv:
        add_division(t, i, PM_COST_udiv_i32, PM_COST_udiv_i64);
        return true;
    case LLVMSDiv:
        add_division(t, i, PM_COST_sdiv_i32, PM_COST_sdiv_i64);
        return true;
    case LLVMURem:
        add_division(t, i, PM_COST_urem_i32, PM_COST_urem_i64);
        return true;
    case LLVMSRem:
        add_division(t, i, PM_COST_srem_i32, PM_COST_srem_i64);
        return true;
    default:
        return false;
    }
}

static bool add_cast_or_float(const tally *t, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
        add_float(t, i);
        return true;
    case LLVMFDiv:
    case LLVMFRem:
        add_float_division(t, i);
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
        add_conversion(t, i, PM_COST_convert_float_to_int);
        return true;
    case LLVMFPExt:
    case LLVMFPTrunc:
        add_conversion(t, i, PM_COST_convert_float_to_int);
        return true;
    case LLVMSelect:
        add(t, PM_COST_select, pm_type_words(LLVMTypeOf(i)));
        return true;
    default:
        return false;
    }
}

static bool add_memory_or_vector(const tally *t, LLVMValueRef i)
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
        add(t, PM_COST_memory, 1.0);
        return true;
    case LLVMFence:
        add(t, PM_COST_fence, 1.0);
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

static bool add_control(const tally *t, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
        add_branch(t, i);
        return true;
    case LLVMSwitch:
        add_switch(t, i);
        return true;
    case LLVMRet:
        add(t, PM_COST_exit, 1.0);
        return true;
    case LLVMCall:
        pm_mix_add_call(t->costs, i, t->mix);
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
    const tally t = {costs, mix};

    if (is_free(instruction) || add_integer_instruction(&t, instruction) ||
        add_cast_or_float(&t, instruction) || add_memory_or_vector(&t, instruction) ||
        add_control(&t, instruction))
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "line %u: LLVM's instruction number %d has no cost; report it as a bug",
                   LLVMGetDebugLocLine(instruction), (int)LLVMGetInstructionOpcode(instruction));
}

void pm_mix_add_entry(const pm_costs *costs, LLVMValueRef kernel, pm_mix *mix)
{
    const tally t = {costs, mix};

    add(&t, PM_COST_entry, 1.0);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMValueRef parameter = LLVMGetParam(kernel, i);

        if (LLVMGetFirstUse(parameter))
            add(&t, pm_is_wide_base(parameter) ? PM_COST_constant_load : PM_COST_constant, 1.0);
    }
}
