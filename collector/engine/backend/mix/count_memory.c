/* Counts the machine instructions of loads, stores, atomics and address computations, and for
 * reading a kernel's arguments.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules are derived from the code that ptxas 13.0 generates from CUDA C for sm_90.
 */
#include "collector/engine/backend/mix/count_mix.h"

#include <llvm-c/Target.h>

#include "collector/engine/backend/accesses/sites.h"
#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/ir/texture.h"

/* Counts a load or store. If it is aligned and has up to 16 bytes, it is one machine instruction; a
 * larger one is split. */
void pm_count_access(const pm_mix_tally *t, LLVMValueRef access)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0));
    unsigned long long bytes = LLVMABISizeOfType(pm_layout_at(access), type);
    unsigned alignment = LLVMGetAlignment(access);

    const pm_fetch fetch = pm_fetch_of(pm_site_pointer(access));

    bool bypasses;

    /* An asynchronous copy is one instruction, which is counted for its load and not for its store.
     * A load that only tells from where a tensor map is copied does not count. */
    if (pm_is_async(access, &bypasses) ? LLVMIsAStoreInst(access) != NULL : pm_is_bulk(access))
        return;
    if (pm_is_constant_operand(access) || fetch == PM_FETCH_OPPOSITE || fetch == PM_FETCH_BESIDE)
        return;
    if (alignment == 0 || alignment > WIDEST)
        alignment = WIDEST;
    /* `bytes` is the number of machine accesses from here on */
    bytes = (bytes + alignment - 1) / alignment;
    pm_tally_add(t, PM_COST_memory, (double)bytes);
    /* A fetch by coordinates needs both coordinates in adjacent registers, so one coordinate is
     * moved. An example is a box filter of 5 x 5 fetches, for which nvcc 13.0 generates 35 moves
     * for sm_90. */
    if (fetch == PM_FETCH_POINT)
        pm_tally_add(t, PM_COST_move, 1.0);
}

/* Returns the row of instructions.ini for combining a warp's atomics. If all work-items of a warp
 * change one address in global memory, the warp first combines their operands, and one work-item
 * executes the atomic. Source: Adinets, CUDA Pro Tip: Optimized Filtering with Warp-Aggregated
 * Atomics. If all work-items add the same value, the combined operand is this value times their
 * number, which is another row. */
static pm_cost cost_of_joining(LLVMValueRef access)
{
    LLVMValueRef value = LLVMGetOperand(access, 1);
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(access);
    bool sum = operation == LLVMAtomicRMWBinOpAdd || operation == LLVMAtomicRMWBinOpSub;

    if (LLVMGetFirstUse(access))
        return PM_COST_join_return;
    if (!sum || !pm_is_uniform(value))
        return PM_COST_join;
    return LLVMIsConstant(value) ? PM_COST_join_number : PM_COST_join_product;
}

static bool is_joined(LLVMValueRef access)
{
    LLVMValueRef pointer = pm_site_pointer(access);

    return pm_atomic_can_be_one(access) && pm_integer_bits(LLVMTypeOf(access)) == 32 &&
           pm_type_words(LLVMTypeOf(pointer)) == 2 && pm_is_uniform_address(pointer) &&
           (!LLVMGetFirstUse(access) || pm_is_uniform(LLVMGetOperand(access, 1)));
}

void pm_count_atomic(const pm_mix_tally *t, LLVMValueRef access)
{
    if (pm_is_bulk(access)) /* the copy is counted for its load */
        return;
    pm_tally_add(t, PM_COST_memory, 1.0);
    if (is_joined(access))
        pm_tally_add(t, cost_of_joining(access), 1.0);
}

/* Counts the comparison that extracting the success flag of a compare-and-swap takes, because the
 * GPU's instruction returns only the old value. */
void pm_count_extracted(const pm_mix_tally *t, LLVMValueRef extract)
{
    if (LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(extract, 0)) && LLVMGetIndices(extract)[0] == 1)
        pm_tally_add(t, PM_COST_compare_int, 1.0);
}

void pm_count_fence(const pm_mix_tally *t, LLVMValueRef fence)
{
    (void)fence;
    pm_tally_add(t, PM_COST_fence, 1.0);
}

