/* The control-flow structure of a kernel: segments (basic blocks cut at barriers), reconvergence
 * points of branches, and loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_STRUCTURE_H
#define PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_STRUCTURE_H

#include <llvm-c/Core.h>

#include "base/memory.h"
#include "collector/engine/program.h"

/* Instructions `first` to `last` of a basic block. `last` is its terminator, a barrier, or the
 * instruction before a cut (a point at which the engine splits a basic block). */
typedef struct {
    LLVMBasicBlockRef block;
    LLVMValueRef first, last;
    pm_block_end end;
    /* Number of successors, and index of the first in structure->successors. */
    uint32_t successors, first_successor;
    /* join: immediate post-dominator; loop: innermost loop; meet: reconvergence point of the branch
     * for work-items that stay in loop meet_loop. All are indices of segments (basic blocks, cut at
     * barriers) and loops, as in pm_block. */
    uint32_t join, loop, meet, meet_loop;
    /* merges: number of partial reconvergence points of the branch at the end of this segment
     * (basic block, cut at barriers); first_merge: index of the first of them in
     * structure->merges */
    uint32_t merges, first_merge;
    uint32_t whole; /* index of the first segment of the same basic block, which was cut at
                       barriers; may be this segment */
    /* true: the GPU executes the branch at the end of this segment (basic block, cut at barriers)
     * by predicates; set by pm_predication_find */
    bool predicated;
    /* Index of the first segment (basic block, cut at barriers) of this segment's scheduling
     * region, within which the GPU's compiler may reorder instructions. Set by
     * pm_predication_join. */
    uint32_t stretch;
} pm_code_segment;

#define PM_EACH_OF_SEGMENT(i, segment)                                                             \
    for (LLVMValueRef i = (segment)->first; i;                                                     \
         i = i == (segment)->last ? NULL : LLVMGetNextInstruction(i))

typedef struct {
    size_t count, successor_count, loop_count, merge_count;
    pm_code_segment *segments; /* segments[0] is the entry */
    uint32_t *successors;
    /* partial reconvergence points; the numbers in their members `block` and `between` are indices
     * of segments (basic blocks, cut at barriers) */
    pm_merge_point *merges;
    pm_code_loop *loops; /* loops[0] is the code outside of loops */
} pm_structure;

/* Instructions after which a basic block is cut into two segments, as if a jump to the next
 * instruction followed. */
typedef struct {
    LLVMValueRef *after;
    size_t count;
} pm_cuts;

/* Finds the segments (basic blocks, cut at barriers), reconvergence points and loops of a kernel.
 * cuts: further points at which to cut basic blocks; NULL: cut at barriers only. */
pm_structure pm_structure_find(LLVMValueRef kernel, const pm_cuts *cuts, pm_memory *memory);

/* Returns whether a segment (a part of a basic block) ends at a cut inside the basic block, so that
 * the next segment continues the block. */
bool pm_segment_is_cut(const pm_code_segment *segment);

#endif
