/* Counts the waits of a warp for loads and copies. See warp_state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/warp_state.h"

#include "collector/engine/memory/coalescing.h"

void pm_warp_count_waits(pm_warp *warp, const pm_tally *tally)
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
    warp->span += (uint64_t)loads * PM_LOAD_CYCLES + (uint64_t)misses * PM_MISS_CYCLES +
                  (uint64_t)in_shared * PM_SHARED_CYCLES;
    warp->waits = (pm_load_waits){.async = w->async};
}

void pm_warp_count_async_wait(pm_warp *warp, const pm_block *block, const pm_tally *tally)
{
    pm_events *events = &tally->events[PM_AGAIN_NONE];
    pm_waits *w = &warp->waits.async;

    if (block->drains == 0 || !w->all || ++warp->drained < block->drains)
        return;
    events->count[PM_EVENT_load_wait]++;
    events->count[PM_EVENT_load_wait_miss] += w->missed != 0;
    warp->span += PM_LOAD_CYCLES + (w->missed ? PM_MISS_CYCLES : 0);
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

void pm_warp_count_bulk_wait(pm_warp *warp, const pm_bulk_copies *bulk, const pm_tally *tally)
{
    pm_events *events = &tally->events[PM_AGAIN_NONE];
    const pm_bulk_arrival *arrival = &bulk->awaited;

    if (arrival->copy <= warp->copy_awaited || !is_late(warp, arrival))
        return;
    events->count[PM_EVENT_load_wait]++;
    events->count[PM_EVENT_load_wait_miss]++;
    warp->span += PM_LOAD_CYCLES + PM_MISS_CYCLES;
    warp->copies_issued = bulk->issued;
    warp->copy_awaited = arrival->copy;
}
