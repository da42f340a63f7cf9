/* Finds accesses to adjacent words that AMD's compiler makes one instruction.
 *
 * AMD's GPUs load and store up to four words at once at any word address (unaligned-access-mode of
 * LLVM's AMDGPU target), whereas NVIDIA's need an address that is a multiple of the whole size.
 * LLVM therefore combines adjacent accesses of a basic block, such as the members x, y and z of a
 * struct of 12 bytes, unless an access between them may overlap with them. In the IR that the
 * engine runs these accesses are separate, because the IR was compiled with NVIDIA's rule for
 * alignment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/accesses/together.h"

#include <stdlib.h>

#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/ir/ir.h"

enum { WORD = 4, WIDEST_BYTES = 16 };

typedef struct {
    /* address of the access, without the constant offsets that are added to it last */
    LLVMValueRef base;
    uint64_t offset;
    /* between: number of earlier instructions of the segment (basic block, cut at barriers) over
     * which this access cannot be moved. Accesses with equal numbers can be combined. */
    unsigned kind, between;
    size_t site;
} word_access;

/* The accesses of one segment (basic block, cut at barriers) that may be combined with others. */
typedef struct {
    word_access *items;
    size_t count;
} accesses;

static int compare(const void *left, const void *right)
{
    const word_access *a = left, *b = right;

    if (a->base != b->base)
        return (uintptr_t)a->base < (uintptr_t)b->base ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->between != b->between)
        return a->between < b->between ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->site < b->site ? -1 : 1;
}

static bool can_join(const pm_site *site, LLVMValueRef instruction)
{
    return site->kind != PM_ACCESS_ATOMIC && site->argument >= 0 &&
           (site->space == PM_SPACE_GLOBAL || site->through_l1) && site->bytes % WORD == 0 &&
           site->bytes < WIDEST_BYTES && !LLVMGetVolatile(instruction);
}

static bool touches_global(LLVMValueRef instruction)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);

    return pointer && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != SHARED_SPACE &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != PRIVATE_SPACE;
}

/* Numbers of instructions that read and that write global memory, counted from the start of the
 * segment (basic block, cut at barriers) to the examined instruction. A load cannot be moved over
 * an instruction that writes, and a store not over one that reads. */
typedef struct {
    unsigned reads, writes;
} passed;

static void pass(passed *p, LLVMValueRef instruction)
{
    if (!touches_global(instruction))
        return;
    p->reads += !LLVMIsAStoreInst(instruction);
    p->writes += !LLVMIsALoadInst(instruction);
}

static void note(accesses *all, const pm_code_value *value, const pm_sites *sites, passed p,
                 pm_memory *memory)
{
    LLVMValueRef pointer = pm_site_pointer(value->instruction);

    for (uint32_t k = 0; k < value->sites; k++) {
        const size_t number = value->site + k;
        const pm_site *site = &sites->sites[number];
        word_access *item;

        if (!can_join(site, value->instruction))
            return;
        item = pm_add(memory, all->items, all->count);
        *item = (word_access){.base = pm_address_base(pointer),
                              .offset = site->offset + (uint64_t)k * site->bytes,
                              .kind = site->kind,
                              .between = site->kind == PM_ACCESS_LOAD ? p.writes : p.reads,
                              .site = number};
    }
}

static bool goes_on(const word_access *first, const word_access *next, unsigned bytes)
{
    return next->base == first->base && next->kind == first->kind &&
           next->between == first->between && next->offset == first->offset + bytes;
}

/* Combines accesses to adjacent addresses into wide accesses of up to WIDEST_BYTES bytes, beginning
 * with the lowest address. all: accesses sorted by address. */
static void join(const accesses *all, pm_sites *sites)
{
    for (size_t i = 0; i < all->count;) {
        pm_site *first = &sites->sites[all->items[i].site];
        size_t next = i + 1;

        for (; next < all->count && goes_on(&all->items[i], &all->items[next], first->together);
             next++) {
            pm_site *site = &sites->sites[all->items[next].site];

            if (first->together + site->bytes > WIDEST_BYTES)
                break;
            first->together += site->bytes;
            site->together = 0;
        }
        i = next;
    }
}

void pm_together_find(const pm_structure *structure, const pm_values *values, pm_sites *sites,
                      pm_memory *memory)
{
    for (size_t k = 0; k < structure->count; k++) {
        const pm_code_segment *segment = &structure->segments[k];
        accesses all = {0};
        passed p = {0};

        PM_EACH_OF_SEGMENT(i, segment) {
            const pm_code_value *value = pm_code_value_of(values, i);

            if (value && value->sites > 0)
                note(&all, value, sites, p, memory);
            pass(&p, i);
        }
        if (all.count > 1)
            qsort(all.items, all.count, sizeof *all.items, compare);
        join(&all, sites);
    }
}
