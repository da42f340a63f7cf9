/* Executes the basic blocks of a kernel for a warp and counts the warp's events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/block_accesses.h"
#include "collector/engine/memory/coalescing.h"
#include "collector/engine/simt_stack.h"
#include "collector/engine/warp_state.h"
#include "collector/executor.h"

/* GPU address of the first warp's private memory. All buffers have lower addresses. */
#define PRIVATE_ADDRESS (UINT64_C(1) << 61)

/* Cost of a barrier on a CPU for each work-item, in passes of L1 (global wavefronts). The
 * compiler's loop over work-items ends at a barrier, and the next one begins. Fitted to times of
 * perfmodel's suite of programs with PoCL on 16 cores (docs/results.md). */
enum { LOOP_PASSES = 10 };

/* Maximum number of basic blocks of a warp's turn. The turn ends earlier after a basic block that
 * accesses global memory. */
enum { PATIENCE = 16 };
/* Number of consecutive waits ended by their time limit after which a warp counts as waiting for
 * ever. */
enum { MOST_EXPIRIES = 1000 };

pm_warp *pm_warp_create(const pm_launch_rules *rules, size_t place, pm_error *err)
{
    const pm_kernel_code *code = rules->code;
    pm_warp *warp = calloc(1, sizeof *warp);
    size_t private_bytes = code->private_bytes * rules->warp_width;

    if (warp) {
        warp->rules = rules;
        warp->home = PRIVATE_ADDRESS + place * ((private_bytes + PM_MEMORY_LINE - 1) /
                                                PM_MEMORY_LINE * PM_MEMORY_LINE);
        warp->frame = aligned_alloc(64, (code->frame_bytes + 63) / 64 * 64);
        warp->private_memory = aligned_alloc(64, (private_bytes + 64) / 64 * 64);
    }
    if (!warp || !pm_paths_create(&warp->paths, code) || !warp->frame || !warp->private_memory) {
        pm_fail(err, PM_FAILED, "%s: out of memory for a warp", code->name);
        pm_warp_free(warp);
        return NULL;
    }
    memset(warp->frame, 0, (code->frame_bytes + 63) / 64 * 64);
    memset(warp->private_memory, 0, (private_bytes + 64) / 64 * 64);
    return warp;
}

void pm_warp_free(pm_warp *warp)
{
    if (!warp)
        return;
    pm_paths_free(&warp->paths);
    free(warp->frame);
    free(warp->private_memory);
    free(warp);
}

static void put_ids(pm_warp *warp, const uint32_t local_size[3], uint32_t first)
{
    const unsigned width = warp->rules->warp_width;
    uint32_t *ids = (uint32_t *)(void *)warp->frame;
    uint32_t x = first % local_size[0], y = first / local_size[0] % local_size[1],
             z = first / local_size[0] / local_size[1];

    for (uint32_t lane = 0; lane < width; lane++) {
        ids[lane] = x;
        ids[width + lane] = y;
        ids[2 * width + lane] = z;
        x = x + 1 == local_size[0] ? 0 : x + 1;
        y += x == 0;
        y = y == local_size[1] ? 0 : y;
        z += x == 0 && y == 0;
    }
    warp->has_ids = true;
    warp->first_item = first;
}

void pm_warp_start(pm_warp *warp, const uint32_t local_size[3], uint32_t first, uint32_t count)
{
    if (!warp->has_ids || warp->first_item != first)
        put_ids(warp, local_size, first);
    pm_paths_start(&warp->paths, count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1);
    warp->steps = 0;
    warp->span = 0;
    warp->chain = (pm_warp_chain){0};
    warp->stretch = 0;
    warp->again = PM_AGAIN_NONE;
    warp->trying = 0;
    memset(warp->tried, 0, sizeof warp->tried);
    warp->waits = (pm_load_waits){.global = {0}};
    warp->drained = 0;
    warp->copy_awaited = warp->copies_issued = 0;
    warp->expired = false;
    warp->expiries = 0;
    warp->state = PM_WARP_READY;
}

pm_warp_state pm_warp_state_of(const pm_warp *warp)
{
    return warp->state;
}

uint32_t pm_warp_barrier(const pm_warp *warp)
{
    return warp->barrier;
}

uint32_t pm_warp_block(const pm_warp *warp)
{
    return pm_paths_top(&warp->paths)->block;
}

void pm_warp_try_again(pm_warp *warp)
{
    if (warp->state == PM_WARP_STUCK)
        warp->state = PM_WARP_READY;
}

bool pm_warp_made_progress(const pm_warp *warp)
{
    return warp->progress;
}

bool pm_warp_end_wait(pm_warp *warp)
{
    const pm_block *block = &warp->rules->code->blocks[pm_warp_block(warp)];

    warp->expired = block->waits_for == PM_WAITS_FOR_PHASE && warp->expiries++ < MOST_EXPIRIES;
    return warp->expired;
}

