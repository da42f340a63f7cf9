/* Maintains the SIMT stack of a warp: which work-items execute which basic block, and where they
 * reconverge.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/simt_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/memory/access.h"

bool pm_paths_create(pm_paths *paths, const pm_kernel_code *code)
{
    paths->room = 2 * code->block_count + PM_MAX_WARP;
    paths->path = calloc(paths->room, sizeof *paths->path);
    return paths->path != NULL;
}

void pm_paths_free(pm_paths *paths)
{
    free(paths->path);
}

void pm_paths_start(pm_paths *paths, uint64_t live)
{
    paths->live = live;
    paths->path[0] = (pm_path){.block = 0, .join = PM_NO_BLOCK, .mask = live};
    paths->depth = 1;
}

/* Inserts the entry `path` into the SIMT stack at index `at`, counted from the bottom. */
static pm_status insert(pm_paths *paths, const pm_kernel_code *code, size_t at, pm_path path,
                        pm_error *err)
{
    if (paths->depth == paths->room) {
        pm_path *grown = realloc(paths->path, 2 * paths->room * sizeof *grown);

        if (!grown)
            return pm_fail(err, PM_FAILED, "%s: out of memory for a warp's stack", code->name);
        paths->path = grown;
        paths->room *= 2;
    }
    memmove(&paths->path[at + 1], &paths->path[at], (paths->depth - at) * sizeof path);
    paths->path[at] = path;
    paths->depth++;
    return PM_OK;
}

/* ---- leaving loops and partial reconvergence points ------------------------------------ */

static bool is_in_loop(const pm_kernel_code *code, uint32_t block, unsigned loop)
{
    return pm_loop_is_within(code->loops, code->blocks[block].loop, loop);
}

/* Returns whether work-items of the stack entry `path` that continue at the basic block `block` can
 * no longer reach the entry's reconvergence point, because they have left the loop of the entry, or
 * the blocks from which its partial reconvergence point can be reached. */
static bool is_left(const pm_kernel_code *code, const pm_path *path, uint32_t block)
{
    if (path->merge)
        return block != path->join && !pm_is_before_merge(path->merge, block);
    return path->loop != 0 && !is_in_loop(code, block, path->loop);
}

/* Sets the reconvergence point of stack entry `path` to the reconvergence point of `other`. */
static void aim_as(pm_path *path, const pm_path *other)
{
    path->join = other->join;
    path->loop = other->loop;
    path->merge = other->merge;
}

/* Updates the stack when the work-items of the top entry bypass the partial reconvergence point at
 * which an entry below waits for them. The work-items are removed from the mask of the entry below.
 * The reconvergence point of that entry becomes their next reconvergence point. */
static void pass_by(pm_paths *paths)
{
    size_t outer = --paths->depth;
    pm_path *top = &paths->path[outer];

    while (outer > 0 && !(paths->path[--outer].mask & top->mask))
        ;
    paths->path[outer].mask &= ~top->mask;
    aim_as(top, &paths->path[outer]);
    paths->depth += top->block != top->join;
}

/* Updates the stack when the work-items in `mask` leave a loop and continue at the basic block
 * `block`. The work-items are removed from all entries that wait inside the loop. A new entry,
 * which continues after the loop, waits for them and for the work-items that are still in the
 * loop. */
static pm_status leave(pm_paths *paths, const pm_kernel_code *code, uint64_t mask, unsigned loop,
                       uint32_t block, pm_error *err)
{
    size_t outer = paths->depth - 1;
    pm_path on = {.block = block, .mask = mask}, wait;

    while (code->loops[loop].parent != 0 && !is_in_loop(code, block, code->loops[loop].parent))
        loop = code->loops[loop].parent;
    while (outer > 0 && !(paths->path[outer].mask & mask))
        outer--;
    for (; outer > 0 && is_left(code, &paths->path[outer], block); outer--)
        paths->path[outer].mask &= ~mask;
    wait = paths->path[outer];
    on.join = code->loops[loop].after;
    on.loop = code->loops[loop].parent;
    if (on.join == PM_NO_BLOCK || (wait.merge && is_left(code, &wait, on.join)))
        aim_as(&on, &wait);
    if (on.join != wait.join) {
        wait.block = on.join;
        if (insert(paths, code, outer++, wait, err) != PM_OK)
            return PM_FAILED;
    }
    aim_as(&paths->path[outer], &on);
    paths->path[outer].mask &= ~mask;
    return on.block == on.join ? PM_OK : insert(paths, code, paths->depth, on, err);
}

/* ---- branches ------------------------------------------------------------------------------- */

/* Combines equal successors of a branch, such as cases of a switch with the same code. The first of
 * the equal successors gets the work-items of all of these, and next[k] of the other ones becomes
 * 0. Returns the number of different successors at which work-items continue. */
