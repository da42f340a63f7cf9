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
#include "collector/executor.h"

/* Latencies in cycles from which a warp's execution time (span) is estimated. DEPENDENT: an
 * arithmetic instruction on which the next one depends. LOAD and MISS: waits for loads that hit and
 * that miss L1. SHARED: waits for loads from shared memory. The latencies are those of NVIDIA's
 * GPUs from Volta on (sources in model/units/work.c). The estimate is used only to see how much
 * longer some warps take than others, so the same numbers serve for all GPUs. */
enum { DEPENDENT_CYCLES = 4, LOAD_CYCLES = 35, MISS_CYCLES = 215, SHARED_CYCLES = 30 };

/* GPU address of the first warp's private memory. All buffers have lower addresses. */
#define PRIVATE_ADDRESS (UINT64_C(1) << 61)

/* Cost of a barrier on a CPU for each work-item, in passes of L1 (global wavefronts). The
 * compiler's loop over work-items ends at a barrier, and the next one begins. Fitted to times of
 * perfmodel's suite of programs with PoCL on 16 cores (docs/results.md). */
enum { LOOP_PASSES = 10 };

/* Instructions of a warp between two barriers on a CPU core, which executes the warp's work-items
 * one after the other or as lanes of vectors. length: number of instructions. depth: latency of the
 * instructions that must execute one after the other. times: number of work-items or vectors that
 * execute one after the other, found as the largest number of times that one basic block was
 * executed; 1 if all work-items are lanes of one vector. */
typedef struct {
    double length, depth;
    unsigned times;
    /* loads: number of waits for loads; misses: number of these waits in which a load misses the
     * core's cache */
    unsigned loads, misses;
} chain;

/* Maximum number of basic blocks of a warp's turn. The turn ends earlier after a basic block that
 * accesses global memory. */
enum { PATIENCE = 16 };
/* Number of consecutive waits ended by their time limit after which a warp counts as waiting for
 * ever. */
enum { MOST_EXPIRIES = 1000 };

struct pm_warp {
    const pm_launch_rules *rules;
    uint8_t *frame, *private_memory;
    uint64_t home; /* GPU address of `private_memory` */
    /* true: the local ids in the frame are already those of the work-items from first_item on */
    bool has_ids;
    uint32_t first_item;
    pm_paths paths;
    uint64_t steps;
    /* estimated cycles that the warp alone would take, since the last pm_warp_take_span */
    uint64_t span;
    chain chain;
    uint32_t stretch;
    /* Kind of the compare-and-swap retry loop around the scheduling region in which the warp is. A
     * scheduling region is code that the compiler reorders as one sequence. */
    pm_again again;
    uint32_t trying; /* index of the compare-and-swap retry loop that the warp is in; 0: none */
    /* tried[kind]: true if the warp has entered a compare-and-swap retry loop of this kind
     * (pm_again: on shared or on global memory) */
    bool tried[PM_AGAIN_KINDS];
    /* waits for loads in the scheduling region (code that the compiler reorders as one sequence) in
     * which the warp is */
    pm_load_waits waits;
    /* true: in its last turn the warp has executed at least one basic block that need not be
     * executed again; false: it has only waited */
    bool progress;
    bool expired;      /* true: the time limit of the wait in the next basic block counts as over */
    unsigned expiries; /* number of consecutive waits that were ended by their time limit */
    /* number of waits for asynchronous copies since the last one that was counted */
    unsigned drained;
    /* At the warp's last counted wait for bulk copies: number of the copy that it waited for, and
     * number of copies that the work-group had issued. */
    uint32_t copy_awaited, copies_issued;
    pm_warp_state state;
    uint32_t barrier;
};

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
    warp->chain = (chain){0};
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

/* Called when the warp leaves a scheduling region (code that the compiler reorders as one
 * sequence). Adds the region's waits for loads to the events, and clears the record of waits. */
