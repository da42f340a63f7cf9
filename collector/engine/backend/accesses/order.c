/* Finds how often a warp must wait for loads before each instruction, and the lengths of dependency
 * chains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A load occupies its destination registers from its start on. If there are many independent loads,
 * a compiler therefore starts only some of them early: with fewer registers per work-item the
 * occupancy is higher, which also hides latency. Some loads are then in flight together, and the
 * warp waits several times.
 */
#include "collector/engine/backend/accesses/order.h"

#include "collector/engine/backend/accesses/sites.h"
#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/ir/ir.h"

static bool is_of(const pm_code_value *value, const pm_structure *structure, uint32_t stretch)
{
    return value && structure->segments[value->segment].stretch == stretch;
}

/* Returns the largest number of waits for loads before an operand of the instruction is available.
 * Operands from other scheduling regions (code that the compiler reorders as one sequence) count as
 * available without a wait, and so do results of the previous loop iteration. */
static uint32_t waits_for_operands(LLVMValueRef instruction, const pm_structure *structure,
                                   const pm_values *values, uint32_t segment)
{
    const uint32_t stretch = structure->segments[segment].stretch;
    const bool from_before = LLVMIsAPHINode(instruction) && segment == stretch;
    uint32_t most = 0;

    for (unsigned i = 0; !from_before && i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        const pm_code_value *value = pm_code_value_of(values, LLVMGetOperand(instruction, i));

        if (is_of(value, structure, stretch) && value->waits > most)
            most = value->waits;
    }
    return most;
}

static bool writes_global(LLVMValueRef instruction)
{
    LLVMValueRef pointer = LLVMIsALoadInst(instruction) ? NULL : pm_site_pointer(instruction);

    return pointer && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != SHARED_SPACE &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != PRIVATE_SPACE;
}

bool pm_order_is_waited_for(LLVMValueRef instruction)
{
    bool bypasses;

    if (LLVMIsALoadInst(instruction))
        return !pm_is_async(instruction, &bypasses);
    return ((LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction)) &&
            LLVMGetFirstUse(instruction));
}

/* An address, and the kernel argument or variable that contains it (NULL: unknown). */
typedef struct {
    LLVMValueRef pointer, object;
} place;

/* The latest stores of a scheduling region (code that the compiler reorders as one sequence).
 * waits: number of waits for loads that must precede the store. The compiler does not move a load
 * up over a store that may write the same address. */
enum { MOST_STORES = 16 };
typedef struct {
    struct {
        place at;
        uint32_t waits;
    } items[MOST_STORES];
    size_t count;
    /* largest number of waits for loads before any of the stores that did not fit into `items` */
    uint32_t before;
} stores;

static place place_of(LLVMValueRef instruction)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);

    return (place){pointer, pm_site_object(pointer)};
}

static bool has_no_alias(LLVMValueRef kernel, LLVMValueRef object)
{
    const int i = pm_parameter_index(kernel, object);

    return i >= 0 && pm_parameter_attribute(kernel, (unsigned)i, "noalias");
}

/* Returns whether a compiler must assume that two accesses may have the same address. The result is
 * false if the addresses differ by a constant, or if the accesses are to different buffers, one of
 * which is declared free of aliases (restrict). */
static bool may_meet(LLVMValueRef kernel, const place *a, const place *b)
{
    if (pm_is_offset_from(a->pointer, b->pointer))
        return false;
    return !a->object || !b->object || a->object == b->object ||
           !(has_no_alias(kernel, a->object) || has_no_alias(kernel, b->object));
}

static void note_store(stores *s, place at, uint32_t waits)
{
    if (s->count < MOST_STORES) {
        s->items[s->count].at = at;
        s->items[s->count++].waits = waits;
    } else if (waits > s->before) {
        s->before = waits;
    }
}

/* Returns the largest number of waits for loads before any store that may have written the data
 * that a load from `at` reads. */
static uint32_t waits_for_stores(LLVMValueRef kernel, const stores *s, place at)
{
    uint32_t most = s->before;

    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].waits > most && may_meet(kernel, &s->items[i].at, &at))
            most = s->items[i].waits;
    return most;
}

/* State of pm_order_waits, which finds how often a warp must wait for loads. */
typedef struct {
    LLVMValueRef kernel;
    const pm_structure *structure;
    pm_values *values;
    /* written[k]: last stores of the scheduling region whose first segment (basic block, cut at
     * barriers) is k */
    stores *written;
    /* before[k]: number of waits for loads that must precede the predicate under which segment k
     * (basic block, cut at barriers) executes */
    uint32_t *before;
} ordering;

/* The sides of a predicated branch execute only when their predicate is available. Sets in
 * o->before, for each side, the number of waits for loads that must precede the predicate. number:
 * index of the segment (basic block, cut at barriers) that ends with the branch. Its sides have
 * higher indices. */
