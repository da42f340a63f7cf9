/* The control-flow graph of machine code, which the files of this folder share.
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
    bool is_guarded;  /* true: it has a predicate (@P0) */
    bool may_go_on;   /* a jump or an end: true if the next instruction may be executed after it */
    bool is_unlikely; /* a jump: true if it is taken only by warps whose threads have diverged */
    uint32_t target_count;
    const uint32_t *targets; /* indices of the instructions to which it may jump */
} pm_sass_instruction;

/* A basic block of machine code. */
typedef struct {
    uint32_t first, count; /* its instructions */
    uint32_t successor_count, predecessor_count;
    const uint32_t *successors, *predecessors; /* indices of basic blocks */
    bool is_reachable;
    bool is_unlikely; /* true: only unlikely jumps lead to it */
    /* index of its immediate dominator; for the entry, its own */
    uint32_t dominator;
    /* index of the header of its innermost loop, which may be itself; PM_SASS_NONE: it is in no
     * loop */
    uint32_t loop;
} pm_sass_block;

/* Code of a kernel. */
typedef struct {
    const char *name;
    size_t instruction_count, block_count;
    pm_sass_instruction *instructions;
    pm_sass_block *blocks; /* block 0 is the entry */
    /* outer[h]: header of the loop around the loop with header h */
    uint32_t *outer;
    /* the blocks in an order in which each comes after its dominator */
    uint32_t *order;
    size_t order_count; /* only reachable blocks */
} pm_sass_code;

/* Parses nvdisasm's text. Raises PM_BAD_INPUT if it is not of nvdisasm's form. parse_sass.c */
pm_sass_code *pm_sass_parse(pm_memory *memory, const char *text, size_t origin_count,
                            size_t *count);

/* Finds the basic blocks of code, their dominators and loops. sass_graph.c */
void pm_sass_find_blocks(pm_memory *memory, pm_sass_code *code);

#endif
