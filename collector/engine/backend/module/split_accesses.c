/* Splits loads and stores that LLVM has merged although they access different address spaces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LLVM merges the accesses on the two sides of a branch into one access to a selected address. A
 * GPU's compiler does not merge an access to global memory with one to shared memory.
 */
#include "collector/engine/backend/module/split_accesses.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>

#include "collector/engine/backend/ir/ir.h"

typedef struct {
    LLVMValueRef access, select; /* select: the select instruction that computes the address */
    /* head: new basic block with the instructions before the access. tail: the old block, from the
     * access on. */
    LLVMBasicBlockRef head, tail;
    LLVMBuilderRef builder;
    LLVMContextRef context;
} splitting;

/* Returns the select instruction that computes the address of a load or store. NULL if the address
 * is not computed by a select, or if its address space is known. */
static LLVMValueRef selected_address(LLVMValueRef access)
{
    LLVMValueRef address = NULL;

    if (LLVMIsALoadInst(access))
        address = LLVMGetOperand(access, 0);
    else if (LLVMIsAStoreInst(access))
        address = LLVMGetOperand(access, 1);
    if (!address || !LLVMIsASelectInst(address) || LLVMGetVolatile(access) ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0 ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(address, 0))) != LLVMIntegerTypeKind)
        return NULL;
    return address;
}

/* Returns the source location of the access to `address`, one of the two merged accesses. LLVM
 * gives a merged access line 0, but the instructions that compute the addresses still have their
 * lines. */
static LLVMMetadataRef line_of(LLVMValueRef access, LLVMValueRef address)
{
    if (LLVMGetDebugLocLine(access) > 0 || !LLVMIsAInstruction(address) ||
        LLVMGetDebugLocLine(address) == 0)
        return LLVMInstructionGetDebugLoc(access);
    return LLVMInstructionGetDebugLoc(address);
}

/* Moves the instructions before the access into a new basic block. The access and the block's
 * terminator stay in the old block, so that phis in its successors stay valid. */
static void cut_block(splitting *s)
{
    LLVMValueRef function;

    s->tail = LLVMGetInstructionParent(s->access);
    function = LLVMGetBasicBlockParent(s->tail);
    s->head = LLVMInsertBasicBlockInContext(s->context, s->tail, "");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

        for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
            if (LLVMGetSuccessor(end, i) == s->tail)
                LLVMSetSuccessor(end, i, s->head);
    }
    LLVMPositionBuilderAtEnd(s->builder, s->head);
    while (LLVMGetFirstInstruction(s->tail) != s->access) {
        LLVMValueRef moved = LLVMGetFirstInstruction(s->tail);
        LLVMMetadataRef line = LLVMInstructionGetDebugLoc(moved);

        LLVMInstructionRemoveFromParent(moved);
        LLVMSetCurrentDebugLocation2(s->builder, line);
        LLVMInsertIntoBuilder(s->builder, moved);
    }
}

/* Adds a basic block with a copy of the access that uses `address`, one of the two selected
 * addresses. The copy gets the name of the old access, because the name may contain the load's
 * source line or mark a table of virtual functions. */
static LLVMValueRef add_side(splitting *s, LLVMValueRef address, LLVMBasicBlockRef *block)
{
    const bool loads = LLVMIsALoadInst(s->access);
    size_t length;
    LLVMValueRef made;

    *block = LLVMInsertBasicBlockInContext(s->context, s->tail, "");
    LLVMPositionBuilderAtEnd(s->builder, *block);
    LLVMSetCurrentDebugLocation2(s->builder, line_of(s->access, address));
    made = loads ? LLVMBuildLoad2(s->builder, LLVMTypeOf(s->access), address,
                                  LLVMGetValueName2(s->access, &length))
                 : LLVMBuildStore(s->builder, LLVMGetOperand(s->access, 0), address);
    LLVMSetAlignment(made, LLVMGetAlignment(s->access));
    LLVMBuildBr(s->builder, s->tail);
    return made;
}

static void split(splitting *s)
{
    LLVMValueRef sides[2];
    LLVMBasicBlockRef blocks[2];

    cut_block(s);
    for (unsigned side = 0; side < 2; side++)
        sides[side] = add_side(s, LLVMGetOperand(s->select, side + 1), &blocks[side]);
    LLVMPositionBuilderAtEnd(s->builder, s->head);
    LLVMSetCurrentDebugLocation2(s->builder, LLVMInstructionGetDebugLoc(s->access));
    LLVMBuildCondBr(s->builder, LLVMGetOperand(s->select, 0), blocks[0], blocks[1]);
    if (LLVMIsALoadInst(s->access)) {
        LLVMValueRef phi;
        size_t length;

        LLVMPositionBuilderBefore(s->builder, s->access);
        phi =
            LLVMBuildPhi(s->builder, LLVMTypeOf(s->access), LLVMGetValueName2(s->access, &length));
        LLVMAddIncoming(phi, sides, blocks, 2);
        LLVMReplaceAllUsesWith(s->access, phi);
    }
    LLVMInstructionEraseFromParent(s->access);
}

/* Returns the next load or store of the function that must be split; NULL if none is left. */
static LLVMValueRef find_access(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (selected_address(i))
                return i;
    return NULL;
}

bool pm_accesses_split(LLVMValueRef function)
{
    splitting s = {.context = LLVMGetModuleContext(LLVMGetGlobalParent(function))};
    bool any = false;

    s.builder = LLVMCreateBuilderInContext(s.context);
    while ((s.access = find_access(function)) != NULL) {
        s.select = selected_address(s.access);
        split(&s);
        any = true;
    }
    LLVMDisposeBuilder(s.builder);
    return any;
}
