/* Answers questions about LLVM IR values, such as whether a value is constant or where a pointer
 * leads. Several functions that count instructions, registers and memory accesses need the answers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/ir/ir.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/ir/intrinsics.h"
#include "machine/async_copy.h"
#include "machine/bulk_copy.h"

enum { MOST_NESTED = 8 };

LLVMTypeRef pm_element_type(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned pm_type_elements(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

unsigned pm_integer_bits(LLVMTypeRef type)
{
    type = pm_element_type(type);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static unsigned pointer_words(LLVMTypeRef type)
{
    unsigned space = LLVMGetPointerAddressSpace(type);

    return space == SHARED_SPACE || space == PRIVATE_SPACE ? 1 : 2;
}

/* Returns the number of bits that a scalar of this type takes in registers. For a vector type, the
 * result is the number of bits of one element. Small integers are packed in vectors, so they have
 * their own size there. */
static unsigned element_bits(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMPointerTypeKind:
        return 32 * pointer_words(type);
    default:
        return 0;
    }
}

unsigned pm_type_words(LLVMTypeRef type)
{
    unsigned words = 0;

    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            words += pm_type_words(LLVMStructGetTypeAtIndex(type, i));
        return words;
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength(type) * pm_type_words(LLVMGetElementType(type));
    default:
        if (pm_integer_bits(type) == 1)
            return 0;
        return (pm_type_elements(type) * element_bits(pm_element_type(type)) + 31) / 32;
    }
}

bool pm_is_opcode(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

bool pm_is_opcode_in(LLVMValueRef value, const LLVMOpcode *opcodes)
{
    LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;

    while (*opcodes && *opcodes != opcode)
        opcodes++;
    return *opcodes != 0;
}

bool pm_is_extended(LLVMValueRef value)
{
    return PM_IS(value, LLVMSExt, LLVMZExt);
}

LLVMValueRef pm_phi_incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    unsigned k = 0;

    while (LLVMGetIncomingBlock(phi, k) != from)
        k++;
    return LLVMGetIncomingValue(phi, k);
}

LLVMValueRef pm_only_user(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    LLVMValueRef user;

    if (!use || LLVMGetNextUse(use) || !LLVMIsAInstruction(value))
        return NULL;
    user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) ||
        LLVMGetInstructionParent(user) != LLVMGetInstructionParent(value))
        return NULL;
    return user;
}

static bool shifts_by_word(LLVMValueRef value, LLVMOpcode opcode)
{
    LLVMValueRef by;

    if (!pm_is_opcode(value, opcode))
        return false;
    by = LLVMGetOperand(value, 1);
    return LLVMIsAConstantInt(by) && pm_integer_bits(LLVMTypeOf(by)) == 64 &&
           LLVMConstIntGetZExtValue(by) >= 32;
}

bool pm_is_first_of(LLVMValueRef value, LLVMValueRef user, LLVMOpcode opcode)
{
    LLVMValueRef first = LLVMGetOperand(user, 0);

    return first == value || !pm_is_opcode(first, opcode) || pm_only_user(first) != user;
}

bool pm_same_before(LLVMValueRef instruction, const LLVMOpcode *opcodes)
{
    enum { MOST_BACK = 4096 };
    LLVMValueRef right = LLVMGetOperand(instruction, 1),
                 at = LLVMGetPreviousInstruction(instruction);

    for (unsigned i = 0; at && i < MOST_BACK; i++, at = LLVMGetPreviousInstruction(at))
        if (pm_is_opcode_in(at, opcodes) && LLVMGetOperand(at, 1) == right)
            return true;
    return false;
}

bool pm_is_low_mask(LLVMValueRef value)
{
    LLVMValueRef mask;

    if (!pm_is_opcode(value, LLVMAnd) || pm_integer_bits(LLVMTypeOf(value)) != 64)
        return false;
    mask = LLVMGetOperand(value, 1);
    return LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) == UINT32_MAX;
}

bool pm_is_index(LLVMValueRef value)
{
    PM_EACH_USE(use, value)
        if (pm_is_opcode(LLVMGetUser(use), LLVMGetElementPtr) &&
            LLVMGetOperand(LLVMGetUser(use), 0) != value)
            return true;
    return false;
}

bool pm_is_sign_extension(LLVMValueRef value)
{
    return shifts_by_word(value, LLVMAShr) && shifts_by_word(LLVMGetOperand(value, 0), LLVMShl) &&
           LLVMGetOperand(value, 1) == LLVMGetOperand(LLVMGetOperand(value, 0), 1);
}

/* Returns whether the low 32 bits of an instruction's 64-bit result depend only on the low 32 bits
 * of its operands. */
static bool keeps_words_apart(LLVMValueRef user)
{
    return PM_IS(user, LLVMAdd, LLVMSub, LLVMMul, LLVMAnd, LLVMOr, LLVMXor);
}

static bool low_word(LLVMValueRef value, unsigned depth)
{
    if (depth == MOST_NESTED || !LLVMGetFirstUse(value))
        return false;
    PM_EACH_USE(use, value) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!LLVMIsAInstruction(user))
            return false;
        if (pm_is_opcode(user, LLVMTrunc) && pm_integer_bits(LLVMTypeOf(user)) <= 32)
            continue;
        if ((shifts_by_word(user, LLVMShl) && LLVMGetOperand(user, 0) == value) ||
            (pm_is_low_mask(user) && !pm_is_index(user)))
            continue;
        if (!keeps_words_apart(user) || !low_word(user, depth + 1))
            return false;
    }
    return true;
}