void pm_warp_pass_barrier(pm_warp *warp)
{
    const pm_kernel_code *code = warp->rules->code;

    pm_paths_jump(&warp->paths, code->successors[code->blocks[warp->barrier].first_successor]);
    warp->state = PM_WARP_READY;
}

uint64_t pm_warp_take_span(pm_warp *warp)
{
    const uint64_t span = warp->span;

    warp->span = 0;
    return span;
}

/* ---- counting ----------------------------------------------------------------------------- */

/* Returns the number of times that each instruction of a basic block executes for the work-items in
 * `mask`: 1 on a GPU, and on a CPU 1 for each vector of work-items. */
static unsigned times_of(const pm_launch_rules *rules, const pm_block *block, uint64_t mask)
{
    const unsigned lanes = rules->loop_window ? pm_block_lanes(rules, block) : rules->warp_width;

    return lanes < rules->warp_width ? (pm_mask_count(mask) + lanes - 1) / lanes : 1;
}

/* Checks the accesses of a basic block that has executed for the work-items in `mask`, and counts
 * them if tally->unit is not NULL. */
static pm_status see_accesses(pm_warp *warp, const pm_block *block, uint64_t mask, uint32_t group,
                              const pm_bulk_copies *bulk, const pm_tally *tally,
                              const pm_scratch *scratch, pm_error *err)
{
    const pm_executing who = {.mask = mask, .group = group, .home = warp->home, .bulk = bulk};

    return tally->unit ? pm_block_count_accesses(warp->rules, block, &who, tally, scratch,
                                                 &warp->waits, err)
                       : pm_block_check_accesses(warp->rules, block, &who, tally, scratch, err);
}

static void count_block(pm_warp *warp, uint32_t number, uint64_t mask, const pm_tally *tally)
{
    const pm_launch_rules *rules = warp->rules;
    const pm_block *block = &rules->code->blocks[number];
    const unsigned times = times_of(rules, block, mask);

    if (!tally->unit)
        return;
    warp->span += times * (uint64_t)(PM_DEPENDENT_CYCLES * block->mix.depth + block->mix.total);
    if (rules->loop_window) {
        warp->chain.times = times > warp->chain.times ? times : warp->chain.times;
        warp->chain.length += times * block->mix.total;
        warp->chain.depth += times * block->latency;
    }
    tally->blocks[number].warps += times;
    tally->blocks[number].work_items += pm_mask_count(mask);
    tally->blocks[number].skipped += mask == 0 ? times : 0;
    if (block->end != PM_END_BARRIER && block->waits_for != PM_WAITS_FOR_NAMED)
        return;
    tally->events[PM_AGAIN_NONE].count[PM_EVENT_barrier]++;
    /* Adds the cost of a barrier on a CPU. There the loop over work-items ends and stores the live
     * values of each work-item, and the next loop loads them again. */
    if (rules->loop_window)
        tally->events[PM_AGAIN_NONE].count[PM_EVENT_global_wavefront] +=
            LOOP_PASSES * (uint64_t)pm_mask_count(mask);
}

/* Called at a barrier. If the device is a CPU, counts the latencies of dependent instructions and
 * the waits for loads since the last barrier. The core's instruction window holds instructions of
 * several work-items or vectors, which overlap. Only the fraction `alone` of the latencies does not
 * overlap: the number of instructions of one work-item or vector, divided by the size of the
 * window. */
static void end_chain(pm_warp *warp, const pm_tally *tally)
{
    const unsigned window = warp->rules->loop_window;
    const pm_warp_chain *c = &warp->chain;
    uint64_t *count = tally->events[PM_AGAIN_NONE].count;

    if (window > 0) {
        const double alone = fmin(1, c->length / fmax(c->times, 1) / window);

        count[PM_EVENT_inst_depth] += (uint64_t)(c->depth * alone + 0.5);
        count[PM_EVENT_load_wait] += (uint64_t)(c->loads * alone + 0.5);
        count[PM_EVENT_load_wait_miss] += (uint64_t)(c->misses * alone + 0.5);
    }
    warp->chain = (pm_warp_chain){0};
}

static pm_status count_sides(pm_warp *warp, const pm_block *block, const uint64_t *next,
                             const pm_tally *tally, const pm_scratch *scratch, pm_error *err);

/* Counts the instructions of the basic blocks from `at` up to `join` although no work-item of the
 * warp takes this path, because the GPU issues them under a predicate. */
