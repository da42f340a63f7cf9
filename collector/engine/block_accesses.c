/* Checks and counts the memory accesses of a basic block. See block_accesses.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This runs for every memory instruction of every warp. An instruction mostly repeats the pattern
 * of its last addresses. One call compares the patterns of all memory instructions of a basic
 * block. Accesses to shared memory with a known pattern then cost a look-up.
 */
#include "collector/engine/block_accesses.h"

#include "base/error.h"
#include "collector/engine/group_strides.h"
#include "collector/engine/memory/coalescing.h"

/* number of memory instructions that one call of pm_patterns_repeated examines; it compares the
 * addresses of each instruction with those of the same instruction's last execution */
enum { CHUNK = 64 };

/* ---- plans ---------------------------------------------------------------------------------- */

/* Returns the index of a memory instruction + 1, as pm_warp_access.site stores it. 0 (unknown): the
 * number does not fit into 16 bits. */
static uint16_t site_number(uint32_t site)
{
    return site < UINT16_MAX ? (uint16_t)(site + 1) : 0;
}

/* Returns whether a load by this memory instruction makes the warp wait. While a CPU core waits for
 * a load, it executes instructions of the next work-items. Only loads whose address depends on
 * another load (site->wait > 0) therefore count as waits on a CPU. */
static bool waits_for(const pm_launch_rules *rules, const pm_site *site)
{
    return site->waits && (!rules->loop_window || site->wait > 0);
}

static void prepare(pm_access_plan *plan, const pm_launch_rules *rules, const pm_block *block,
                    uint32_t number, const pm_memory_unit *unit)
{
    const pm_site *site = &rules->code->sites[number];
    const bool as_global = site->through_l1 && pm_unit_reads_constants(unit);
    const bool joins = pm_unit_joins_words(unit);

    plan->access =
        (pm_warp_access){.space = as_global ? PM_SPACE_GLOBAL : site->space,
                         .kind = site->kind,
                         .read_only = site->read_only || as_global,
                         .fetch = rules->loop_window ? PM_FETCH_NONE : site->fetch,
                         .operand = site->operand,
                         .bypasses = site->bypasses,
                         .returns = site->waits,
                         .turn_wavefronts = site->turn_wavefronts,
                         .one_place = site->one_place,
                         .scalar = site->scalar,
                         .one_by_one = rules->loop_window && pm_block_lanes(rules, block) == 1,
                         .wraps = site->wraps,
                         .again = block->again == PM_AGAIN_GLOBAL,
                         .bytes = site->bytes,
                         .site = site_number(number)};
    plan->bytes = site->bytes;
    plan->joined = joins ? site->together : site->bytes;
    plan->is_joined = joins && site->together == 0;
    plan->waits = waits_for(rules, site);
    plan->bulk = site->bulk;
    plan->async = site->async && site->kind == PM_ACCESS_LOAD && !rules->loop_window;
    plan->access.bytes = plan->joined;
    plan->by_pattern = !plan->is_joined && !plan->bulk && block->again == PM_AGAIN_NONE &&
                       pm_unit_shared_by_pattern(unit, &plan->access);
    plan->access.bytes = plan->bytes;
    plan->place_mask = pm_unit_period(unit) - 1;
    plan->shared_event =
        site->kind == PM_ACCESS_LOAD ? PM_EVENT_shared_load : PM_EVENT_shared_store;
}

void pm_access_plans_prepare(pm_access_plan *plans, const pm_launch_rules *rules,
                             const pm_memory_unit *unit, pm_pattern *patterns, uint64_t *addresses)
{
    const pm_kernel_code *code = rules->code;

    for (size_t b = 0; b < code->block_count; b++) {
        const pm_block *block = &code->blocks[b];

        for (uint32_t i = 0; i < block->sites; i++) {
            const uint32_t number = block->first_site + i;

            prepare(&plans[number], rules, block, number, unit);
            plans[number].pattern = &patterns[number];
            plans[number].access.address = addresses + (size_t)i * rules->warp_width;
        }
    }
}

/* ---- waits ---------------------------------------------------------------------------------- */

static void wait_for(pm_waits *w, unsigned number, bool missed)
{
    uint64_t bit = (uint64_t)1 << (number < 63 ? number : 63);

    w->all |= bit;
    w->missed |= missed ? bit : 0;
}

/* Records that the warp waits for a load or atomic that was counted. */
static void wait_for_access(pm_load_waits *waits, const pm_access_plan *plan, const pm_site *site,
                            const pm_memory_unit *unit)
{
    if (plan->access.space == PM_SPACE_GLOBAL)
        wait_for(&waits->global, site->wait,
                 site->kind == PM_ACCESS_ATOMIC || pm_unit_is_slow(unit));
    if (site->space == PM_SPACE_PRIVATE)
        wait_for(&waits->own, site->wait, pm_unit_is_slow(unit));
    if (site->space == PM_SPACE_SHARED)
        wait_for(&waits->shared, site->wait, false);
}

