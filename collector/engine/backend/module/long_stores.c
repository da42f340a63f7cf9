/* Keeps LLVM's vectorizer of straight code (SLP) away from basic blocks with many stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/module/long_stores.h"

#include <stdbool.h>

#include "collector/engine/backend/ir/ir.h"

enum {
    MANY_STORES =
        /* maximum number of stores of a basic block for which comparing all pairs takes little time
         */
    128,
    WORD_BITS = 32
};

static const char attribute[] = "noimplicitfloat";

/* Returns whether a value of the type may be part of a vector of 32 bits. Conditions (i1) may not,
 * because they have no register. */
static bool is_narrow(LLVMTypeRef type)
{
    LLVMTypeRef element = pm_element_type(type);
    const LLVMTypeKind kind = LLVMGetTypeKind(element);
    const unsigned bits = pm_integer_bits(element);

    return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ||
           (kind == LLVMIntegerTypeKind && bits > 1 && bits < WORD_BITS);
}

static bool has_narrow(LLVMValueRef instruction)
{
    if (is_narrow(LLVMTypeOf(instruction)))
        return true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        if (is_narrow(LLVMTypeOf(LLVMGetOperand(instruction, i))))
            return true;
    return false;
}

/* Returns whether all instructions of the module compute conditions or values of 32 bits or more,
 * and that none of them reinterprets the bits of a float as an integer. */
static bool has_only_words(LLVMModuleRef module)
{
    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(b, f)
            PM_EACH_INSTRUCTION(i, b)
                if (pm_is_opcode(i, LLVMBitCast) || has_narrow(i))
                    return false;
    return true;
}

static bool has_many_stores(LLVMValueRef function)
{
    PM_EACH_BLOCK(b, function) {
        size_t stores = 0;

        PM_EACH_INSTRUCTION(i, b)
            stores +=
                pm_is_opcode(i, LLVMStore) && pm_is_opcode(LLVMGetOperand(i, 1), LLVMGetElementPtr);
        if (stores > MANY_STORES)
            return true;
    }
    return false;
}

void pm_long_stores_mark(LLVMModuleRef module)
{
    bool many = false;

    PM_EACH_FUNCTION(f, module)
        many = many || has_many_stores(f);
    if (!many || !has_only_words(module))
        return;
    PM_EACH_FUNCTION(f, module)
        if (pm_is_kernel(f))
            LLVMAddAttributeAtIndex(
                f, LLVMAttributeFunctionIndex,
                LLVMCreateEnumAttribute(pm_context_of(f), pm_attribute_kind(attribute), 0));
}

void pm_long_stores_unmark(LLVMModuleRef module)
{
    PM_EACH_FUNCTION(f, module)
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, pm_attribute_kind(attribute));
}