static pm_status count_skipped(pm_warp *warp, uint32_t at, uint32_t join, const pm_tally *tally,
                               const pm_scratch *scratch, pm_error *err)
{
    const pm_kernel_code *code = warp->rules->code;

    while (at != join) {
        const pm_block *block = &code->blocks[at];

        count_block(warp, at, 0, tally);
        if (see_accesses(warp, block, 0, 0, NULL, tally, scratch, err) != PM_OK)
            return err->status;
        if (block->predicated && count_sides(warp, block, NULL, tally, scratch, err) != PM_OK)
            return err->status;
        at = block->predicated ? block->join : code->successors[block->first_successor];
    }
    return PM_OK;
}

/* Counts the instructions on those sides of a predicated branch that no work-item takes. The GPU
 * executes both sides under a predicate, so each warp issues the instructions of both. next[k]:
 * mask of the work-items that continue at successor k; NULL: no work-item takes any side. */
static pm_status count_sides(pm_warp *warp, const pm_block *block, const uint64_t *next,
                             const pm_tally *tally, const pm_scratch *scratch, pm_error *err)
{
    const uint32_t *ways = &warp->rules->code->successors[block->first_successor];

    for (uint32_t k = 0; k < block->successors; k++)
        if ((!next || next[k] == 0) &&
            count_skipped(warp, ways[k], block->join, tally, scratch, err) != PM_OK)
            return err->status;
    return PM_OK;
}

/* ---- control flow ------------------------------------------------------------------------- */

static pm_status branch(pm_warp *warp, uint32_t number, uint64_t *next, const pm_tally *tally,
                        pm_error *err)
{
    const pm_block *block = &warp->rules->code->blocks[number];
    unsigned ways;

    if (pm_paths_follow(&warp->paths, warp->rules->code, next))
        return PM_OK;
    if (pm_paths_branch(&warp->paths, warp->rules->code, next, &ways, err) != PM_OK)
        return err->status;
    if (!tally->unit)
        return PM_OK;
    tally->blocks[number].parted += ways > 1;
    if (!block->predicated)
        tally->events[block->again].count[PM_EVENT_divergent_branch] += ways > 1;
    return PM_OK;
}

/* Returns whether all work-items of the warp that are not in `mask` have only a return from the
 * kernel left to execute. */
static bool others_end(const pm_warp *warp, uint64_t mask)
{
    uint64_t others = warp->paths.live & ~mask;

    for (size_t at = warp->paths.depth; at-- > 0 && others != 0;) {
        const pm_path *path = &warp->paths.path[at];
        const pm_block *block = &warp->rules->code->blocks[path->block];

        if ((path->mask & others) && (block->end != PM_END_RETURN || block->sites > 0))
            return false;
        others &= ~path->mask;
    }
    return true;
}

/* Makes the warp wait at a barrier. Fails if not all work-items of the warp have reached the
 * barrier. Work-items of a CUDA kernel that only return from the kernel need not reach it. */
static pm_status reach_barrier(pm_warp *warp, uint32_t block, uint64_t mask, pm_error *err)
{
    const pm_launch_rules *rules = warp->rules;

    if (mask != warp->paths.live && !(rules->code->is_cuda && others_end(warp, mask)))
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: kernel %s: not all work-items of a work-group reach this barrier: "
                       "move it out of the branch",
                       rules->source_path, rules->code->blocks[block].line, rules->code->name);
    warp->state = PM_WARP_AT_BARRIER;
    warp->barrier = block;
    return PM_OK;
}

static pm_status finish_block(pm_warp *warp, uint32_t number, uint64_t *next, const pm_tally *tally,
                              const pm_scratch *scratch, pm_error *err)
{
    const pm_kernel_code *code = warp->rules->code;
    const pm_block *block = &code->blocks[number];
    bool done;

    switch (block->end) {
    case PM_END_RETURN:
        pm_paths_return(&warp->paths);
        break;
    case PM_END_JUMP:
        pm_paths_jump(&warp->paths, code->successors[block->first_successor]);
        break;
    case PM_END_BARRIER:
        return reach_barrier(warp, number, pm_paths_top(&warp->paths)->mask, err);
    case PM_END_BRANCH:
        if (tally->unit && block->predicated &&
            count_sides(warp, block, next, tally, scratch, err) != PM_OK)
            return err->status;
        if (branch(warp, number, next, tally, err) != PM_OK)
            return err->status;
    }
    if (pm_paths_are_settled(&warp->paths))
        return PM_OK;
    if (pm_paths_settle(&warp->paths, code, &done, err) != PM_OK)
        return err->status;
    if (done)
        warp->state = PM_WARP_DONE;
    return PM_OK;
}

/* Records that the warp enters a compare-and-swap retry loop, if the basic block is in a retry loop
 * and the warp's previous basic block was in another one or in none. */
