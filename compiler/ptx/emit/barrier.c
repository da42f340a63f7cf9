/* Emits LLVM IR for PTX barrier instructions: bar, barrier and mbarrier. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A barrier of all threads of the block is LLVM's own. All other barriers are functions that the
 * trace engine knows (collector/engine/backend/host/barriers.c). Their operand and result are
 * vectors of 32-bit words.
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

enum { MOST_WORDS = 4 };

static LLVMTypeRef word_type(const pm_ptx_emitter *e)
{
    return pm_ptx_integer_type(e, 32);
}

static LLVMValueRef number(const pm_ptx_emitter *e, uint64_t value)
{
    return LLVMConstInt(word_type(e), value, 0);
}

/* Emits a call of the function `name` with a vector of the `count` words `given`. Returns its
 * result, a vector of `results` words. */
static LLVMValueRef call(pm_ptx_emitter *e, const char *name, unsigned results,
                         const LLVMValueRef *given, unsigned count)
{
    LLVMValueRef words = LLVMGetPoison(LLVMVectorType(word_type(e), count));

    for (unsigned k = 0; k < count; k++)
        words = LLVMBuildInsertElement(e->b, words, given[k], number(e, k), "");
    return pm_ptx_reading_function(e, name, LLVMVectorType(word_type(e), results), &words, 1);
}

static LLVMValueRef word_of(pm_ptx_emitter *e, LLVMValueRef words, unsigned k)
{
    return LLVMBuildExtractElement(e->b, words, number(e, k), "");
}

static LLVMValueRef is_true(pm_ptx_emitter *e, LLVMValueRef word)
{
    return LLVMBuildICmp(e->b, LLVMIntNE, word, number(e, 0), "");
}

/* ---- barriers of the block ------------------------------------------------------------------ */

static bool is_number(const pm_ptx_operand *operand)
{
    return operand->kind == PM_PTX_NUMBER;
}

/* Returns whether all threads of the block wait at a barrier, because the instruction gives no
 * number of threads, or gives the number that .reqntid demands for the block. count: the operand
 * with the number of threads; NULL: the instruction has none. */
static bool is_of_all(const pm_ptx_emitter *e, const pm_ptx_instruction *i,
                      const pm_ptx_operand *count)
{
    const unsigned *group = e->f->required;

    return is_number(&i->operands[0]) &&
           (!count || (is_number(count) && e->f->is_kernel &&
                       count->bits == (uint64_t)group[0] * group[1] * group[2]));
}

/* Returns the number of threads of the block: ntid.x * ntid.y * ntid.z. */
static LLVMValueRef block_size(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    static const char *const sides[] = {"%ntid.x", "%ntid.y", "%ntid.z"};
    LLVMValueRef size = number(e, 1);

    for (unsigned d = 0; d < 3; d++)
        size = LLVMBuildMul(e->b, size, pm_ptx_special(e, i, sides[d]), "");
    return size;
}

/* Emits the arrival of a thread at a barrier. Returns the number of the barrier's phase, for which
 * the thread can then wait. id, count: indices of the operands with the barrier's number and the
 * number of threads; count 0: all threads of the block. truth: the predicate of bar.red; false for
 * other instructions. */
static LLVMValueRef arrive(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t id, size_t count,
                           LLVMValueRef truth)
{
    const LLVMValueRef given[] = {pm_ptx_source_as(e, i, id, "u32"),
                                  count ? pm_ptx_source_as(e, i, count, "u32") : block_size(e, i),
                                  LLVMBuildZExt(e->b, truth, word_type(e), "")};

    return word_of(e, call(e, "pm.barrier.join", 1, given, 3), 0);
}

static void wait_for(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t id, LLVMValueRef phase)
{
    const LLVMValueRef given[] = {pm_ptx_source_as(e, i, id, "u32"), phase};

    call(e, "pm.barrier.pass", 1, given, 2);
}

/* Emits bar.red: a barrier whose result combines a predicate of all threads. .popc: number of
 * threads with a true predicate. .and, .or: whether all predicates, or any predicate, are true.
 * Operands: result, barrier, number of threads (may be left out), predicate. */
