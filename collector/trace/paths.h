/* The ways that a warp's work-items have taken, and where they wait for each other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items that part at a branch run one side after the other and meet again: outside of loops at
 * the branch's immediate post-dominator, in a loop where all ways through its body come together,
 * whatever leaves the loop in between. What leaves it (a break, a return of an inlined function)
 * waits behind it. Where only some of the ways come together before that, as at the body of `if (a
 * || b)`, those meet there that go there. So NVIDIA's compilers have it: a branch has its own
 * places to meet (BSSY, BSYNC), and work-items that go elsewhere are taken off the list of those
 * that are waited for (BREAK; before compute capability 7.0 PBK and BRK).
 */
#ifndef PM_COLLECTOR_TRACE_PATHS_H
#define PM_COLLECTOR_TRACE_PATHS_H

#include "collector/trace/program.h"
#include "perfmodel.h"

/* Work-items that run block, up to join. All ways lead there that stay in a loop; 0: all do; or
 * those that stay between a branch and the merge that join is, if there is one. */
typedef struct {
    uint32_t block, join, loop;
    const pm_merge_point *merge;
    uint64_t mask;
} pm_path;

/* The last runs; those before it wait. */
typedef struct {
    pm_path *path;
    size_t depth, room;
    uint64_t live; /* work-items that have not returned */
} pm_paths;

/* false: out of memory. */
bool pm_paths_create(pm_paths *paths, const pm_kernel_code *code);
void pm_paths_free(pm_paths *paths);
/* All of live at the kernel's start. */
void pm_paths_start(pm_paths *paths, uint64_t live);

static inline pm_path *pm_paths_top(const pm_paths *paths)
{
    return &paths->path[paths->depth - 1];
}

/* The work-items that run return. */
void pm_paths_return(pm_paths *paths);
/* They all go to a block. */
void pm_paths_jump(pm_paths *paths, uint32_t block);
/* Those of next[k] go to successor k of the block that has run; *ways: to how many blocks. next is
 * changed. */
pm_status pm_paths_branch(pm_paths *paths, const pm_kernel_code *code, uint64_t *next,
                          unsigned *ways, pm_error *err);
/* After each of these: finds what runs next. *done: nothing does. */
pm_status pm_paths_settle(pm_paths *paths, const pm_kernel_code *code, bool *done, pm_error *err);

#endif
