/* Emits asynchronous copies from global to shared memory: cp.async. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A copy becomes a load and a store, which are executed at once. Both are marked (PM_ASYNC_MARK),
 * so that the trace engine counts one instruction, and the wait for the data at
 * cp.async.wait_group.
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"
#include "machine/async_copy.h"

enum { WORD = 4, MOST_BYTES = 16 };

static LLVMTypeRef type_of(const pm_ptx_emitter *e, unsigned bytes)
{
    LLVMTypeRef word = pm_ptx_integer_type(e, 8 * WORD);

    return bytes > WORD ? LLVMVectorType(word, bytes / WORD) : word;
}

/* Marks a load or store as a part of cp.async, with metadata PM_ASYNC_MARK. Makes it volatile, so
 * that LLVM neither merges nor removes it. bytes: alignment of the access. */
static void mark(const pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef access,
                 unsigned bytes)
{
    const unsigned kind =
        LLVMGetMDKindIDInContext(e->context, PM_ASYNC_MARK, sizeof PM_ASYNC_MARK - 1);
    LLVMMetadataRef bypasses =
        LLVMValueAsMetadata(LLVMConstInt(pm_ptx_integer_type(e, 1), pm_ptx_has(i, "cg"), 0));

    LLVMSetMetadata(
        access, kind,
        LLVMMetadataAsValue(e->context, LLVMMDNodeInContext2(e->context, &bypasses, 1)));
    LLVMSetVolatile(access, 1);
    LLVMSetAlignment(access, bytes);
}

static LLVMValueRef load(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef from,
                         unsigned bytes)
{
    LLVMValueRef value = LLVMBuildLoad2(e->b, type_of(e, bytes), from, "");

    mark(e, i, value, bytes);
    return value;
}

static LLVMValueRef compare(pm_ptx_emitter *e, LLVMIntPredicate how, LLVMValueRef size,
                            unsigned bytes)
{
    return LLVMBuildICmp(e->b, how, size, pm_ptx_constant(LLVMTypeOf(size), bytes), "");
}

/* Loads the first `size` bytes of a copy if `size` is less than the copy's `bytes`, and stores them
 * to `place`. The remaining bytes of a word become zeros. Does nothing if `size` is `bytes`. */
static void load_parts(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef from,
                       LLVMValueRef size, unsigned bytes, LLVMValueRef place)
{
    LLVMTypeRef word = type_of(e, WORD), byte = pm_ptx_integer_type(e, 8);

    for (unsigned at = 0; at < bytes; at += WORD) {
        LLVMValueRef offset = pm_ptx_constant(pm_ptx_integer_type(e, 64), at);
        LLVMValueRef given = compare(e, LLVMIntUGT, size, at), value, rest;
        LLVMBasicBlockRef next;

        given = LLVMBuildAnd(e->b, given, compare(e, LLVMIntULT, size, bytes), "");
        next = pm_ptx_begin_if(e, given);
        value = load(e, i, LLVMBuildGEP2(e->b, byte, from, &offset, 1, ""), WORD);
        rest = LLVMBuildSub(e->b, pm_ptx_constant(word, at + WORD), size, "");
        rest = LLVMBuildSelect(e->b, compare(e, LLVMIntULT, size, at + WORD), rest,
                               LLVMConstNull(word), "");
        rest = LLVMBuildLShr(e->b, LLVMConstAllOnes(word),
                             LLVMBuildMul(e->b, rest, pm_ptx_constant(word, 8), ""), "");
        LLVMBuildStore(e->b, LLVMBuildAnd(e->b, value, rest, ""),
                       LLVMBuildGEP2(e->b, byte, place, &offset, 1, ""));
        pm_ptx_end_if(e, next);
    }
}

/* Returns the number of bytes that cp.async reads from global memory, which the operand src-size or
 * ignore-src (a predicate; true: 0 bytes) gives. Returns NULL if the instruction has neither: it
 * reads all bytes. */
