/* Marks the loops of a translated PTX function so that LLVM does not unroll them. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "compiler/ptx/emit/emitter.h"

/* A basic block on the search's path from the function's entry. next: index of the block's
 * successor that is visited next. */
typedef struct {
    LLVMBasicBlockRef block;
    unsigned next;
} step;

/* A depth-first search through the basic blocks of a function. */
typedef struct {
    pm_memory *memory;
    LLVMContextRef context;
    size_t count, depth;
    LLVMBasicBlockRef *blocks; /* by address */
    /* reached[k]: true if block k was visited. open[k]: true if block k is on the current path, so
     * that a jump to it closes a loop. */
    bool *reached, *open;
    step *path;
} search;

/* Marks a jump back to the start of a loop with LLVM metadata that forbids to unroll the loop. */
static void mark_jump(const search *s, LLVMValueRef jump)
{
    static const char kind[] = "llvm.loop", word[] = "llvm.loop.unroll.disable";
    LLVMMetadataRef parts[2] = {LLVMTemporaryMDNode(s->context, NULL, 0),
                                LLVMMDStringInContext2(s->context, word, sizeof word - 1)};
    LLVMMetadataRef place = parts[0], loop;

    parts[1] = LLVMMDNodeInContext2(s->context, &parts[1], 1);
    loop = LLVMMDNodeInContext2(s->context, parts, 2);
    /* the first operand of a loop's metadata is the metadata itself */
    LLVMMetadataReplaceAllUsesWith(place, loop);
    LLVMSetMetadata(jump, LLVMGetMDKindIDInContext(s->context, kind, sizeof kind - 1),
                    LLVMMetadataAsValue(s->context, loop));
}

static int by_address(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t) * (const LLVMBasicBlockRef *)a;
    const uintptr_t y = (uintptr_t) * (const LLVMBasicBlockRef *)b;

    return (x > y) - (x < y);
}

static size_t index_of(const search *s, LLVMBasicBlockRef block)
{
    const LLVMBasicBlockRef *found =
        bsearch(&block, s->blocks, s->count, sizeof(LLVMBasicBlockRef), by_address);

    return (size_t)(found - s->blocks);
}

static void enter(search *s, size_t block)
{
    s->reached[block] = s->open[block] = true;
    s->path[s->depth++] = (step){.block = s->blocks[block]};
}

/* Visits the next successor of the last block on the path. If all its successors were visited,
 * removes the block from the path. A jump to a block on the path closes a loop and is marked. */
static void go_on(search *s)
{
    step *at = &s->path[s->depth - 1];
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(at->block);
    size_t to;

    if (at->next == LLVMGetNumSuccessors(jump)) {
        s->open[index_of(s, at->block)] = false;
        s->depth--;
        return;
    }
    to = index_of(s, LLVMGetSuccessor(jump, at->next++));
    if (s->open[to])
        mark_jump(s, jump);
    else if (!s->reached[to])
        enter(s, to);
}

void pm_ptx_keep_loops(pm_memory *memory, LLVMValueRef function)
{
    search s = {.memory = memory,
                .context = LLVMGetModuleContext(LLVMGetGlobalParent(function)),
                .count = LLVMCountBasicBlocks(function)};

    s.blocks = pm_take(memory, s.count + 1, sizeof(LLVMBasicBlockRef));
    s.reached = pm_take(memory, s.count + 1, sizeof *s.reached);
    s.open = pm_take(memory, s.count + 1, sizeof *s.open);
    s.path = pm_take(memory, s.count + 1, sizeof *s.path);
    LLVMGetBasicBlocks(function, s.blocks);
    qsort(s.blocks, s.count, sizeof(LLVMBasicBlockRef), by_address);
    enter(&s, index_of(&s, LLVMGetEntryBasicBlock(function)));
    while (s.depth > 0)
        go_on(&s);
}
