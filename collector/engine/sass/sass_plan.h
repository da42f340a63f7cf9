/* How the executions of blocks of machine code follow from those of the PTX's basic blocks. The
 * home of a block of machine code is the PTX block from which it was made and with which its
 * executions are counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_SASS_SASS_PLAN_H
#define PM_COLLECTOR_ENGINE_SASS_SASS_PLAN_H

#include "collector/engine/sass/sass_parts.h"

/* Instructions with a predicate in a block of machine code that were made from another PTX block
 * (`home`) than the rest of the block. mix: instruction mix of these instructions. */
typedef struct {
    uint32_t home; /* the PTX block */
    pm_mix mix;
} pm_sass_part;

/* A group of copies of a PTX block in machine code: all copies in one loop, or one block outside of
 * a loop. ptxas makes several copies when it unrolls a loop, and puts further copies for the
 * remaining iterations after the unrolled loop. */
typedef struct {
    uint32_t *blocks; /* blocks of machine code */
    size_t block_count;
    /* number of copies of the PTX block (made by unrolling) that are executed when each block of
     * the group is executed once */
    unsigned copies;
    /* true: the blocks of the group are in a loop that does not contain the block
     * pm_sass_home.entry, so that they may be executed several times after it */
    bool repeats;
} pm_sass_group;

/* A PTX block, and the groups of its copies in machine code. */
typedef struct {
    uint32_t home; /* number of the first instruction of the PTX block */
    size_t group_count;
    /* groups with more copies come first; if the numbers are equal, groups that are in no loop come
     * first */
    pm_sass_group *groups;
    /* Index of the block of machine code that is executed once before the copies of the PTX block
     * are (0: the kernel's entry). It is the nearest block that dominates them and was made from
     * another PTX block. */
    uint32_t entry;
} pm_sass_home;

/* A basic block of a kernel's machine code (SASS), and the PTX block from which it was made. */
typedef struct {
    /* home: number of the first instruction of the PTX block from which this block was made.
     * PM_SASS_NONE: there is none; the block is executed as often as block `like`, or never if
     * `like` is PM_SASS_NONE, too. */
    uint32_t home;
    uint32_t like;
    /* true: the block was not made from a PTX block, and is executed by each group of threads that
     * arrives to reconverge */
    bool gathers;
    /* True: the block ends in a conditional jump. The jump counts in the event inst_control for
     * each thread that jumps, so it is not part of mix.control. */
    bool leaves;
    pm_mix mix;
    double spill_loads, spill_stores;
    size_t part_count;
    /* the instructions in `mix` that have a predicate and were made from other PTX blocks */
    pm_sass_part *parts;
} pm_sass_step;

struct pm_sass {
    pm_sass_code code;
    pm_sass_step *steps; /* steps[b]: block b of `code` */
    size_t home_count;
    /* PTX blocks that have copies. The order is: if block `entry` of the PTX block X was made from
     * the PTX block Y, then Y comes before X. */
    pm_sass_home *homes;
    size_t origin_count;
    const pm_ptx_origin *origins;
    /* ptxas may turn a copy of a PTX block into instructions with a predicate, in a block of
     * machine code that was made from another PTX block. guarded[n]: number of such copies of PTX
     * block n, at least 1 for each block of machine code that contains some. */
    unsigned *guarded;
};

/* Finds the PTX block from which each block of the machine code was made, and the groups of copies
 * of each PTX block. Defined in sass_plan.c. */
void pm_sass_make_plan(pm_memory *memory, pm_sass *sass);

/* Returns how many copies of the accesses to memory and barriers of PTX block `home` block b has:
 * the smallest number of equal machine instructions that were made from one PTX instruction.
 * Returns 0 if it has none. guarded: only guarded machine instructions of PTX instructions without
 * a guard count. sass_anchors.c */
unsigned pm_sass_anchors(const pm_sass *sass, uint32_t b, uint32_t home, bool guarded);

#endif