static LLVMValueRef size_of(pm_ptx_emitter *e, const pm_ptx_instruction *i, unsigned bytes)
{
    const size_t others = pm_ptx_has(i, "L2::cache_hint") ? 1 : 0;
    const pm_ptx_operand *size = &i->operands[3];
    LLVMTypeRef word = pm_ptx_integer_type(e, 32);

    if (i->operand_count - others < 4)
        return NULL;
    if (size->kind == PM_PTX_REGISTER && size->reg->type->number == PM_PTX_PREDICATE)
        return LLVMBuildSelect(e->b, pm_ptx_source_as(e, i, 3, "pred"), LLVMConstNull(word),
                               pm_ptx_constant(word, bytes), "");
    return pm_ptx_source_as(e, i, 3, "u32");
}

static void emit_copy(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const unsigned bytes = i->operand_count > 2 ? (unsigned)i->operands[2].bits : 0;
    LLVMValueRef from, to, size, value, place;
    LLVMBasicBlockRef next;

    if (i->operand_count < 3 || i->operands[2].kind != PM_PTX_NUMBER ||
        (bytes != 4 && bytes != 8 && bytes != 16) || !(pm_ptx_has(i, "ca") || pm_ptx_has(i, "cg")))
        pm_ptx_refuse(e, i, "it needs .ca or .cg, two addresses and the number 4, 8 or 16");
    to = pm_ptx_pointer_in(e, i, 0, PM_PTX_SHARED);
    from = pm_ptx_pointer_in(e, i, 1, PM_PTX_GLOBAL);
    size = size_of(e, i, bytes);
    if (size) {
        place = pm_ptx_variable_of(e, type_of(e, bytes), bytes);
        LLVMBuildStore(e->b, pm_ptx_free_zero(e, type_of(e, bytes)), place);
        next = pm_ptx_begin_if(e, compare(e, LLVMIntUGE, size, bytes));
        LLVMBuildStore(e->b, load(e, i, from, bytes), place);
        pm_ptx_end_if(e, next);
        load_parts(e, i, from, size, bytes, place);
        value = LLVMBuildLoad2(e->b, type_of(e, bytes), place, "");
    } else {
        value = load(e, i, from, bytes);
    }
    mark(e, i, LLVMBuildStore(e->b, value, to), bytes);
}

static void emit_call(pm_ptx_emitter *e, const char *name)
{
    pm_ptx_known_function(e, name, LLVMVoidTypeInContext(e->context), NULL, 0);
}

void pm_ptx_emit_cp(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    if (!pm_ptx_has(i, "async"))
        pm_ptx_refuse(e, i, "only cp.async can be traced");
    if (pm_ptx_has(i, "bulk") && !pm_ptx_has(i, "commit_group") && !pm_ptx_has(i, "wait_group")) {
        pm_ptx_emit_bulk(e, i);
    } else if (pm_ptx_has(i, "mbarrier")) {
        if (i->operand_count != 1)
            pm_ptx_refuse(e, i, "it needs the address of a barrier");
        emit_call(e, PM_ASYNC_WAIT "0");
        pm_ptx_arrive_after_copies(e, i);
    } else if (pm_ptx_has(i, "commit_group")) {
        emit_call(e, PM_ASYNC_COMMIT);
    } else if (pm_ptx_has(i, "wait_all")) {
        emit_call(e, PM_ASYNC_WAIT "0");
    } else if (pm_ptx_has(i, "wait_group")) {
        if (i->operand_count != 1 || i->operands[0].kind != PM_PTX_NUMBER)
            pm_ptx_refuse(e, i, "it needs a number of groups");
        emit_call(e,
                  pm_format(e->memory, PM_ASYNC_WAIT "%u", (unsigned)(i->operands[0].bits & 0xff)));
    } else {
        emit_copy(e, i);
    }
}
