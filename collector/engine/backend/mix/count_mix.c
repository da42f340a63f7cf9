/* Counts the machine instructions, by class, that a GPU's compiler generates from LLVM IR.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Most IR instructions are one machine instruction per element of a vector. The exceptions are in
 * this file, and in count_integer.c, count_memory.c, count_call.c and addresses.c.
 */
#include "collector/engine/backend/mix/count_mix.h"

#include <llvm-c/Target.h>

#include "base/error.h"
#include "collector/engine/backend/accesses/sites.h"
#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"

/* ---- floating point ----------------------------------------------------------------------- */

/* Returns whether a floating-point product becomes part of a fused multiply-add, because its only
 * user is a sum. OpenCL C allows this contraction, and GPU compilers do it. If both operands of a
 * sum are products, only one of them is fused. */
static bool is_contracted(LLVMValueRef product)
{
    LLVMValueRef user = pm_only_user(product);

    return user && PM_IS(user, LLVMFAdd, LLVMFSub) && pm_is_first_of(product, user, LLVMFMul);
}

static void add_float(const pm_mix_tally *t, LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);

    if (pm_is_opcode(instruction, LLVMFMul) && is_contracted(instruction))
        pm_tally_operations(t, type);
    else
        pm_tally_add(t, pm_cost_of_float(type), pm_type_elements(type));
}

static bool is_one(LLVMValueRef value)
{
    LLVMBool inexact;
    double number;

    if (!LLVMIsAConstantFP(value))
        return false;
    number = LLVMConstRealGetDouble(value, &inexact);
    return number == 1 || number == -1;
}

static bool is_cuda(LLVMValueRef instruction)
{
    return pm_cuda_is_lifted(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
}

static void add_float_division(const pm_mix_tally *t, LLVMValueRef division)
{
    LLVMTypeRef type = LLVMTypeOf(division);
    bool wide = pm_cost_of_float(type) == PM_COST_double;
    bool inverse = is_one(LLVMGetOperand(division, 0));
    pm_cost cost = wide                   ? PM_COST_fdiv_double
                   : pm_is_fast(division) ? inverse ? PM_COST_frcp_fast : PM_COST_fdiv_fast
                   : is_cuda(division)    ? inverse ? PM_COST_frcp_ieee : PM_COST_fdiv_ieee
                   : inverse              ? PM_COST_frcp_float
                   : LLVMIsConstant(LLVMGetOperand(division, 1))
                       ? PM_COST_float /* division by a constant is a multiplication */
                   : PM_SAME_BEFORE(division, LLVMFDiv) ? PM_COST_fdiv_again
                                                        : PM_COST_fdiv_float;

    pm_tally_add(t, cost, pm_type_elements(type));
}

/* Counts a floating-point remainder as the builtin fmod, if instructions.ini has a row for it. */
static void add_float_rest(const pm_mix_tally *t, LLVMValueRef rest)
{
    LLVMTypeRef type = LLVMTypeOf(rest);
    const pm_mix *row = pm_costs_named(t->costs, "fmod", pm_float_name(type));

    if (row)
        pm_mix_add_row(row, pm_type_elements(type), t->mix);
    else
        add_float_division(t, rest);
}

static void add_comparison(const pm_mix_tally *t, LLVMValueRef comparison)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(comparison, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(pm_element_type(type));
    double elements = pm_type_elements(type);

    if (pm_only_user(comparison) && pm_is_difference(pm_only_user(comparison)))
        return;
    if (kind == LLVMDoubleTypeKind)
        pm_tally_add(t, PM_COST_compare_double, elements);
    else if (pm_is_opcode(comparison, LLVMFCmp))
        pm_tally_add(t, PM_COST_compare_float, elements);
    else
        pm_tally_add(t, PM_COST_compare_int,
                     kind == LLVMPointerTypeKind ? pm_type_words(type) : pm_integer_words(type));
}

static void add_select(const pm_mix_tally *t, LLVMValueRef select)
{
    LLVMTypeKind kind = LLVMGetTypeKind(pm_element_type(LLVMTypeOf(select)));
    bool floating = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;

    if (pm_is_difference(select))
        pm_tally_add(t, PM_COST_integer, pm_type_words(LLVMTypeOf(select)));
    else
        pm_tally_add(t, floating ? PM_COST_select_float : PM_COST_select,
                     pm_type_words(LLVMTypeOf(select)));
}

/* ---- conversions -------------------------------------------------------------------------- */

/* Returns whether the upper bits of a small unsigned integer are already zero in its 32-bit
 * register. */
static bool is_clear_above(LLVMValueRef value)
{
    return PM_IS(value, LLVMUDiv, LLVMURem, LLVMLShr, LLVMAnd);
}

/* Counts the extension of an integer. The extension needs no instruction if it is part of another
 * one (an index of an address, a factor of IMAD.WIDE), or if the upper bits are already right
 * (after a load, and after a permutation that extracts a byte). */
static void add_extension(const pm_mix_tally *t, LLVMValueRef extension)
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
        pm_tally_integer(t, extension, PM_COST_integer,
                         elements); /* a signed value needs one instruction for its upper word */
}