static void hand_on_predicate(ordering *o, uint32_t number)
{
    const pm_code_segment *from = &o->structure->segments[number];
    const pm_code_value *branch = pm_code_value_of(o->values, from->last);
    uint32_t waits = o->before[number];

    if (branch && branch->waits > waits)
        waits = branch->waits;
    for (uint32_t k = 0; k < from->successors; k++) {
        const uint32_t to = o->structure->successors[from->first_successor + k];

        if (to != from->join && o->structure->segments[to].stretch == from->stretch &&
            o->before[to] < waits)
            o->before[to] = waits;
    }
}

static void order_segment(ordering *o, uint32_t number)
{
    const pm_code_segment *segment = &o->structure->segments[number];
    stores *written = &o->written[segment->stretch];

    PM_EACH_OF_SEGMENT(i, segment) {
        pm_code_value *value = pm_code_value_of(o->values, i);
        uint32_t waits = waits_for_operands(i, o->structure, o->values, number);

        if (pm_site_pointer(i) && o->before[number] > waits)
            waits = o->before[number];
        if (writes_global(i))
            note_store(written, place_of(i), waits);
        if (pm_order_is_waited_for(i)) {
            const uint32_t stored = waits_for_stores(o->kernel, written, place_of(i));

            waits = (waits > stored ? waits : stored) + 1;
        }
        if (value)
            value->waits = waits;
    }
    if (segment->predicated)
        hand_on_predicate(o, number);
    if (pm_segment_is_cut(segment))
        o->before[number + 1] = o->before[number];
}

/* A warp starts its instructions in order. It waits at an instruction that needs the result of a
 * load that is not complete. The compiler moves a load up to where its address is known, but not
 * over a store that may write the same address. Loads that need the same number of waits before
 * them are therefore in flight together. */
void pm_order_waits(LLVMValueRef kernel, const pm_structure *structure, pm_values *values,
                    pm_memory *memory)
{
    ordering o = {.kernel = kernel,
                  .structure = structure,
                  .values = values,
                  .written = pm_take(memory, structure->count, sizeof *o.written),
                  .before = pm_take(memory, structure->count, sizeof *o.before)};

    for (uint32_t k = 0; k < structure->count; k++)
        order_segment(&o, k);
}

double pm_order_depth(LLVMValueRef instruction, double instructions, const pm_structure *structure,
                      const pm_values *values)
{
    const pm_code_segment *segments = structure->segments;
    pm_code_value *value = pm_code_value_of(values, instruction);
    const uint32_t whole = segments[value->segment].whole;
    double most = 0;

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        const pm_code_value *before =
            LLVMIsAPHINode(instruction) ? NULL
                                        : pm_code_value_of(values, LLVMGetOperand(instruction, i));

        if (before && segments[before->segment].whole == whole && before->depth > most)
            most = before->depth;
    }
    value->depth = most + instructions;
    return value->depth;
}

/* ---- loads in flight together -------------------------------------------------------------- */

enum {
    /* Waits for loads in a scheduling region (code that the compiler reorders as one sequence) are
     * numbered. All waits from this number on count as one. */
    MOST_LEVELS = 64,
    REGISTER_BYTES = 4,
    /* Assumed number of registers for results of loads in flight together. NVIDIA's compiler (ptxas
     * 12.8, sm_90) uses at most 13 to 24 in the six kernels of perfmodel's test programs that have
     * enough loads to use more. */
    UNDER_WAY = 16
};

static bool is_waited_for(const pm_site *site, pm_space space)
{
    return site->waits && (site->through_l1 ? PM_SPACE_GLOBAL : site->space) == space;
}

static unsigned registers_of(const pm_site *site)
{
    return (site->bytes + REGISTER_BYTES - 1) / REGISTER_BYTES;
}

static unsigned level_of(const pm_site *site)
{
    return site->wait < MOST_LEVELS ? site->wait : MOST_LEVELS - 1;
}

static void split_space(pm_site *sites, const size_t *which, size_t count, pm_space space)
{
    unsigned loaded[MOST_LEVELS] = {0}, first[MOST_LEVELS], waits = 0;

    for (size_t i = 0; i < count; i++)
        if (is_waited_for(&sites[which[i]], space))
            loaded[level_of(&sites[which[i]])] += registers_of(&sites[which[i]]);
    for (unsigned level = 0; level < MOST_LEVELS; level++) {
        first[level] = waits;
        waits += (loaded[level] + UNDER_WAY - 1) / UNDER_WAY;
        loaded[level] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        pm_site *site = &sites[which[i]];
        unsigned level = level_of(site);

        if (!is_waited_for(site, space))
            continue;
        site->wait = first[level] + loaded[level] / UNDER_WAY;
        loaded[level] += registers_of(site);
    }
}

void pm_waits_split(pm_site *sites, const size_t *which, size_t count)
{
    split_space(sites, which, count, PM_SPACE_GLOBAL);
    split_space(sites, which, count, PM_SPACE_SHARED);
    split_space(sites, which, count, PM_SPACE_PRIVATE);
}
