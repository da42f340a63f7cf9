/* Adds bounds checks to loads from constant arrays (tables) in functions that are not inlined.
 *
 * Such functions are mathematical functions of libclc, which index their tables by bits of the
 * argument. libclc's sine and cosine of a double load some bytes beyond the table's end and ignore
 * these bytes, so each table is padded with zeros. A function of the user's source may have the
 * name of a libclc function and load out of bounds, so each load is checked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/tables.h"

#include <stdbool.h>

#include "collector/engine/backend/accesses/sites.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/module/module.h"

enum { PADDING = 64 };

static LLVMValueRef table_of(LLVMValueRef load)
{
    return pm_site_object(pm_site_pointer(load));
}

/* Returns whether a table is already padded: it is then a struct of the original table and the
 * padding. */
static bool is_padded(LLVMValueRef table)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(table), last;

    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != 2)
        return false;
    last = LLVMStructGetTypeAtIndex(type, 1);
    return LLVMGetTypeKind(last) == LLVMArrayTypeKind && LLVMGetArrayLength(last) == PADDING &&
           LLVMGetLinkage(table) == LLVMPrivateLinkage;
}

static void pad(LLVMModuleRef module, LLVMValueRef table)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef padding = LLVMArrayType(LLVMInt8TypeInContext(context), PADDING);
    LLVMValueRef parts[] = {LLVMGetInitializer(table), LLVMConstNull(padding)};
    LLVMValueRef both = LLVMConstStructInContext(context, parts, 2, 0);
    LLVMValueRef padded = LLVMAddGlobalInAddressSpace(
        module, LLVMTypeOf(both), "", LLVMGetPointerAddressSpace(LLVMTypeOf(table)));

    LLVMSetInitializer(padded, both);
    LLVMSetGlobalConstant(padded, 1);
    LLVMSetLinkage(padded, LLVMPrivateLinkage);
    LLVMSetAlignment(padded, LLVMGetAlignment(table));
    LLVMReplaceAllUsesWith(table, padded);
}

static void guard(LLVMValueRef load, LLVMTargetDataRef layout)
{
    LLVMValueRef pointer = pm_site_pointer(load), table = table_of(load);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(load));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    uint64_t bytes = LLVMStoreSizeOfType(layout, LLVMTypeOf(load));
    uint64_t room = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(table));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMValueRef offset, sound, start;

    LLVMPositionBuilderBefore(b, load);
    pointer = LLVMBuildFreeze(b, pointer, "");
    offset =
        LLVMBuildSub(b, LLVMBuildPtrToInt(b, pointer, i64, ""), LLVMConstPtrToInt(table, i64), "");
    sound = LLVMBuildICmp(b, LLVMIntULE, offset, LLVMConstInt(i64, room - bytes, 0), "");
    start = LLVMBuildPointerCast(b, table, LLVMTypeOf(pointer), "");
    LLVMSetOperand(load, 0, LLVMBuildSelect(b, sound, pointer, start, ""));
    LLVMSetAlignment(load, 1);
    LLVMDisposeBuilder(b);
}

static void guard_function(LLVMModuleRef module, LLVMValueRef function, LLVMTargetDataRef layout)
{
    PM_EACH_BLOCK(b, function)
        PM_EACH_INSTRUCTION(i, b) {
            if (!LLVMIsALoadInst(i))
                continue;
            if (!is_padded(table_of(i)))
                pad(module, table_of(i));
            guard(i, layout);
        }
}

void pm_tables_guard(LLVMModuleRef module, LLVMTargetDataRef layout)
{
    PM_EACH_FUNCTION(f, module)
        if (!pm_is_kernel(f))
            guard_function(module, f, layout);
}