static bool is_half(LLVMTypeRef type)
{
    return LLVMGetTypeKind(pm_element_type(type)) == LLVMHalfTypeKind;
}

static bool is_bfloat(LLVMTypeRef type)
{
    return LLVMGetTypeKind(pm_element_type(type)) == LLVMBFloatTypeKind;
}

static bool is_double(LLVMTypeRef type)
{
    return LLVMGetTypeKind(pm_element_type(type)) == LLVMDoubleTypeKind;
}

static void add_conversion(const pm_mix_tally *t, LLVMValueRef conversion)
{
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(conversion, 0)), to = LLVMTypeOf(conversion);
    pm_cost cost = !PM_IS(conversion, LLVMSIToFP, LLVMUIToFP) ? PM_COST_convert_float_to_int
                   : pm_integer_bits(from) < 32               ? PM_COST_convert_small_to_float
                                                              : PM_COST_convert_int_to_float;

    if (pm_type_words(pm_element_type(from)) > 1 || pm_type_words(pm_element_type(to)) > 1)
        cost = is_double(from) || is_double(to) ? PM_COST_convert_double : PM_COST_convert_wide;
    if (is_half(from)) /* HADD2.F32 */
        cost = PM_COST_half;
    else if (is_bfloat(from)) /* a bfloat16 is converted to float by appending 16 zero bits */
        cost = PM_COST_shift_left;
    else if (is_half(to) || is_bfloat(to))
        cost = PM_COST_convert_to_half;
    pm_tally_add(t, cost, pm_type_elements(to));
}

/* ---- vectors ------------------------------------------------------------------------------ */

/* Returns whether several elements of a vector are packed into one 32-bit register. Elements of 32
 * bits or more are not packed. */
static bool is_packed(LLVMTypeRef vector)
{
    return pm_type_words(vector) < pm_type_elements(vector);
}

static void add_element(const pm_mix_tally *t, LLVMValueRef access)
{
    LLVMTypeRef vector = LLVMTypeOf(LLVMGetOperand(access, 0));
    unsigned index = pm_is_opcode(access, LLVMExtractElement) ? 1 : 2;

    if (!LLVMIsConstant(LLVMGetOperand(access, index)))
        pm_tally_add(t, PM_COST_select, pm_type_elements(vector) - 1.0);
    else if (is_packed(vector))
        pm_tally_add(t, PM_COST_permute, 1.0);
}

static void add_shuffle(const pm_mix_tally *t, LLVMValueRef shuffle)
{
    if (is_packed(LLVMTypeOf(shuffle)))
        pm_tally_add(t, PM_COST_permute, pm_type_words(LLVMTypeOf(shuffle)));
}

/* ---- control ------------------------------------------------------------------------------ */

/* Returns whether the edge closes a loop: `to` is not after `from` in the code. */
static bool is_back_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (LLVMBasicBlockRef b = from; b; b = LLVMGetPreviousBasicBlock(b))
        if (b == to)
            return true;
    return false;
}

/* Returns whether a phi needs a move instruction for an incoming value. If the value is a phi of
 * the same basic block, it is moved between registers in every iteration. A constant is moved to
 * the phi's register. All other values are computed directly in the phi's register. */