void pm_count_address(const pm_mix_tally *t, LLVMValueRef gep)
{
    double elements = pm_type_elements(LLVMTypeOf(gep));
    pm_address_cost cost = pm_address_cost_of(gep);

    pm_tally_add(t, PM_COST_integer, cost.integer * elements);
    pm_tally_add(t, PM_COST_sum, cost.sum * elements);
    pm_tally_add(t, PM_COST_address_multiplied, cost.multiplied * elements);
    pm_tally_add(t, PM_COST_address_scaled, cost.scaled * elements);
    pm_tally_add(t, PM_COST_address_shared, cost.shared * elements);
    pm_tally_add(t, PM_COST_address_again, cost.again * elements);
    pm_tally_add(t, PM_COST_uniform, cost.uniform * elements);
}

/* ---- arguments ----------------------------------------------------------------------------- */

enum { MOST_PLACES = 64 };

/* Returns the index of the outermost loop that contains loop `loop`; 0: no loop. */
static uint32_t outermost(const pm_structure *structure, uint32_t loop)
{
    while (loop && structure->loops[loop].parent)
        loop = structure->loops[loop].parent;
    return loop;
}

/* Returns whether an instruction of the segment (basic block, cut at barriers) has `value` as an
 * operand. */
static bool uses(const pm_code_segment *segment, LLVMValueRef value)
{
    PM_EACH_OF_SEGMENT(i, segment)
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            if (LLVMGetOperand(i, k) == value)
                return true;
    return false;
}

/* Returns how many load instructions from the constant bank a kernel's pointer argument needs.
 * There is one per scheduling region outside of loops that uses it, and one before each outermost
 * loop that uses it. A scheduling region is code that the compiler reorders as one sequence. */
static unsigned reads_of_pointer(LLVMValueRef pointer, const pm_structure *structure)
{
    struct {
        uint32_t loop, stretch;
    } places[MOST_PLACES];
    unsigned reads = 0;

    for (uint32_t k = 0; k < structure->count && reads < MOST_PLACES; k++) {
        const pm_code_segment *segment = &structure->segments[k];
        const uint32_t loop = outermost(structure, segment->loop);
        const uint32_t stretch = loop ? 0 : segment->stretch;
        bool known = false;

        if (!uses(segment, pointer))
            continue;
        for (unsigned i = 0; i < reads; i++)
            known = known || (places[i].loop == loop && places[i].stretch == stretch);
        if (!known) {
            places[reads].loop = loop;
            places[reads++].stretch = stretch;
        }
    }
    return reads;
}

static bool is_word(LLVMValueRef parameter)
{
    return pm_integer_bits(LLVMTypeOf(parameter)) == 32 && LLVMGetFirstUse(parameter);
}

/* Returns whether the 32-bit argument `number` is loaded together with the previous argument by one
 * instruction. This requires that the previous argument is at a multiple of 8 bytes. */
static bool is_second_of_pair(LLVMValueRef kernel, unsigned number)
{
    unsigned words = 0;

    while (words <= number && is_word(LLVMGetParam(kernel, number - words)))
        words++;
    return words % 2 == 0 && words > 0;
}

void pm_mix_add_entry(const pm_costs *costs, LLVMValueRef kernel, const pm_structure *structure,
                      pm_mix *mix)
{
    const pm_mix_tally t = {costs, mix};

    pm_tally_add(&t, PM_COST_entry, 1.0);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMValueRef parameter = LLVMGetParam(kernel, i);

        /* The texture unit reads the texture object, so no instruction loads this parameter. The
         * texels of the texture have a parameter of their own. */
        if (!LLVMGetFirstUse(parameter) || is_second_of_pair(kernel, i) ||
            pm_cuda_is_texture(kernel, i))
            continue;
        if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind)
            pm_tally_add(&t, pm_is_wide_base(parameter) ? PM_COST_constant_load : PM_COST_constant,
                         reads_of_pointer(parameter, structure));
        else
            pm_tally_add(&t, PM_COST_constant, 1.0);
    }
}
