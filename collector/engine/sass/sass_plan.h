/* How the executions of machine code follow from those of the PTX's basic blocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_SASS_SASS_PLAN_H
#define PM_COLLECTOR_ENGINE_SASS_SASS_PLAN_H

#include "collector/engine/sass/sass_parts.h"

/* Guarded instructions of a block of machine code that were made from another basic block of the
 * PTX than the block itself. */
typedef struct {
    uint32_t home; /* the PTX block */
    pm_mix mix;
} pm_sass_part;

/* Copies of a PTX block in machine code: all blocks of one loop that were made from it, or one
 * block outside of the loop. ptxas unrolls loops, and puts copies of the loop's body for the
 * remaining iterations behind it. */
typedef struct {
    uint32_t *blocks; /* blocks of machine code */
    size_t block_count;
    unsigned copies; /* copies of the PTX block that one execution of all these blocks executes */
    bool repeats;    /* true: in a loop that the block `entry` of the home is not in */
} pm_sass_group;

/* A PTX block and its copies. */
typedef struct {
    uint32_t home; /* number of the first instruction of the PTX block */
    size_t group_count;
    pm_sass_group *groups; /* most copies first; of equal ones, those that do not repeat */
    /* the block of machine code that is executed once each time the copies are reached;
     * PM_SASS_NONE if there is one group alone, which needs none */
    uint32_t entry;
} pm_sass_home;

/* A block of machine code. */
typedef struct {
    /* PM_SASS_NONE: it is executed as often as block `like`, or never if that is PM_SASS_NONE,
     * too */
    uint32_t home;
    uint32_t like;
    bool gathers; /* true: without a home, and executed by each group of threads that arrives at it
                   */
    /* true: it ends in a conditional jump, which counts in inst_control for each thread that jumps.
     * `mix` has the jump without its part in `control`. */
    bool leaves;
    pm_mix mix;
    double spill_loads, spill_stores;
    size_t part_count;
    pm_sass_part *parts; /* of `mix`: the guarded instructions of other PTX blocks */
} pm_sass_step;

struct pm_sass {
    pm_sass_code code;
    pm_sass_step *steps; /* steps[b]: block b of `code` */
    size_t home_count;
    /* in an order in which the home of `entry` comes before a home that needs it */
    pm_sass_home *homes;
    size_t origin_count;
    const pm_ptx_origin *origins;
    /* guarded[n]: copies of the PTX block n among the guarded instructions of blocks that have
     * another home, at least 1 for each such block */
    unsigned *guarded;
};

/* Finds the PTX block of each block of machine code, and the copies. sass_plan.c */
void pm_sass_make_plan(pm_memory *memory, pm_sass *sass);

/* Returns how many copies of the accesses to memory and barriers of PTX block `home` block b has:
 * the smallest number of equal machine instructions that were made from one PTX instruction.
 * Returns 0 if it has none. guarded: only guarded machine instructions of PTX instructions without
 * a guard count. sass_anchors.c */
unsigned pm_sass_anchors(const pm_sass *sass, uint32_t b, uint32_t home, bool guarded);

#endif
