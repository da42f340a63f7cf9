/* Unrolls loops that index private arrays, so that the arrays fit into registers.
 *
 * A register has no address. An array can only be in registers if every index is a constant, and an
 * index becomes constant when its loop is fully unrolled. LLVM considers only a loop's size, and
 * leaves most arrays of more than a few elements in local memory. NVIDIA's compiler unrolls much
 * more if a loop indexes an array. The limit of NVIDIA's compiler is not published. Our limit
 * MOST_CODE, in instructions of the unrolled loop, comes from a test of 28 loops with 4 to 60
 * operations and 3 to 1024 iterations around an array. MOST_CODE is between the sizes of the
 * largest loop that NVRTC 13.0 unrolled and of the smallest loop that it did not unroll.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/module/unroll.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend/control_flow/structure.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/module/module.h"

enum { MOST_CODE = 2200, MOST_DEPTH = 8, MOST_ARRAY = 4096 /* bytes */ };

static const char FULL[] = "llvm.loop.unroll.full", DISABLE[] = "llvm.loop.unroll.disable";

typedef struct {
    LLVMValueRef kernel;
    pm_structure structure;
    bool *wanted;    /* wanted[loop]: whether the loop should be unrolled */
    uint64_t *trips; /* trips[loop]: number of iterations of the loop; 0: unknown */
    bool marked;
    pm_memory memory;
} unrolling;

/* ---- arrays --------------------------------------------------------------------------------- */

static bool has_array(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(type) > 1;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (has_array(LLVMStructGetTypeAtIndex(type, i)))
                return true;
        return false;
    default:
        return false;
    }
}

/* Returns whether a global variable is a constant array. If its index is a compile-time constant,
 * an element becomes a constant operand, so loops that index it are unrolled, too. */
static bool is_table(LLVMValueRef global)
{
    return LLVMIsGlobalConstant(global) && LLVMGetInitializer(global) &&
           has_array(LLVMGlobalGetValueType(global));
}

bool pm_unroll_has_arrays(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (is_table(g))
            return true;
    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(b, f)
            PM_EACH_INSTRUCTION(i, b)
                if (pm_is_opcode(i, LLVMAlloca) && has_array(LLVMGetAllocatedType(i)))
                    return true;
    return false;
}

/* ---- loops ---------------------------------------------------------------------------------- */

static uint32_t loop_of(const pm_structure *s, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->segments[i].block == block)
            return s->segments[i].loop;
    return 0;
}

/* Returns whether a phi is a loop counter with a constant start and a constant step. Sets *start
 * and *step to them, and *next to the instruction that adds the step. */
static bool find_counter(const unrolling *u, LLVMValueRef phi, uint32_t loop, LLVMValueRef *next,
                         int64_t *start, int64_t *step)
{
    bool from_outside = false;
    int64_t after;

    *next = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        bool inside = pm_loop_is_within(u->structure.loops,
                                        loop_of(&u->structure, LLVMGetIncomingBlock(phi, i)), loop);

        if (inside) {
            *next = value;
        } else {
            from_outside = LLVMIsAConstantInt(value);
            *start = from_outside ? LLVMConstIntGetSExtValue(value) : 0;
        }
    }
    if (!from_outside || !*next || !pm_is_opcode(*next, LLVMAdd) ||
        LLVMGetOperand(*next, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(*next, 1)))
        return false;
    *step = LLVMConstIntGetSExtValue(LLVMGetOperand(*next, 1));
    return *step != 0 && !__builtin_add_overflow(*start, *step, &after);
}

/* Returns the number of iterations of a loop, from a comparison of its counter `value` with a
 * constant; 0: there is no such comparison. first: the counter's first value. */
static uint64_t rounds_of(LLVMValueRef value, int64_t first, int64_t step)
{
    PM_EACH_USE(use, value) {
        LLVMValueRef compare = LLVMGetUser(use);
        int64_t span;

        if (!pm_is_opcode(compare, LLVMICmp) || !LLVMIsAConstantInt(LLVMGetOperand(compare, 1)))
            continue;
        if (__builtin_sub_overflow(LLVMConstIntGetSExtValue(LLVMGetOperand(compare, 1)), first,
                                   &span) ||
            (span == INT64_MIN && step == -1))
            continue;
        if (span / step >= 0)
            return (uint64_t)(span / step) + 1;
    }
    return 0;
}

static void find_trips(unrolling *u)
{
    PM_EACH_BLOCK(b, u->kernel)
        PM_EACH_PHI(phi, b) {
            uint32_t loop = loop_of(&u->structure, b);
            LLVMValueRef next;
            int64_t start = 0, step = 0;

            if (loop == 0 || u->trips[loop] || pm_integer_bits(LLVMTypeOf(phi)) == 0 ||
                !find_counter(u, phi, loop, &next, &start, &step))
                continue;
            u->trips[loop] = rounds_of(next, start + step, step);
            if (u->trips[loop] == 0)
                u->trips[loop] = rounds_of(phi, start, step);
        }
}

/* Returns the number of instructions of a loop after it is unrolled with all inner loops. An inner
 * loop with an unknown number of iterations is assumed to iterate half as often as the outer loop,
 * as in a triangular loop nest. */
static double code_of(const unrolling *u, uint32_t loop)
{
    const pm_structure *s = &u->structure;
    double code = 0, rounds = (double)u->trips[loop];

    for (size_t i = 0; i < s->count; i++)
        if (s->segments[i].loop == loop)
            PM_EACH_OF_SEGMENT(instruction, &s->segments[i])
                code += !LLVMIsAPHINode(instruction) && !LLVMIsADbgInfoIntrinsic(instruction);
    for (uint32_t inner = 1; inner < s->loop_count; inner++)
        if (inner != loop && s->loops[inner].parent == loop)
            code += code_of(u, inner) * (u->trips[inner] ? 1 : rounds / 2);
    return code * (rounds > 0 ? rounds : 1);
}