static void emit_reduction(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool has_count = i->operand_count == 4;
    LLVMValueRef truth, phase, sums, given[2], found;

    if (i->operand_count < 3)
        pm_ptx_refuse(e, i, "it needs a result, a barrier and a predicate");
    truth = pm_ptx_source_as(e, i, i->operand_count - 1, "pred");
    phase = arrive(e, i, 1, has_count ? 2 : 0, truth);
    wait_for(e, i, 1, phase);
    given[0] = pm_ptx_source_as(e, i, 1, "u32");
    given[1] = phase;
    sums = call(e, "pm.barrier.sum", 2, given, 2);
    found = word_of(e, sums, 1);
    if (pm_ptx_has(i, "popc")) {
        pm_ptx_result_as(e, i, found, "b32");
        return;
    }
    found = pm_ptx_has(i, "or") ? is_true(e, found)
                                : LLVMBuildICmp(e->b, LLVMIntEQ, found, word_of(e, sums, 0), "");
    pm_ptx_result_as(e, i, found, "pred");
}

void pm_ptx_emit_barrier(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool has_count = i->operand_count == 2;
    LLVMValueRef mask, no = LLVMConstInt(pm_ptx_integer_type(e, 1), 0, 0);

    if (pm_ptx_has(i, "warp")) {
        mask = pm_ptx_source_as(e, i, 0, "b32");
        pm_ptx_intrinsic(e, "llvm.nvvm.bar.warp.sync", NULL, &mask, 1);
    } else if (pm_ptx_has(i, "cluster")) {
        /* Traced clusters have one block, so a barrier of the cluster is one of the block.
         * barrier.cluster.arrive does nothing, and barrier.cluster.wait waits for all threads. */
        if (pm_ptx_has(i, "wait"))
            pm_ptx_intrinsic(e, "llvm.nvvm.barrier0", NULL, NULL, 0);
    } else if (pm_ptx_has(i, "red")) {
        emit_reduction(e, i);
    } else if (i->operand_count < 1 || i->operand_count > 2 ||
               (pm_ptx_has(i, "arrive") && !has_count)) {
        pm_ptx_refuse(e, i, "it needs a barrier, and for .arrive a number of threads");
    } else if (pm_ptx_has(i, "arrive")) {
        arrive(e, i, 0, 1, no);
    } else if (is_of_all(e, i, has_count ? &i->operands[1] : NULL)) {
        pm_ptx_intrinsic(e, "llvm.nvvm.barrier0", NULL, NULL, 0);
    } else {
        wait_for(e, i, 0, arrive(e, i, 0, has_count, no));
    }
}

/* ---- barriers in shared memory --------------------------------------------------------------- */

/* Returns the low 32 bits of the address of an mbarrier, a barrier in shared memory. The address is
 * operand k. */
static LLVMValueRef barrier_address(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k)
{
    return LLVMBuildPtrToInt(e->b, pm_ptx_pointer_in(e, i, k, PM_PTX_SHARED), word_type(e), "");
}

static void set_state(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef words)
{
    LLVMTypeRef one = LLVMVectorType(pm_ptx_integer_type(e, 64), 1);

    if (i->operands[0].kind == PM_PTX_NOTHING)
        return;
    words = LLVMBuildBitCast(e->b, words, one, "");
    pm_ptx_result_as(e, i, word_of(e, words, 0), "b64");
}

/* Emits mbarrier.arrive, arrive_drop and expect_tx. The instruction has no result if the barrier is
 * given by its address in the cluster. Traced clusters have one block, so the barrier is in the
 * block's own shared memory. */
