/* The shape of a kernel: blocks cut at barriers, where their branches meet again, and loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_STRUCTURE_H
#define PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_STRUCTURE_H

#include <llvm-c/Core.h>

#include "base/memory.h"
#include "collector/trace/program.h"

/* Instructions first to last of a basic block; the last is its terminator, a barrier, or what a cut
 * comes behind. */
typedef struct {
    LLVMBasicBlockRef block;
    LLVMValueRef first, last;
    pm_block_end end;
    uint32_t successors, first_successor; /* in structure->successors */
    uint32_t join, loop, meet, meet_loop; /* as pm_block has them */
    uint32_t merges, first_merge;         /* likewise; in structure->merges */
    uint32_t whole;   /* the first of those that cuts made of one; itself if none did */
    bool predicated;  /* by pm_predication_find */
    uint32_t stretch; /* likewise: the first of those that run one after the other in any case */
} pm_code_segment;

#define PM_EACH_OF_SEGMENT(i, segment)                                                             \
    for (LLVMValueRef i = (segment)->first; i;                                                     \
         i = i == (segment)->last ? NULL : LLVMGetNextInstruction(i))

typedef struct {
    size_t count, successor_count, loop_count, merge_count;
    pm_code_segment *segments; /* 0 is the entry */
    uint32_t *successors;
    pm_merge_point *merges; /* blocks are segments */
    pm_code_loop *loops;    /* loops[0] is no loop */
} pm_structure;

/* Instructions behind which a segment ends, as if a jump to the next one stood there. */
typedef struct {
    LLVMValueRef *after;
    size_t count;
} pm_cuts;

/* cuts: NULL: none but at barriers. */
pm_structure pm_structure_find(LLVMValueRef kernel, const pm_cuts *cuts, pm_memory *memory);

/* Whether a segment ends at a cut and goes on in the next one. */
bool pm_segment_is_cut(const pm_code_segment *segment);

#endif
