/* The SIMT stack of a warp: control-flow paths of its work-items, and their reconvergence
 * points.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items that diverge at a branch execute one path after the other and then reconverge.
 * Outside of loops they do so at the branch's immediate post-dominator. In a loop they
 * reconverge where all paths through the loop body join, even if other work-items leave the loop
 * in between. Work-items that leave the loop (a break, a return of an inlined function) wait
 * behind it. If only some paths join earlier, as at the body of `if (a || b)`, their work-items
 * reconverge there (partial reconvergence).
 *
 * NVIDIA's compilers do the same: a branch has its own reconvergence points (BSSY, BSYNC).
 * Work-items that take another path are removed from the list of work-items to wait for (BREAK;
 * before compute capability 7.0 PBK and BRK).
 */
#ifndef PM_COLLECTOR_ENGINE_SIMT_STACK_H
#define PM_COLLECTOR_ENGINE_SIMT_STACK_H

#include "collector/engine/program.h"
#include "perfmodel.h"

/* SIMT-stack entry: the work-items in `mask` execute from the basic block `block` until the
 * reconvergence point `join`. If `loop` is not 0, only paths that stay in that loop lead to `join`.
 * If `merge` is not NULL, `join` is the partial reconvergence point that it describes, and only
 * paths through the blocks that it lists lead there. */
typedef struct {
    uint32_t block, join, loop;
    const pm_merge_point *merge;
    uint64_t mask;
} pm_path;

/* The SIMT stack. The top entry, path[depth - 1], executes; the entries below wait. */
typedef struct {
    pm_path *path;
    size_t depth, room;
    uint64_t live; /* mask of the work-items that have not returned */
} pm_paths;

/* Allocates the stack. false if out of memory. */
bool pm_paths_create(pm_paths *paths, const pm_kernel_code *code);
void pm_paths_free(pm_paths *paths);
/* Initialises the stack: the work-items in `live` execute from the kernel's entry. */
void pm_paths_start(pm_paths *paths, uint64_t live);

static inline pm_path *pm_paths_top(const pm_paths *paths)
{
    return &paths->path[paths->depth - 1];
}

/* Updates the stack when the executing work-items (those of the top entry) return from the
 * kernel. */
void pm_paths_return(pm_paths *paths);
/* Updates the stack when the executing work-items (those of the top entry) continue at basic block
 * `block`. */
void pm_paths_jump(pm_paths *paths, uint32_t block);
/* Updates the stack when the executing work-items take a branch: those in next[k] continue at
 * successor k of the top entry's basic block. *ways becomes the number of different basic blocks
 * that they continue at. Modifies next. */
pm_status pm_paths_branch(pm_paths *paths, const pm_kernel_code *code, uint64_t *next,
                          unsigned *ways, pm_error *err);

/* Executes a branch with two successors if all work-items continue at one of them. Otherwise
 * returns false, and pm_paths_branch must execute it. */
static inline bool pm_paths_follow(pm_paths *paths, const pm_kernel_code *code,
                                   const uint64_t *next)
{
    pm_path *top = pm_paths_top(paths);
    const pm_block *block = &code->blocks[top->block];

    if (block->successors != 2 || (next[0] != 0) == (next[1] != 0))
        return false;
    top->block = code->successors[block->first_successor + (next[1] != 0)];
    return true;
}

/* Pops entries that have reached their reconvergence point or whose work-items have all returned.
 * *done becomes true if the stack is empty. Call this function after each pm_paths_return,
 * pm_paths_jump and pm_paths_branch. */
pm_status pm_paths_settle(pm_paths *paths, const pm_kernel_code *code, bool *done, pm_error *err);

/* Returns true only if pm_paths_settle has nothing to do, because the top entry is not at a
 * reconvergence point. Returns false also in some cases in which pm_paths_settle has nothing to
 * do. */
static inline bool pm_paths_are_settled(const pm_paths *paths)
{
    const pm_path *top;

    if (paths->depth == 0)
        return false;
    top = pm_paths_top(paths);
    return top->mask != 0 && (top->mask & ~paths->live) == 0 && top->block != top->join &&
           top->loop == 0 && !top->merge;
}

#endif