static void emit_arrive(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool expects = pm_ptx_has(i, "expect_tx"), drops = pm_ptx_has(i, "arrive_drop");
    const bool arrives = drops || pm_ptx_has(i, "arrive");
    const bool has_state = i->operands[0].kind != PM_PTX_ADDRESS;
    const size_t at = has_state ? 1 : 0;
    const bool has_number = i->operand_count > at + 1;
    LLVMValueRef count =
        has_number && !expects ? pm_ptx_source_as(e, i, at + 1, "u32") : number(e, arrives);
    LLVMValueRef bytes =
        has_number && expects ? pm_ptx_source_as(e, i, at + 1, "u32") : number(e, 0);
    LLVMValueRef given[MOST_WORDS] = {NULL, count, bytes, drops ? count : number(e, 0)}, words;

    if (i->operand_count <= at)
        pm_ptx_refuse(e, i, "it needs the address of a barrier");
    given[0] = barrier_address(e, i, at);
    words = call(e, "pm.barrier.arrive", 2, given, MOST_WORDS);
    if (has_state)
        set_state(e, i, words);
}

/* Emits mbarrier.test_wait and try_wait, which test whether a phase of the barrier has ended. The
 * phase is given by its parity, or by the state that mbarrier.arrive returned. */
static void emit_test(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool has_limit = pm_ptx_has(i, "try_wait");
    LLVMValueRef given[2], state;

    if (i->operand_count < 3)
        pm_ptx_refuse(e, i, "it needs a result, the address of a barrier and a phase");
    given[0] = barrier_address(e, i, 1);
    if (pm_ptx_has(i, "parity")) {
        given[1] = pm_ptx_source_as(e, i, 2, "u32");
    } else {
        state = pm_ptx_source_as(e, i, 2, "b64");
        state = LLVMBuildLShr(e->b, state, pm_ptx_constant(LLVMTypeOf(state), 63), "");
        given[1] = LLVMBuildTrunc(e->b, state, word_type(e), "");
    }
    pm_ptx_result_as(
        e, i,
        is_true(
            e,
            word_of(e, call(e, has_limit ? "pm.barrier.wait" : "pm.barrier.test", 1, given, 2), 0)),
        "pred");
}

static void emit_pending(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef state;

    if (i->operand_count != 2)
        pm_ptx_refuse(e, i, "it needs a result and a state");
    state = LLVMBuildTrunc(e->b, pm_ptx_source_as(e, i, 1, "b64"), word_type(e), "");
    pm_ptx_result_as(e, i, LLVMBuildAnd(e->b, state, number(e, (1U << 20) - 1), ""), "b32");
}

void pm_ptx_emit_mbarrier(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef given[2];

    if (pm_ptx_has(i, "init")) {
        if (i->operand_count != 2)
            pm_ptx_refuse(e, i, "it needs the address of a barrier and a number of arrivals");
        given[0] = barrier_address(e, i, 0);
        given[1] = pm_ptx_source_as(e, i, 1, "u32");
        call(e, "pm.barrier.init", 1, given, 2);
    } else if (pm_ptx_has(i, "arrive") || pm_ptx_has(i, "arrive_drop") ||
               pm_ptx_has(i, "expect_tx")) {
        emit_arrive(e, i);
    } else if (pm_ptx_has(i, "complete_tx") && i->operand_count == 2) {
        pm_ptx_complete_copy(e, i, 0, pm_ptx_source_as(e, i, 1, "u32"));
    } else if (pm_ptx_has(i, "test_wait") || pm_ptx_has(i, "try_wait")) {
        emit_test(e, i);
    } else if (pm_ptx_has(i, "pending_count")) {
        emit_pending(e, i);
    } else if (!pm_ptx_has(i, "inval")) {
        pm_ptx_refuse(e, i, "this operation on a barrier cannot be traced");
    }
}

void pm_ptx_complete_copy(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k,
                          LLVMValueRef bytes)
{
    const LLVMValueRef given[] = {barrier_address(e, i, k), bytes};

    call(e, "pm.barrier.complete", 1, given, 2);
}

void pm_ptx_arrive_after_copies(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    /* The second word is the number of arrivals. It is 1 if the instruction has .noinc. Without
     * .noinc, the barrier first waits for one arrival more, and then gets this arrival, so the net
     * number is 0. */
    const LLVMValueRef given[MOST_WORDS] = {
        barrier_address(e, i, 0), number(e, pm_ptx_has(i, "noinc")), number(e, 0), number(e, 0)};

    call(e, "pm.barrier.arrive", 2, given, MOST_WORDS);
}
