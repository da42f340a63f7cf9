/* Conditions that many branches ask. See guards.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/module/guards.h"

#include <stddef.h>

#include "collector/trace/backend/ir/ir.h"

enum { MANY = 16 };

/* A function of no effect that is declared alone: its result is what it is given. */
static const char HIDDEN[] = "pm.condition";

static LLVMTypeRef type_of_hiding(LLVMContextRef context)
{
    LLVMTypeRef one = LLVMInt1TypeInContext(context);

    return LLVMFunctionType(one, &one, 1, false);
}

static LLVMValueRef declare(LLVMModuleRef module)
{
    static const char *const attributes[] = {"memory", "nounwind", "willreturn", "speculatable",
                                             "nosync"};
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef function = LLVMAddFunction(module, HIDDEN, type_of_hiding(context));

    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        LLVMAddAttributeAtIndex(
            function, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(context, pm_attribute_kind(attributes[i]), 0));
    return function;
}

/* What a block's branch depends on; NULL: nothing that could be hidden. */
static LLVMValueRef condition_of(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        !LLVMIsAInstruction(LLVMGetCondition(end)))
        return NULL;
    return LLVMGetCondition(end);
}

static bool has_many(LLVMValueRef condition)
{
    unsigned branches = 0;

    PM_EACH_USE(use, condition)
        branches += LLVMIsABranchInst(LLVMGetUser(use)) != NULL;
    return branches > MANY;
}

static void hide(LLVMValueRef condition, LLVMValueRef function)
{
    LLVMContextRef context = pm_context_of(function);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef before = LLVMGetNextInstruction(condition), hidden;

    while (LLVMIsAPHINode(before))
        before = LLVMGetNextInstruction(before);
    LLVMPositionBuilderBefore(builder, before);
    hidden = LLVMBuildCall2(builder, type_of_hiding(context), function, &condition, 1, "");
    LLVMDisposeBuilder(builder);
    PM_EACH_BLOCK(b, LLVMGetBasicBlockParent(LLVMGetInstructionParent(condition)))
        if (condition_of(b) == condition)
            LLVMSetCondition(LLVMGetBasicBlockTerminator(b), hidden);
}

bool pm_guards_hide(LLVMModuleRef module)
{
    LLVMValueRef function = NULL;

    if (LLVMGetNamedFunction(module, HIDDEN)) /* which the source cannot call by its own name */
        return false;
    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(b, f) {
            LLVMValueRef condition = condition_of(b);

            if (!condition || !has_many(condition) ||
                (LLVMIsACallInst(condition) && LLVMGetCalledValue(condition) == function))
                continue;
            if (!function)
                function = declare(module);
            hide(condition, function);
        }
    return function != NULL;
}

bool pm_guards_show(LLVMModuleRef module)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, HIDDEN);
    bool constant = false;

    for (LLVMUseRef use; function && (use = LLVMGetFirstUse(function));) {
        LLVMValueRef call = LLVMGetUser(use), condition = LLVMGetOperand(call, 0);

        constant |= LLVMIsConstant(condition);
        LLVMReplaceAllUsesWith(call, condition);
        LLVMInstructionEraseFromParent(call);
    }
    if (function)
        LLVMDeleteFunction(function);
    return constant;
}