static unsigned gather(const pm_kernel_code *code, const pm_block *block, uint64_t *next)
{
    const uint32_t *to = code->successors + block->first_successor;
    unsigned ways = 0;

    for (uint32_t k = 0; k < block->successors; k++) {
        for (uint32_t same = k + 1; next[k] != 0 && same < block->successors; same++)
            if (to[same] == to[k]) {
                next[k] |= next[same];
                next[same] = 0;
            }
        ways += next[k] != 0;
    }
    return ways;
}

/* Pushes a stack entry for each partial reconvergence point of the basic block's branch, with the
 * nearest point on top. *side, the stack entry for one side of the branch, gets the nearest point
 * as its reconvergence point. */
static pm_status wait_at_merges(pm_paths *paths, const pm_kernel_code *code, const pm_block *block,
                                uint64_t mask, pm_path *side, pm_error *err)
{
    for (uint32_t k = block->merges; k-- > 0;) {
        const pm_merge_point *merge = &code->merges[block->first_merge + k];
        pm_path wait = *side;

        wait.block = merge->block;
        wait.mask = mask;
        if (insert(paths, code, paths->depth, wait, err) != PM_OK)
            return PM_FAILED;
        *side = (pm_path){.join = merge->block, .merge = merge};
    }
    return PM_OK;
}

/* Splits the top entry of the stack at a divergent branch. The entry is replaced by one that waits
 * at the branch's reconvergence point, if work-items can reach that point. Above it, an entry for
 * each side of the branch is pushed, so that the first side runs first. */
static pm_status part(pm_paths *paths, const pm_kernel_code *code, const pm_block *block,
                      const uint64_t *next, pm_error *err)
{
    const uint32_t *to = code->successors + block->first_successor;
    pm_path meet = *pm_paths_top(paths), side = meet;

    paths->depth--;
    if (!meet.merge || !is_left(code, &meet, block->meet)) {
        meet.block = block->meet;
        if (meet.block != meet.join && insert(paths, code, paths->depth, meet, err) != PM_OK)
            return PM_FAILED;
        side = (pm_path){.join = block->meet, .loop = block->meet_loop};
    }
    if (wait_at_merges(paths, code, block, meet.mask, &side, err) != PM_OK)
        return PM_FAILED;
    for (uint32_t k = block->successors; k-- > 0;) {
        side.block = to[k];
        side.mask = next[k];
        if (side.mask != 0 && side.block != side.join &&
            insert(paths, code, paths->depth, side, err) != PM_OK)
            return PM_FAILED;
    }
    return PM_OK;
}

/* Executes a branch for the work-items that stay in the basic block's loop. next[k]: mask of the
 * work-items that continue at successor k. */
static pm_status go_on(pm_paths *paths, const pm_kernel_code *code, const pm_block *block,
                       const uint64_t *next, pm_error *err)
{
    unsigned ways = 0;
    uint32_t way = 0;

    for (uint32_t k = 0; k < block->successors; k++)
        if (next[k] != 0) {
            way = k;
            ways++;
        }
    if (ways > 1)
        return part(paths, code, block, next, err);
    if (ways == 1)
        pm_paths_jump(paths, code->successors[block->first_successor + way]);
    return PM_OK;
}

pm_status pm_paths_branch(pm_paths *paths, const pm_kernel_code *code, uint64_t *next,
                          unsigned *ways, pm_error *err)
{
    const pm_block *block = &code->blocks[pm_paths_top(paths)->block];
    const uint32_t *to = code->successors + block->first_successor;
    pm_path out[PM_MAX_WARP]; /* SIMT-stack entries for the work-items that leave the loop, at most
                                 one per work-item */
    unsigned outs = 0;

    *ways = gather(code, block, next);
    for (uint32_t k = 0; *ways > 1 && block->loop != 0 && k < block->successors; k++)
        if (next[k] != 0 && !is_in_loop(code, to[k], block->loop)) {
            out[outs++] = (pm_path){.block = to[k], .mask = next[k]};
            next[k] = 0;
        }
    if (go_on(paths, code, block, next, err) != PM_OK)
        return PM_FAILED;
    for (unsigned i = 0; i < outs; i++)
        if (leave(paths, code, out[i].mask, block->loop, out[i].block, err) != PM_OK)
            return PM_FAILED;
    return PM_OK;
}

void pm_paths_return(pm_paths *paths)
{
    pm_path *top = pm_paths_top(paths);

    paths->live &= ~top->mask;
    top->mask = 0;
}

void pm_paths_jump(pm_paths *paths, uint32_t block)
{
    pm_paths_top(paths)->block = block;
}

pm_status pm_paths_settle(pm_paths *paths, const pm_kernel_code *code, bool *done, pm_error *err)
{
    while (paths->depth > 0) {
        pm_path *top = pm_paths_top(paths);

        top->mask &= paths->live;
        if (top->mask == 0 || top->block == top->join)
            paths->depth--;
        else if (!is_left(code, top, top->block))
            break;
        else if (top->merge)
            pass_by(paths);
        else if (leave(paths, code, top->mask, top->loop, top->block, err) != PM_OK)
            return PM_FAILED;
    }
    *done = paths->depth == 0;
    return PM_OK;
}
