/* Expands LLVM's copies and fills of memory (memcpy, memmove, memset) to loads and stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GPU has neither an instruction nor a library function for them. As in LLVM's NVPTX back end, up
 * to 128 bytes become straight-line code and more bytes become a loop. Each load and store is as
 * wide as the alignment of source and destination allows.
 */
#include "collector/engine/backend/module/expand_copies.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

#include "collector/engine/backend/ir/ir.h"

enum {
    MOST_STRAIGHT = 128, /* maximum number of bytes that are copied without a loop */
    /* number of consecutive loads, which are followed by the stores of their values */
    BATCH = 4
};

typedef struct {
    LLVMBuilderRef builder; /* LLVM builder, positioned before the call of memcpy, memmove or memset
                               that is expanded */
    LLVMContextRef context;
    LLVMValueRef call, to, from, value; /* a fill (memset) has `value`, and its `from` is NULL */
    bool moves, is_volatile;
} copy;

static unsigned alignment_of(LLVMValueRef call, unsigned operand)
{
    LLVMAttributeRef attribute =
        LLVMGetCallSiteEnumAttribute(call, operand + 1, pm_attribute_kind("align"));

    return attribute ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
}

static unsigned widest_piece(const copy *c)
{
    unsigned piece = WIDEST, to = alignment_of(c->call, 0);
    unsigned from = c->from ? alignment_of(c->call, 1) : WIDEST;

    while (piece > to || piece > from)
        piece /= 2;
    return piece;
}

static LLVMTypeRef piece_type(const copy *c, unsigned bytes)
{
    return bytes == WIDEST ? LLVMVectorType(LLVMInt32TypeInContext(c->context), WIDEST / 4)
                           : LLVMIntTypeInContext(c->context, 8 * bytes);
}

static LLVMValueRef number(const copy *c, uint64_t value)
{
    return LLVMConstInt(LLVMInt64TypeInContext(c->context), value, 0);
}

static LLVMValueRef moved(const copy *c, LLVMValueRef pointer, LLVMValueRef offset)
{
    return LLVMBuildInBoundsGEP2(c->builder, LLVMInt8TypeInContext(c->context), pointer, &offset, 1,
                                 "");
}

/* Generates the value that one store of a memset writes: the byte of the memset, repeated `bytes`
 * times. */
static LLVMValueRef filled(const copy *c, unsigned bytes)
{
    LLVMBuilderRef b = c->builder;
    unsigned word = bytes < WIDEST ? bytes : 4;
    LLVMTypeRef type = LLVMIntTypeInContext(c->context, 8 * word);
    LLVMValueRef ones = LLVMConstInt(type, UINT64_C(0x0101010101010101) >> (64 - 8 * word), 0);
    LLVMValueRef value = LLVMBuildMul(b, LLVMBuildZExt(b, c->value, type, ""), ones, "");
    LLVMValueRef vector;

    if (bytes < WIDEST)
        return value;
    vector = LLVMGetUndef(piece_type(c, bytes));
    for (unsigned i = 0; i < WIDEST / 4; i++)
        vector = LLVMBuildInsertElement(b, vector, value,
                                        LLVMConstInt(LLVMInt32TypeInContext(c->context), i, 0), "");
    return vector;
}

static LLVMValueRef load_piece(const copy *c, LLVMValueRef offset, unsigned bytes)
{
    LLVMValueRef load;

    if (!c->from)
        return filled(c, bytes);
    load = LLVMBuildLoad2(c->builder, piece_type(c, bytes), moved(c, c->from, offset), "");
    LLVMSetAlignment(load, bytes);
    LLVMSetVolatile(load, c->is_volatile);
    return load;
}

static void store_piece(const copy *c, LLVMValueRef piece, LLVMValueRef offset, unsigned bytes)
{
    LLVMValueRef store = LLVMBuildStore(c->builder, piece, moved(c, c->to, offset));

    LLVMSetAlignment(store, bytes);
    LLVMSetVolatile(store, c->is_volatile);
}

/* Returns the number of bytes of the load or store at offset `at`: the largest power of two up to
 * `widest` that does not exceed the `end` - `at` bytes left. */
static unsigned piece_at(uint64_t at, uint64_t end, unsigned widest)
{
    while (widest > end - at)
        widest /= 2;
    return widest;
}

/* Generates straight-line code for the bytes from offset `start` to `end` of a copy or fill. A
 * memmove loads all bytes before it stores any, because source and destination may overlap. */
