/* What has to come before what inside a segment. See order.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A load holds the registers that it fills from when it is started, and a compiler spends few of
 * them on loads that are not wanted yet: work-items that hold fewer are resident in larger number,
 * which hides latency as well. So of many loads that need not wait for each other, some are under
 * way together, and the warp waits as often as that takes.
 */
#include "collector/trace/backend/order.h"

#include "collector/trace/backend/addresses.h"
#include "collector/trace/backend/ir.h"
#include "collector/trace/backend/sites.h"

/* What the segment itself computes of an operand; NULL: the operand comes from before, as all of a
 * phi's do. */
static const pm_code_value *operand_of(LLVMValueRef instruction, unsigned i, uint32_t segment,
                                       const pm_values *values)
{
    const pm_code_value *value = LLVMIsAPHINode(instruction)
                                     ? NULL
                                     : pm_code_value_of(values, LLVMGetOperand(instruction, i));

    return value && value->segment == segment ? value : NULL;
}

/* Waits until all operands that the segment itself computes are there. */
static uint32_t waits_for_operands(LLVMValueRef instruction, uint32_t segment,
                                   const pm_values *values)
{
    uint32_t most = 0;

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        const pm_code_value *value = operand_of(instruction, i, segment, values);

        if (value && value->waits > most)
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
    return LLVMIsALoadInst(instruction) ||
           ((LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction)) &&
            LLVMGetFirstUse(instruction));
}

/* The stores of a segment that a load may have to stay behind. */
enum { MOST_STORES = 16 };
typedef struct {
    struct {
        LLVMValueRef pointer;
        uint32_t waits;
    } items[MOST_STORES];
    size_t count;
    uint32_t before; /* of those that had no room */
} stores;

static void note_store(stores *s, LLVMValueRef pointer, uint32_t waits)
{
    if (s->count < MOST_STORES) {
        s->items[s->count].pointer = pointer;
        s->items[s->count++].waits = waits;
    } else if (waits > s->before) {
        s->before = waits;
    }
}

/* Waits before the stores that may have written what is loaded: not those to an address that is a
 * constant away. */
static uint32_t waits_for_stores(const stores *s, LLVMValueRef pointer)
{
    uint32_t most = s->before;

    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].waits > most && !pm_is_offset_from(s->items[i].pointer, pointer))
            most = s->items[i].waits;
    return most;
}

/* A warp starts its instructions in order and waits where one needs a load that is not there yet;
 * the compiler moves loads up to where their addresses are known, but not past a store that may
 * write the same place. So loads that need the same number of waits before them are under way
 * together. */
void pm_order_waits(const pm_code_segment *segment, uint32_t number, pm_values *values)
{
    stores written = {.count = 0};

    PM_EACH_OF_SEGMENT(i, segment) {
        pm_code_value *value = pm_code_value_of(values, i);
        uint32_t waits = waits_for_operands(i, number, values);

        if (writes_global(i))
            note_store(&written, pm_site_pointer(i), waits);
        if (pm_order_is_waited_for(i)) {
            const uint32_t stored = waits_for_stores(&written, pm_site_pointer(i));

            waits = (waits > stored ? waits : stored) + 1;
        }
        if (value)
            value->waits = waits;
    }
}

double pm_order_depth(LLVMValueRef instruction, double instructions, const pm_values *values)
{
    pm_code_value *value = pm_code_value_of(values, instruction);
    double most = 0;

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        const pm_code_value *before = operand_of(instruction, i, value->segment, values);

        if (before && before->depth > most)
            most = before->depth;
    }
    value->depth = most + instructions;
    return value->depth;
}

/* ---- loads under way together ------------------------------------------------------------ */

enum {
    /* Waits of a segment that are told apart; later ones count as one with the last. */
    MOST_LEVELS = 64,
    REGISTER_BYTES = 4,
    /* Registers of loads under way. NVIDIA's compiler (ptxas 12.8, sm_90) has between 13 and 24 at
     * most in those six of the suite's kernels that could have more. */
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

static void split_space(pm_site *sites, size_t count, pm_space space)
{
    unsigned loaded[MOST_LEVELS] = {0}, first[MOST_LEVELS], waits = 0;

    for (size_t i = 0; i < count; i++)
        if (is_waited_for(&sites[i], space))
            loaded[level_of(&sites[i])] += registers_of(&sites[i]);
    for (unsigned level = 0; level < MOST_LEVELS; level++) {
        first[level] = waits;
        waits += (loaded[level] + UNDER_WAY - 1) / UNDER_WAY;
        loaded[level] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned level = level_of(&sites[i]);

        if (!is_waited_for(&sites[i], space))
            continue;
        sites[i].wait = first[level] + loaded[level] / UNDER_WAY;
        loaded[level] += registers_of(&sites[i]);
    }
}

void pm_waits_split(pm_site *sites, size_t count)
{
    split_space(sites, count, PM_SPACE_GLOBAL);
    split_space(sites, count, PM_SPACE_SHARED);
    split_space(sites, count, PM_SPACE_PRIVATE);
}
