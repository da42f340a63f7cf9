/* The control-flow graph of a kernel's machine code (SASS): its basic blocks, jumps and loops. The
 * files of collector/engine/sass share it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_SASS_SASS_PARTS_H
#define PM_COLLECTOR_ENGINE_SASS_SASS_PARTS_H

#include "collector/engine/sass/opcodes.h"
#include "collector/engine/sass/sass.h"

#define PM_SASS_NONE UINT32_MAX

typedef struct {
    const pm_sass_rule *rule;
    uint32_t
        origin; /* number of the PTX instruction that it was made from; PM_SASS_NONE: unknown */
    bool is_guarded; /* true: its execution has a predicate (such as @P0) */
    /* true: a jump or exit after which the next instruction may be executed, because it has a
     * condition or not all threads take it */
    bool may_go_on;
    bool is_unlikely; /* true: only warps whose threads have diverged take this jump */
    uint32_t target_count;
    const uint32_t *targets; /* indices of the instructions to which it may jump */
} pm_sass_instruction;

/* A basic block of machine code. */
typedef struct {
    uint32_t first, count; /* first: index of the block's first instruction; count: their number */
    uint32_t successor_count, predecessor_count;
    const uint32_t *successors, *predecessors; /* indices of basic blocks */
    bool is_reachable;
    bool is_unlikely; /* true: only unlikely jumps lead to the block */
    /* index of the block's immediate dominator; the entry, block 0, has 0 */
    uint32_t dominator;
    /* index of the header of the innermost loop that contains the block, which may be the block
     * itself; PM_SASS_NONE: it is in no loop */
    uint32_t loop;
} pm_sass_block;

/* Machine code (SASS) of one kernel, with its instructions and basic blocks. */
typedef struct {
    const char *name;
    size_t instruction_count, block_count;
    pm_sass_instruction *instructions;
    pm_sass_block *blocks; /* block 0 is the entry */
    /* outer[h]: header of the loop around the loop with header h; PM_SASS_NONE: there is none */
    uint32_t *outer;
    /* indices of the reachable basic blocks, order_count of them; each block comes after its
     * dominator */
    uint32_t *order;
    size_t order_count; /* only reachable blocks */
} pm_sass_code;

/* Parses the text that nvdisasm prints. Returns an array of *count kernels. origin_count: number of
 * PTX instructions. Raises PM_BAD_INPUT if the text does not have nvdisasm's format. Defined in
 * parse_sass.c. */
pm_sass_code *pm_sass_parse(pm_memory *memory, const char *text, size_t origin_count,
                            size_t *count);

/* Finds the basic blocks of a kernel's machine code, their dominators and loops. Defined in
 * sass_graph.c. */
void pm_sass_find_blocks(pm_memory *memory, pm_sass_code *code);

#endif