/* ---- counting ------------------------------------------------------------------------------- */

static void count_executions(pm_site_count *count, unsigned work_items)
{
    count->executions += work_items > 0;
    count->work_items += work_items;
}

static pm_status count_access(const pm_launch_rules *rules, uint32_t site, pm_again again,
                              const pm_warp_access *access, unsigned work_items,
                              const pm_tally *tally, pm_error *err)
{
    pm_site_count *count = &tally->sites[site];
    bool ok = true;

    count->transactions += pm_unit_access(tally->unit, access, &tally->events[again], &ok);
    if (again && access->kind == PM_ACCESS_ATOMIC)
        pm_contest_see(tally->contests[again], access);
    count_executions(count, work_items);
    if (access->pattern && access->space == PM_SPACE_GLOBAL) {
        count->near += access->pattern->near;
        count->same = count->same || access->pattern->same;
    }
    return ok ? PM_OK
              : pm_fail(err, PM_FAILED, "%s: out of memory for the accesses", rules->code->name);
}

/* Counts an access to shared memory by the cost that was computed before for its address pattern.
 * Returns false if no cost was computed yet. */
static inline bool count_by_pattern(const pm_access_plan *plan, pm_site_count *count,
                                    pm_events *events)
{
    const pm_pattern *pattern = plan->pattern;
    const pm_pattern_cost *cost =
        pm_pattern_known(pattern, pattern->span.first & plan->place_mask, plan->joined);

    if (!cost)
        return false;
    events->count[plan->shared_event]++;
    events->count[PM_EVENT_shared_wavefront] += cost->banks.wavefronts;
    events->count[PM_EVENT_shared_bank_conflict] += cost->banks.conflicts;
    count->transactions += cost->banks.wavefronts;
    return true;
}

/* Counts one execution of memory instruction `number` of the kernel by a warp. plan: data for
 * counting this instruction; its members access and pattern describe the access. again: kind of the
 * compare-and-swap retry loop that contains the instruction. work_items: number of work-items that
 * make the access. */
static pm_status count_site(const pm_launch_rules *rules, pm_again again, uint32_t number,
                            pm_access_plan *plan, unsigned work_items, const pm_tally *tally,
                            pm_load_waits *waits, pm_error *err)
{
    pm_warp_access *access = &plan->access;
    pm_status status;

    if (tally->starts && access->mask && access->space == PM_SPACE_GLOBAL)
        pm_shift_see(&tally->starts[number], access->group,
                     access->address[__builtin_ctzll(access->mask)]);
    if (plan->is_joined) {
        count_executions(&tally->sites[number], work_items);
        return PM_OK;
    }
    access->bytes = plan->joined;
    status = count_access(rules, number, again, access, work_items, tally, err);
    access->bytes = plan->bytes;
    if (status == PM_OK && access->mask && plan->waits)
        wait_for_access(waits, plan, &rules->code->sites[number], tally->unit);
    if (status == PM_OK && access->mask && plan->async)
        wait_for(&waits->async, 0, pm_unit_is_slow(tally->unit));
    return status;
}

/* Checks a side of a bulk copy, its source or its destination, against its bounds. Counts it if
 * `plan` is not NULL; then the tally has a memory unit. waits: may be NULL if plan is. */
static pm_status see_bulk(const pm_launch_rules *rules, uint32_t number, const pm_executing *who,
                          pm_access_plan *plan, const pm_tally *tally, pm_load_waits *waits,
                          pm_error *err)
{
    const pm_site *site = &rules->code->sites[number];
    const bool in_shared = site->space == PM_SPACE_SHARED;
    bool ok = true, is_first = true;

    for (size_t k = 0; k < who->bulk->span_count; k++) {
        const pm_bulk_span *span = &who->bulk->spans[k];

        if (span->is_shared != in_shared)
            continue;
        if (pm_bounds_check_span(rules, number, span->address, span->bytes, err) != PM_OK)
            return err->status;
        if (!plan)
            continue;
        if (tally->starts && !in_shared && is_first)
            pm_shift_see(&tally->starts[number], who->group, span->address);
        is_first = false;
        plan->access.group = who->group;
        tally->sites[number].transactions +=
            pm_unit_access_bulk(tally->unit, &plan->access, span->address, span->bytes,
                                &tally->events[PM_AGAIN_NONE], &ok);
        if (!ok)
            return pm_fail(err, PM_FAILED, "%s: out of memory for the accesses", rules->code->name);
    }
    if (!plan)
        return PM_OK;
    count_executions(&tally->sites[number], pm_mask_count(who->mask));
    /* The memory of a copy is contiguous. It counts as two neighbouring work-items, so that the
     * copy is called coalesced. */
    if (!in_shared)
        tally->sites[number].near += 2 * (uint64_t)pm_mask_count(who->mask);
    /* a copy from shared memory is waited for by its group, and one to it at its barrier */
    if (plan->async && in_shared && waits)
        wait_for(&waits->async, 0, false);
    return PM_OK;
}