static void count_entry(pm_warp *warp, const pm_block *block, const pm_tally *tally)
{
    const uint32_t trying = block->again ? block->loop : 0;

    if (trying && trying != warp->trying) {
        pm_contest_enter(tally->contests[block->again], !warp->tried[block->again]);
        warp->tried[block->again] = true;
    }
    warp->trying = trying;
}

/* Called after the code of a basic block that waits for a condition (pm_block.waits_for). Returns
 * whether the block must be executed again, because the condition does not hold and the time limit
 * of the wait is not over. */
static bool must_wait(pm_warp *warp, const pm_group_context *group)
{
    if (*group->unready && !warp->expired)
        return true;
    if (!*group->unready)
        warp->expiries = 0;
    warp->expired = false;
    return false;
}

/* Raises the error of a bulk copy that a basic block has issued. */
static pm_status refuse_copy(const pm_launch_rules *rules, const pm_block *block,
                             const pm_bulk_copies *bulk, pm_error *err)
{
    const unsigned line = block->sites ? rules->code->sites[block->first_site].line : block->line;

    return pm_fail(err, PM_BAD_INPUT, "%s:%u: kernel %s: this bulk copy cannot be executed: %s",
                   rules->source_path, line, rules->code->name, bulk->fault);
}

/* Executes one basic block of the kernel. No other warp runs between the load and the atomic of a
 * compare-and-swap retry loop, so that no attempt fails because of other warps; atomic_retries.h
 * estimates the cost of contention. *global becomes true if the block accesses global memory
 * outside of a retry loop. *between becomes true if the warp is between the load and the atomic, so
 * that no other warp may run now. */
static pm_status step(pm_warp *warp, const pm_group_context *group, const pm_tally *tally,
                      const pm_scratch *scratch, bool *global, bool *between, pm_error *err)
{
    const pm_launch_rules *rules = warp->rules;
    const uint32_t number = pm_paths_top(&warp->paths)->block;
    const uint64_t mask = pm_paths_top(&warp->paths)->mask;
    const pm_block *block = &rules->code->blocks[number];

    if (++warp->steps > rules->step_limit)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: kernel %s: a warp has run %llu " PM_SAYS_ENDLESS
                       "; a longer one needs a higher --step-limit",
                       rules->source_path, block->line, rules->code->name,
                       (unsigned long long)rules->step_limit);
    if (rules->longest && warp->steps > *rules->longest)
        *rules->longest = warp->steps;
    if (tally->unit && (block->stretch == number || block->stretch != warp->stretch ||
                        (block->begins && pm_unit_keeps_branches(tally->unit))))
        pm_warp_count_waits(warp, tally);
    warp->stretch = block->stretch;
    warp->again = block->again;
    if (tally->unit)
        count_entry(warp, block, tally);
    *group->unready = false;
    group->bulk->span_count = 0;
    group->bulk->awaited.copy = 0;
    group->bulk->warp = warp;
    block->code[tally->code](warp->frame, warp->private_memory, mask, group, scratch->addresses,
                             scratch->next);
    if (block->waits_for != PM_WAITS_FOR_NOTHING && must_wait(warp, group)) {
        warp->state = PM_WARP_STUCK;
        warp->steps--;
        return PM_OK;
    }
    if (group->bulk->fault)
        return refuse_copy(rules, block, group->bulk, err);
    warp->progress = true;
    count_block(warp, number, mask, tally);
    if (see_accesses(warp, block, mask, group->number, group->bulk, tally, scratch, err) != PM_OK)
        return err->status;
    if (tally->unit)
        pm_warp_count_async_wait(warp, block, tally);
    if (tally->unit)
        pm_warp_count_bulk_wait(warp, group->bulk, tally);
    *global = block->global && !block->again;
    *between = block->again && block->end == PM_END_JUMP;
    if (finish_block(warp, number, scratch->next, tally, scratch, err) != PM_OK)
        return err->status;
    if (tally->unit && warp->state != PM_WARP_READY) {
        pm_warp_count_waits(warp, tally);
        end_chain(warp, tally);
    }
    return PM_OK;
}

pm_status pm_warp_run(pm_warp *warp, const pm_group_context *group, const pm_tally *tally,
                      const pm_scratch *scratch, pm_error *err)
{
    bool global = false, between = false, done;

    warp->progress = false;

    /* If the barrier at which the warp stopped is a reconvergence point, the SIMT stack must be
     * updated before the warp continues. */
    if (!pm_paths_are_settled(&warp->paths) &&
        pm_paths_settle(&warp->paths, warp->rules->code, &done, err) != PM_OK)
        return err->status;
    for (int i = 0; ((i < PATIENCE && !global) || between) && warp->state == PM_WARP_READY; i++)
        if (step(warp, group, tally, scratch, &global, &between, err) != PM_OK)
            return err->status;
    return PM_OK;
}