bool pm_is_low_word(LLVMValueRef value)
{
    return pm_integer_bits(LLVMTypeOf(value)) == 64 && low_word(value, 0);
}

bool pm_constant_offset(LLVMValueRef gep, LLVMTargetDataRef layout, uint64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    *offset = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);

        if (!LLVMIsAConstantInt(index))
            return false;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);

            *offset += LLVMOffsetOfElement(layout, type, element);
            type = LLVMStructGetTypeAtIndex(type, element);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        *offset += (uint64_t)LLVMConstIntGetSExtValue(index) * LLVMABISizeOfType(layout, type);
    }
    return true;
}

unsigned pm_attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

LLVMAttributeRef pm_parameter_attribute(LLVMValueRef function, unsigned i, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(function, i + 1, pm_attribute_kind(name));
}

int pm_parameter_index(LLVMValueRef function, LLVMValueRef value)
{
    for (unsigned i = 0; value && i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == value)
            return (int)i;
    return -1;
}

LLVMContextRef pm_context_of(LLVMValueRef global)
{
    return LLVMGetModuleContext(LLVMGetGlobalParent(global));
}

LLVMTargetDataRef pm_layout_at(LLVMValueRef instruction)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));

    return LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
}

bool pm_is_global_offset(LLVMValueRef value)
{
    return LLVMIsACallInst(value) && pm_call_kind(value) == PM_CALL_OFFSET;
}

typedef struct {
    /* list of the phis that the search is visiting; it ends the recursion when a phi is reached
     * again, such as a loop counter, which depends on itself */
    LLVMValueRef phis[MOST_NESTED];
    unsigned count, depth;
} search;

static bool uniform(LLVMValueRef value, search *s);

static bool uniform_phi(LLVMValueRef phi, search *s)
{
    bool same = true;

    for (unsigned i = 0; i < s->count; i++)
        if (s->phis[i] == phi)
            return true;
    if (s->count == MOST_NESTED)
        return false;
    s->phis[s->count++] = phi;
    for (unsigned i = 0; same && i < LLVMCountIncoming(phi); i++)
        same = uniform(LLVMGetIncomingValue(phi, i), s);
    s->count--;
    return same;
}

static bool uniform_operands(LLVMValueRef value, search *s)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        if (!uniform(LLVMGetOperand(value, i), s))
            return false;
    return true;
}

static bool uniform_instruction(LLVMValueRef value, search *s)
{
    if (LLVMIsACallInst(value))
        return pm_call_kind(value) >= PM_CALL_GROUP_ID;
    if (LLVMIsAPHINode(value))
        return uniform_phi(value, s);
    return PM_IS(value, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMLShr, LLVMAShr, LLVMAnd, LLVMOr,
                 LLVMXor, LLVMZExt, LLVMSExt, LLVMTrunc, LLVMICmp, LLVMSelect) &&
           uniform_operands(value, s);
}

static bool uniform(LLVMValueRef value, search *s)
{
    bool same;

    if (LLVMIsConstant(value) || LLVMIsAArgument(value))
        return true;
    if (!LLVMIsAInstruction(value) || s->depth == MOST_NESTED)
        return false;
    s->depth++;
    same = uniform_instruction(value, s);
    s->depth--;
    return same;
}

bool pm_is_uniform(LLVMValueRef value)
{
    search s = {.count = 0};

    return uniform(value, &s);
}

bool pm_is_fast(LLVMValueRef value)
{
    const unsigned all = LLVMFastMathAll &
                         /* leaves out the flag for contraction to fused multiply-adds, which a
                          * separate compiler option sets */
                         ~(unsigned)LLVMFastMathAllowContract;

    return LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value) &&
           (LLVMGetFastMathFlags(value) & all) == all;
}

bool pm_is_async(LLVMValueRef access, bool *bypasses)
{
    LLVMContextRef context = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access))));
    LLVMValueRef mark = LLVMGetMetadata(
        access, LLVMGetMDKindIDInContext(context, PM_ASYNC_MARK, sizeof PM_ASYNC_MARK - 1));
    LLVMValueRef operand = NULL;

    if (!mark || LLVMGetMDNodeNumOperands(mark) != 1)
        return false;
    LLVMGetMDNodeOperands(mark, &operand);
    *bypasses = operand && LLVMIsAConstantInt(operand) && LLVMConstIntGetZExtValue(operand) != 0;
    return true;
}

bool pm_is_bulk(LLVMValueRef access)
{
    LLVMContextRef context = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access))));

    return LLVMGetMetadata(access, LLVMGetMDKindIDInContext(context, PM_BULK_MARK,
                                                            sizeof PM_BULK_MARK - 1)) != NULL;
}

int pm_async_wait(LLVMValueRef call)
{
    const char *name = LLVMIsACallInst(call) ? pm_callee_name(call) : "";

    return pm_starts(name, PM_ASYNC_WAIT) ? atoi(name + strlen(PM_ASYNC_WAIT)) : -1;
}