/* Counts the memory instructions of a predicated basic block that the warp issues although the
 * predicate is off for all of its work-items. */
static pm_status count_skipped(const pm_launch_rules *rules, const pm_block *block,
                               const pm_executing *who, const pm_tally *tally,
                               const pm_scratch *scratch, pm_load_waits *waits, pm_error *err)
{
    for (uint32_t i = 0; i < block->sites; i++) {
        const uint32_t number = block->first_site + i;
        pm_access_plan *plan = &scratch->plans[number];

        if (plan->bulk)
            continue;
        plan->access.mask = 0;
        plan->access.group = who->group;
        plan->access.home = who->home;
        plan->access.pattern = NULL;
        if (count_site(rules, block->again, number, plan, 0, tally, waits, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

/* Checks the accesses of the kernel's memory instructions first .. first + count - 1 against their
 * bounds, and counts them. count is at most CHUNK. */
static pm_status count_chunk(const pm_launch_rules *rules, const pm_block *block, uint32_t first,
                             uint32_t count, const pm_executing *who, const pm_tally *tally,
                             const pm_scratch *scratch, pm_load_waits *waits, pm_error *err)
{
    const unsigned work_items = pm_mask_count(who->mask), leader = __builtin_ctzll(who->mask);
    const uint64_t repeated =
        pm_patterns_repeated(&scratch->patterns[first], scratch->plans[first].access.address, count,
                             who->mask, rules->warp_width);

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = first + i;
        pm_access_plan *plan = &scratch->plans[number];
        pm_pattern *pattern = plan->pattern;

        if (plan->bulk) {
            if (see_bulk(rules, number, who, plan, tally, waits, err) != PM_OK)
                return err->status;
            continue;
        }
        plan->access.mask = who->mask;
        if (repeated >> i & 1)
            pattern->span.first = plan->access.address[leader];
        else
            pm_pattern_see(pattern, plan->access.address, who->mask,
                           plan->is_joined ? plan->bytes : plan->joined, rules->warp_width);
        plan->access.pattern = pattern;
        if (!pm_bounds_hold(rules, number, &pattern->span, plan->bytes) &&
            pm_bounds_check(rules, number, &plan->access, err) != PM_OK)
            return err->status;
        if (plan->by_pattern &&
            count_by_pattern(plan, &tally->sites[number], &tally->events[PM_AGAIN_NONE])) {
            count_executions(&tally->sites[number], work_items);
            if (plan->waits)
                wait_for(&waits->shared, rules->code->sites[number].wait, false);
            continue;
        }
        plan->access.group = who->group;
        plan->access.home = who->home;
        if (count_site(rules, block->again, number, plan, work_items, tally, waits, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

pm_status pm_block_count_accesses(const pm_launch_rules *rules, const pm_block *block,
                                  const pm_executing *who, const pm_tally *tally,
                                  const pm_scratch *scratch, pm_load_waits *waits, pm_error *err)
{
    if (!who->mask)
        return count_skipped(rules, block, who, tally, scratch, waits, err);
    for (uint32_t i = 0; i < block->sites; i += CHUNK) {
        const uint32_t left = block->sites - i;

        if (count_chunk(rules, block, block->first_site + i, left < CHUNK ? left : CHUNK, who,
                        tally, scratch, waits, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

pm_status pm_block_check_accesses(const pm_launch_rules *rules, const pm_block *block,
                                  const pm_executing *who, const pm_tally *tally,
                                  const pm_scratch *scratch, pm_error *err)
{
    for (uint32_t i = 0; who->mask && i < block->sites; i++) {
        const pm_site *site = &rules->code->sites[block->first_site + i];

        if (site->bulk) {
            if (see_bulk(rules, block->first_site + i, who, NULL, tally, NULL, err) != PM_OK)
                return err->status;
            continue;
        }
        const pm_warp_access access = {.space = site->space,
                                       .kind = site->kind,
                                       .bytes = site->bytes,
                                       .mask = who->mask,
                                       .address =
                                           scratch->addresses + (size_t)i * rules->warp_width};

        if (pm_bounds_check(rules, block->first_site + i, &access, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}