static void write_straight(const copy *c, uint64_t start, uint64_t end, unsigned widest)
{
    LLVMValueRef pieces[MOST_STRAIGHT];
    unsigned batch = c->moves ? MOST_STRAIGHT : BATCH;

    while (start < end) {
        uint64_t at = start;
        unsigned count = 0;

        for (; count < batch && at < end; at += piece_at(at, end, widest))
            pieces[count++] = load_piece(c, number(c, at), piece_at(at, end, widest));
        for (unsigned i = 0; i < count; i++) {
            store_piece(c, pieces[i], number(c, start), piece_at(start, end, widest));
            start += piece_at(start, end, widest);
        }
    }
}

/* Splits the basic block before the call of the copy. The instructions before the call go to a new
 * block, to which the predecessors of the block now lead. The block's terminator is detached
 * meanwhile, because the phis of its successors must still refer to this block. */
static LLVMBasicBlockRef cut_before(const copy *c)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(c->call);
    LLVMBasicBlockRef before = LLVMInsertBasicBlockInContext(c->context, block, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), next;

    LLVMInstructionRemoveFromParent(end);
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(before));
    LLVMPositionBuilderAtEnd(b, block);
    LLVMInsertIntoBuilder(b, end);
    LLVMPositionBuilderAtEnd(b, before);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != c->call; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(b, i);
    }
    LLVMDisposeBuilder(b);
    return before;
}

/* Generates a loop that copies or fills `piece` bytes per iteration, until `bytes` bytes are done.
 * bytes must be a multiple of `piece`. */
static void write_loop(const copy *c, LLVMValueRef bytes, unsigned piece)
{
    LLVMBuilderRef b = c->builder;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(c->call), before = cut_before(c);
    LLVMBasicBlockRef loop = LLVMInsertBasicBlockInContext(c->context, block, "");
    LLVMValueRef at, after;

    LLVMPositionBuilderAtEnd(b, before);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, bytes, number(c, 0), ""), block, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    at = LLVMBuildPhi(b, LLVMInt64TypeInContext(c->context), "");
    store_piece(c, load_piece(c, at, piece), at, piece);
    after = LLVMBuildAdd(b, at, number(c, piece), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, after, bytes, ""), loop, block);
    LLVMAddIncoming(at, (LLVMValueRef[]){number(c, 0), after}, (LLVMBasicBlockRef[]){before, loop},
                    2);
    LLVMPositionBuilderBefore(b, c->call);
}

/* Expands a call of memcpy, memmove or memset. Returns whether the call was expanded. A memmove of
 * unknown or large size is not expanded. */
static bool expand(const copy *c)
{
    LLVMValueRef length = LLVMGetOperand(c->call, 2);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context);
    bool constant = LLVMIsAConstantInt(length) != NULL;
    uint64_t bytes = constant ? LLVMConstIntGetZExtValue(length) : 0, looped = 0;
    unsigned piece = widest_piece(c);

    if (c->moves && (!constant || bytes > MOST_STRAIGHT))
        return false;
    if (!constant) {
        write_loop(c, LLVMBuildZExt(c->builder, length, i64, ""), 1);
    } else if (bytes > MOST_STRAIGHT) {
        looped = bytes / piece * piece;
        write_loop(c, number(c, looped), piece);
    }
    write_straight(c, looped, bytes, piece);
    return true;
}

static bool expand_call(LLVMValueRef call)
{
    const char *name = pm_callee_name(call);
    bool moves = pm_starts(name, "llvm.memmove."), fills = pm_starts(name, "llvm.memset.");
    copy c = {.context = LLVMGetTypeContext(LLVMTypeOf(call)), .call = call, .moves = moves};
    LLVMValueRef is_volatile;
    bool done;

    if (!moves && !fills && !pm_starts(name, "llvm.memcpy."))
        return false;
    is_volatile = LLVMGetOperand(call, 3);
    c.to = LLVMGetOperand(call, 0);
    c.from = fills ? NULL : LLVMGetOperand(call, 1);
    c.value = fills ? LLVMGetOperand(call, 1) : NULL;
    c.is_volatile = LLVMIsAConstantInt(is_volatile) && LLVMConstIntGetZExtValue(is_volatile);
    c.builder = LLVMCreateBuilderInContext(c.context);
    LLVMPositionBuilderBefore(c.builder, call);
    LLVMSetCurrentDebugLocation2(c.builder, LLVMInstructionGetDebugLoc(call));
    done = expand(&c);
    LLVMDisposeBuilder(c.builder);
    return done;
}

void pm_copies_expand(LLVMValueRef function)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);

    while (block) {
        LLVMValueRef i = LLVMGetFirstInstruction(block), next;

        /* `next` stays valid if a loop is inserted, because the instructions after the call remain
         * in the same basic block. */
        for (; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMGetInstructionOpcode(i) == LLVMCall && expand_call(i))
                LLVMInstructionEraseFromParent(i);
        }
        block = LLVMGetNextBasicBlock(block);
    }
}