/* ---- indices -------------------------------------------------------------------------------- */

/* Sets u->wanted for each loop whose counter a value depends on. depth: number of instructions
 * between the value and the index of an array. Returns whether there is such a loop. */
static bool want_counters(unrolling *u, LLVMValueRef value, unsigned depth)
{
    bool any = false;

    if (!LLVMIsAInstruction(value) || depth == MOST_DEPTH)
        return false;
    if (LLVMIsAPHINode(value)) {
        uint32_t loop = loop_of(&u->structure, LLVMGetInstructionParent(value));

        if (loop == 0 || u->trips[loop] == 0 || code_of(u, loop) > MOST_CODE)
            return false;
        return u->wanted[loop] = true;
    }
    if (PM_IS(value, LLVMLoad, LLVMCall))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        any |= want_counters(u, LLVMGetOperand(value, i), depth + 1);
    return any;
}

static void want_indices(unrolling *u, LLVMValueRef pointer, unsigned depth)
{
    if (depth == MOST_DEPTH)
        return;
    PM_EACH_USE(use, pointer) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!LLVMIsAInstruction(user) ||
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != u->kernel)
            continue;
        if (pm_is_opcode(user, LLVMGetElementPtr))
            for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(user); i++)
                want_counters(u, LLVMGetOperand(user, i), 0);
        if (PM_IS(user, LLVMGetElementPtr, LLVMBitCast, LLVMAddrSpaceCast))
            want_indices(u, user, depth + 1);
    }
}

/* ---- marks ---------------------------------------------------------------------------------- */

static bool is_named(LLVMValueRef node, const char *name)
{
    unsigned length;
    LLVMValueRef first = NULL;
    const char *text;

    if (!node || !LLVMIsAMDNode(node) || LLVMGetMDNodeNumOperands(node) != 1)
        return false;
    LLVMGetMDNodeOperands(node, &first);
    text = first ? LLVMGetMDString(first, &length) : NULL;
    return text && strlen(name) == length && memcmp(text, name, length) == 0;
}

/* Adds LLVM's mark for full unrolling to the loop metadata of the branch `latch`, which closes the
 * loop. The existing metadata, such as pragmas of the source, are copied. */
static void mark(unrolling *u, LLVMValueRef latch)
{
    LLVMContextRef context = pm_context_of(u->kernel);
    unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
    LLVMValueRef old = LLVMGetMetadata(latch, kind), *values;
    unsigned count = old ? LLVMGetMDNodeNumOperands(old) : 0, n = 1;
    LLVMMetadataRef *operands, own, word = LLVMMDStringInContext2(context, FULL, sizeof FULL - 1);

    if (!old)
        return;
    values = pm_take(&u->memory, count, sizeof(LLVMValueRef));
    operands = pm_take(&u->memory, count + 1, sizeof(LLVMMetadataRef));
    LLVMGetMDNodeOperands(old, values);
    for (unsigned i = 1; i < count; i++) {
        if (is_named(values[i], FULL) || is_named(values[i], DISABLE))
            return;
        if (values[i])
            operands[n++] = LLVMValueAsMetadata(values[i]);
    }
    /* LLVM requires that the first operand of a loop's metadata node is the node itself. A
     * temporary node takes its place until the node exists. */
    own = LLVMTemporaryMDNode(context, NULL, 0);
    operands[0] = own;
    operands[n++] = LLVMMDNodeInContext2(context, &word, 1);
    LLVMSetMetadata(latch, kind,
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, operands, n)));
    LLVMMetadataReplaceAllUsesWith(own, LLVMValueAsMetadata(LLVMGetMetadata(latch, kind)));
    u->marked = true;
}

static void mark_kernel(void *user)
{
    unrolling *u = user;

    u->structure = pm_structure_find(u->kernel, NULL, &u->memory);
    u->wanted = pm_take(&u->memory, u->structure.loop_count, sizeof *u->wanted);
    u->trips = pm_take(&u->memory, u->structure.loop_count, sizeof *u->trips);
    find_trips(u);
    PM_EACH_BLOCK(b, u->kernel)
        PM_EACH_INSTRUCTION(i, b)
            if (pm_is_opcode(i, LLVMAlloca) && has_array(LLVMGetAllocatedType(i)) &&
                LLVMABISizeOfType(pm_layout_at(i), LLVMGetAllocatedType(i)) <= MOST_ARRAY)
                want_indices(u, i, 0);
    for (LLVMValueRef g = LLVMGetFirstGlobal(LLVMGetGlobalParent(u->kernel)); g;
         g = LLVMGetNextGlobal(g))
        if (is_table(g))
            want_indices(u, g, 0);
    for (size_t i = 0; i < u->structure.count; i++)
        if (u->wanted[u->structure.segments[i].loop])
            mark(u, u->structure.segments[i].last);
}

pm_status pm_unroll_mark(LLVMModuleRef module, bool *marked, pm_error *err)
{
    pm_status status = PM_OK;

    *marked = false;
    PM_EACH_FUNCTION(f, module) {
        unrolling u = {.kernel = f};

        if (status != PM_OK || !pm_is_kernel(f))
            continue;
        status = pm_attempt(&u.memory, mark_kernel, &u, err);
        pm_memory_free(&u.memory);
        *marked |= u.marked;
    }
    return status;
}