static bool needs_move(LLVMValueRef phi, LLVMValueRef value)
{
    if (LLVMIsUndef(value) || value == phi)
        return false;
    if (LLVMIsConstant(value))
        return true;
    return pm_is_opcode(value, LLVMPHI) &&
           LLVMGetInstructionParent(value) == LLVMGetInstructionParent(phi);
}

static void add_moves(const pm_mix_tally *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    PM_EACH_PHI(phi, to)
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMGetIncomingBlock(phi, i) == from &&
                needs_move(phi, LLVMGetIncomingValue(phi, i)))
                pm_tally_add(t, PM_COST_move, pm_type_words(LLVMTypeOf(phi)));
}

bool pm_is_exit(LLVMBasicBlockRef block)
{
    return pm_is_opcode(LLVMGetFirstInstruction(block), LLVMRet);
}

static bool goes_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef branch = from ? LLVMGetBasicBlockTerminator(from) : NULL;

    for (unsigned i = 0; branch && i < LLVMGetNumSuccessors(branch); i++)
        if (LLVMGetSuccessor(branch, i) == to)
            return true;
    return false;
}

/* Returns whether a jump instruction is needed from basic block `from` to block `to`, because the
 * block in front of `to` is the other side of a branch. Otherwise `to` follows `from` in the
 * code. */
static bool jumps_over(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMBasicBlockRef before = LLVMGetPreviousBasicBlock(to);

    return before != from && !is_back_edge(from, to) && goes_to(before, to);
}

/* Returns whether ptxas merges a conditional exit from the kernel, `branch`, with the next
 * conditional exit. It does so if the code between the two exits is so short that both conditions
 * are computed first. Only the second exit then remains, as a predicated instruction. */
static bool is_joined_exit(LLVMValueRef branch)
{
    enum { SHORT = 6 };
    LLVMBasicBlockRef next = LLVMGetSuccessor(branch, pm_is_exit(LLVMGetSuccessor(branch, 0)));
    LLVMValueRef end = LLVMGetBasicBlockTerminator(next);
    unsigned size = 0;

    for (LLVMValueRef i = LLVMGetFirstInstruction(next); i != end;
         i = LLVMGetNextInstruction(i), size++)
        if (PM_IS(i, LLVMPHI, LLVMLoad, LLVMStore, LLVMAtomicRMW, LLVMAtomicCmpXchg))
            return false;
    return size <= SHORT && pm_is_opcode(end, LLVMBr) && LLVMIsConditional(end) &&
           (pm_is_exit(LLVMGetSuccessor(end, 0)) || pm_is_exit(LLVMGetSuccessor(end, 1)));
}

static void add_condition(const pm_mix_tally *t, LLVMValueRef branch, bool back, bool exits)
{
    if (back || !exits)
        pm_tally_add(t, back ? PM_COST_branch_back : PM_COST_branch_forward, 1.0);
    else if (!is_joined_exit(branch))
        pm_tally_add(t, PM_COST_branch_exit, 1.0);
}

static void add_branch(const pm_mix_tally *t, LLVMValueRef branch)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    bool back = false, exits = false;

    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(branch, i);

        add_moves(t, block, to);
        back = back || is_back_edge(block, to);
        exits = exits || pm_is_exit(to);
    }
    if (LLVMIsConditional(branch))
        add_condition(t, branch, back, exits);
    else if (jumps_over(block, LLVMGetSuccessor(branch, 0)))
        pm_tally_add(t, PM_COST_jump, 1.0);
}

/* Counts a switch as a chain of comparisons and branches, of which half are executed on average. */
static void add_switch(const pm_mix_tally *t, LLVMValueRef branch)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    unsigned successors = LLVMGetNumSuccessors(branch);

    for (unsigned i = 0; i < successors; i++)
        add_moves(t, block, LLVMGetSuccessor(branch, i));
    pm_tally_add(t, PM_COST_compare_int, successors / 2.0);
    pm_tally_add(t, PM_COST_branch_forward, successors / 2.0);
}

static void add_return(const pm_mix_tally *t, LLVMValueRef end)
{
    (void)end;
    pm_tally_add(t, PM_COST_exit, 1.0);
}