static void count_waits(pm_warp *warp, const pm_tally *tally)
{
    pm_events *events = &tally->events[warp->again];
    const pm_load_waits *w = &warp->waits;

    if (!(w->global.all | w->own.all | w->shared.all))
        return;
    const unsigned loads = pm_mask_count(w->global.all) + pm_mask_count(w->own.all);
    const unsigned misses = pm_mask_count(w->global.missed) + pm_mask_count(w->own.missed);
    const unsigned in_shared = pm_mask_count(w->shared.all);

    if (warp->rules->loop_window) {
        warp->chain.loads += loads;
        warp->chain.misses += misses;
    } else {
        events->count[PM_EVENT_load_wait] += loads;
        events->count[PM_EVENT_load_wait_miss] += misses;
    }
    events->count[PM_EVENT_shared_wait] += in_shared;
    warp->span += (uint64_t)loads * LOAD_CYCLES + (uint64_t)misses * MISS_CYCLES +
                  (uint64_t)in_shared * SHARED_CYCLES;
    warp->waits = (pm_load_waits){.async = w->async};
}

/* Called at a wait for asynchronous copies. If a copy must be complete only after `drains` such
 * waits, the copies that started between them are in flight together. These copies are counted as
 * one wait for loads, at the last of the `drains` waits. */
static void count_async_wait(pm_warp *warp, const pm_block *block, const pm_tally *tally)
{
    pm_events *events = &tally->events[PM_AGAIN_NONE];
    pm_waits *w = &warp->waits.async;

    if (block->drains == 0 || !w->all || ++warp->drained < block->drains)
        return;
    events->count[PM_EVENT_load_wait]++;
    events->count[PM_EVENT_load_wait_miss] += w->missed != 0;
    warp->span += LOAD_CYCLES + (w->missed ? MISS_CYCLES : 0);
    warp->drained = 0;
    *w = (pm_waits){0};
}

/* Returns whether a warp that finds a phase complete must wait for the latency of the phase's bulk
 * copies. It need not if the copies were already in flight at its last such wait. If the warp has
 * issued a copy itself, this follows from the order of its instructions. A copy of another warp is
 * taken as issued as soon as the barrier was free: the previous copy that has arrived there was
 * waited for. */
static bool is_late(const pm_warp *warp, const pm_bulk_arrival *arrival)
{
    return arrival->issuer == warp ? arrival->copy > warp->copies_issued
                                   : arrival->before >= warp->copy_awaited;
}

/* Called after a basic block in which the warp may have found a phase of a barrier complete. Counts
 * a wait for loads if the warp must wait for bulk copies. */
static void count_bulk_wait(pm_warp *warp, const pm_bulk_copies *bulk, const pm_tally *tally)
{
    pm_events *events = &tally->events[PM_AGAIN_NONE];
    const pm_bulk_arrival *arrival = &bulk->awaited;

    if (arrival->copy <= warp->copy_awaited || !is_late(warp, arrival))
        return;
    events->count[PM_EVENT_load_wait]++;
    events->count[PM_EVENT_load_wait_miss]++;
    warp->span += LOAD_CYCLES + MISS_CYCLES;
    warp->copies_issued = bulk->issued;
    warp->copy_awaited = arrival->copy;
}

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
    warp->span += times * (uint64_t)(DEPENDENT_CYCLES * block->mix.depth + block->mix.total);
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
    const chain *c = &warp->chain;
    uint64_t *count = tally->events[PM_AGAIN_NONE].count;

    if (window > 0) {
        const double alone = fmin(1, c->length / fmax(c->times, 1) / window);

        count[PM_EVENT_inst_depth] += (uint64_t)(c->depth * alone + 0.5);
        count[PM_EVENT_load_wait] += (uint64_t)(c->loads * alone + 0.5);
        count[PM_EVENT_load_wait_miss] += (uint64_t)(c->misses * alone + 0.5);
    }
    warp->chain = (chain){0};
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
        count_waits(warp, tally);
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
        count_async_wait(warp, block, tally);
    if (tally->unit)
        count_bulk_wait(warp, group->bulk, tally);
    *global = block->global && !block->again;
    *between = block->again && block->end == PM_END_JUMP;
    if (finish_block(warp, number, scratch->next, tally, scratch, err) != PM_OK)
        return err->status;
    if (tally->unit && warp->state != PM_WARP_READY) {
        count_waits(warp, tally);
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