/* ---- dispatch -------------------------------------------------------------------------------- */

static void add_nothing(const pm_mix_tally *t, LLVMValueRef instruction)
{
    (void)t;
    (void)instruction;
}

static void (*const add_by_opcode[])(const pm_mix_tally *t, LLVMValueRef instruction) = {
    /* These IR instructions need no machine instruction, because the result is in the operand's
     * register. */
    [LLVMPHI] = add_nothing, /* add_moves counts the move instructions for phis */
    [LLVMTrunc] = add_nothing,
    [LLVMBitCast] = add_nothing,
    [LLVMPtrToInt] = add_nothing,
    [LLVMIntToPtr] = add_nothing,
    [LLVMAddrSpaceCast] = add_nothing,
    /* no instruction: a negation is a modifier of another instruction's operand */
    [LLVMFNeg] = add_nothing,
    [LLVMFreeze] = add_nothing,
    [LLVMAlloca] = add_nothing,
    [LLVMExtractValue] = pm_count_extracted,
    [LLVMInsertValue] = add_nothing,
    [LLVMUnreachable] = add_nothing,
    [LLVMAdd] = pm_count_sum,
    [LLVMSub] = pm_count_sum,
    [LLVMMul] = pm_count_product,
    [LLVMShl] = pm_count_shift,
    [LLVMLShr] = pm_count_shift,
    [LLVMAShr] = pm_count_shift,
    [LLVMAnd] = pm_count_logic,
    [LLVMOr] = pm_count_logic,
    [LLVMXor] = pm_count_logic,
    [LLVMUDiv] = pm_count_division,
    [LLVMSDiv] = pm_count_division,
    [LLVMURem] = pm_count_division,
    [LLVMSRem] = pm_count_division,
    [LLVMFAdd] = add_float,
    [LLVMFSub] = add_float,
    [LLVMFMul] = add_float,
    [LLVMFDiv] = add_float_division,
    [LLVMFRem] = add_float_rest,
    [LLVMICmp] = add_comparison,
    [LLVMFCmp] = add_comparison,
    [LLVMSelect] = add_select,
    [LLVMZExt] = add_extension,
    [LLVMSExt] = add_extension,
    [LLVMSIToFP] = add_conversion,
    [LLVMUIToFP] = add_conversion,
    [LLVMFPToSI] = add_conversion,
    [LLVMFPToUI] = add_conversion,
    [LLVMFPExt] = add_conversion,
    [LLVMFPTrunc] = add_conversion,
    [LLVMLoad] = pm_count_access,
    [LLVMStore] = pm_count_access,
    [LLVMAtomicRMW] = pm_count_atomic,
    [LLVMAtomicCmpXchg] = pm_count_atomic,
    [LLVMFence] = pm_count_fence,
    [LLVMGetElementPtr] = pm_count_address,
    [LLVMExtractElement] = add_element,
    [LLVMInsertElement] = add_element,
    [LLVMShuffleVector] = add_shuffle,
    [LLVMBr] = add_branch,
    [LLVMSwitch] = add_switch,
    [LLVMRet] = add_return,
    [LLVMCall] = pm_count_call,
};

/* Returns the number of elements if the instruction computes a vector; 1 for scalars and for
 * loads. */
static double elements_of(LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && !pm_is_opcode(instruction, LLVMLoad)
               ? pm_type_elements(type)
               : 1;
}

pm_status pm_mix_add(const pm_costs *costs, LLVMValueRef instruction, pm_mix *mix, pm_error *err)
{
    const pm_mix_tally t = {costs, mix};
    const double before = mix->total;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

    if (opcode >= sizeof add_by_opcode / sizeof *add_by_opcode || !add_by_opcode[opcode])
        return pm_fail(err, PM_FAILED,
                       "line %u: LLVM's instruction number %d has no cost; report it as a bug",
                       LLVMGetDebugLocLine(instruction), (int)opcode);
    add_by_opcode[opcode](&t, instruction);
    mix->packed += (mix->total - before) * (1 - 1 / elements_of(instruction));
    return PM_OK;
}
