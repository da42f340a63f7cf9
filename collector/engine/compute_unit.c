/* Runs the work-groups that reside on one compute unit, whose warps take turns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/compute_unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/block_accesses.h"
#include "collector/engine/memory/address_pattern.h"

typedef struct {
    pm_group_context context;
    pm_warp **warps;
    pm_named_barrier named[PM_NAMED_BARRIERS];
    bool unready; /* target of context.unready */
    pm_bulk_copies bulk;
    bool busy;
    bool waits; /* true: the group waits for the other work-groups at a barrier of the grid */
    /* record of compare-and-swap retry loops on the group's shared memory; NULL: the kernel has
     * none */
    pm_contest *contest;
    /* cycles that the group would take if it ran alone, up to the last barrier that it has
     * reached */
    uint64_t span;
} place;

struct pm_compute_unit {
    const pm_launch_run *run;
    /* resident: number of resident work-groups; warps: number of warps of a work-group */
    unsigned resident, warps;
    place *places;
    uint8_t *shared;
    size_t shared_stride;
    _Alignas(64) uint8_t spare[PM_SPARE_BYTES];
    pm_scratch scratch;
    pm_next_group next;
    void *user;
    bool exhausted;
    bool planned;  /* scratch.plans is prepared */
    unsigned turn; /* index in `places` of the group whose warps run next */
};

/* SHARED_PADDING: least number of bytes between the shared memories of two work-groups.
 * SHARED_ALIGNMENT: largest alignment in bytes of shared variables, on which code may rely.
 * LOOP_TURNS: number of calls of pm_warp_run after which a warp's turn on a CPU core ends.
 * WARP_BYTES: bytes of a warp's state without its frame and its private memory. */
enum { SHARED_PADDING = 64, SHARED_ALIGNMENT = 1024, LOOP_TURNS = 1 << 14, WARP_BYTES = 4096 };

static uint32_t group_items(const pm_launch_run *run)
{
    return run->context.local_size[0] * run->context.local_size[1] * run->context.local_size[2];
}

/* A slot is the place of a resident work-group on the compute unit. Allocates the warps of a slot.
 * The function is called when the slot gets its first work-group and not earlier, because many
 * launches have fewer work-groups than a compute unit has slots. */
static pm_status create_place(pm_compute_unit *unit, place *at, pm_error *err)
{
    const bool contests = unit->run->rules.code->tries_again[PM_AGAIN_SHARED];
    const size_t number = (size_t)(at - unit->places);

    at->context = unit->run->context;
    at->context.shared = unit->shared + number * unit->shared_stride;
    at->context.spare = unit->spare;
    at->context.named = at->named;
    at->context.unready = &at->unready;
    at->context.bulk = &at->bulk;
    memset(at->context.shared, 0, unit->shared_stride);
    at->warps = calloc(unit->warps, sizeof(pm_warp *));
    if (contests)
        at->contest = pm_contest_create(unit->run->shared_bytes);
    if (!at->warps || (!at->contest && contests))
        return pm_fail(err, PM_FAILED, "out of memory for %u warps", unit->warps);
    for (unsigned w = 0; w < unit->warps; w++)
        if (!(at->warps[w] = pm_warp_create(&unit->run->rules, number * unit->warps + w, err)))
            return PM_FAILED;
    return PM_OK;
}

pm_compute_unit *pm_compute_unit_create(const pm_launch_run *run, unsigned resident, pm_error *err)
{
    const pm_kernel_code *code = run->rules.code;
    unsigned width = run->rules.warp_width;
    pm_compute_unit *unit = aligned_alloc(64, (sizeof *unit + 63) / 64 * 64);

    if (!unit) {
        pm_fail(err, PM_FAILED, "out of memory for a compute unit");
        return NULL;
    }
    memset(unit, 0, sizeof *unit);
    unit->run = run;
    unit->resident = resident;
    unit->warps = (group_items(run) + width - 1) / width;
    unit->shared_stride = (run->shared_bytes + SHARED_PADDING + SHARED_ALIGNMENT - 1) /
                          SHARED_ALIGNMENT * SHARED_ALIGNMENT;
    unit->shared = aligned_alloc(SHARED_ALIGNMENT, unit->shared_stride * resident);
    unit->places = calloc(resident, sizeof *unit->places);
    unit->scratch.addresses = calloc((size_t)code->most_sites * width + 1, sizeof(uint64_t));
    unit->scratch.next = calloc((size_t)code->most_successors + 1, sizeof(uint64_t));
    unit->scratch.patterns = calloc(code->site_count + 1, sizeof *unit->scratch.patterns);
    unit->scratch.plans = calloc(code->site_count + 1, sizeof *unit->scratch.plans);
    if (!unit->shared || !unit->places || !unit->scratch.addresses || !unit->scratch.next ||
        !unit->scratch.patterns || !unit->scratch.plans) {
        pm_fail(err, PM_FAILED, "%s: out of memory for %u work-groups", code->name, resident);
        pm_compute_unit_free(unit);
        return NULL;
    }
    return unit;
}

size_t pm_compute_unit_bytes(const pm_launch_run *run, size_t resident)
{
    const pm_kernel_code *code = run->rules.code;
    const size_t width = run->rules.warp_width, warps = (group_items(run) + width - 1) / width;

    return resident * (run->shared_bytes +
                       warps * (code->frame_bytes + code->private_bytes * width + WARP_BYTES));
}

void pm_compute_unit_free(pm_compute_unit *unit)
{
    if (!unit)
        return;
    for (unsigned p = 0; unit->places && p < unit->resident; p++) {
        for (unsigned w = 0; unit->places[p].warps && w < unit->warps; w++)
            pm_warp_free(unit->places[p].warps[w]);
        free(unit->places[p].warps);
        pm_contest_free(unit->places[p].contest);
        free(unit->places[p].bulk.spans);
    }
    free(unit->places);
    free(unit->shared);
    free(unit->scratch.addresses);
    free(unit->scratch.next);
    free(unit->scratch.patterns);
    free(unit->scratch.plans);
    free(unit);
}

/* Starts the next work-group of the launch in a free slot (place for a resident work-group on the
 * compute unit). If no work-group is left, the slot stays free. */
static pm_status fill(pm_compute_unit *unit, place *at, pm_error *err)
{
    const pm_launch_run *run = unit->run;
    uint32_t items = group_items(run), width = run->rules.warp_width;
    uint64_t group;

    at->busy = !unit->exhausted && unit->next(unit->user, &group);
    if (!at->busy) {
        unit->exhausted = true;
        return PM_OK;
    }
    if (!at->warps && create_place(unit, at, err) != PM_OK)
        return err->status;
    at->context.number = (uint32_t)group;
    at->context.group[0] = (uint32_t)(group % run->context.groups[0]);
    at->context.group[1] = (uint32_t)(group / run->context.groups[0] % run->context.groups[1]);
    at->context.group[2] = (uint32_t)(group / run->context.groups[0] / run->context.groups[1]);
    memset(at->named, 0, sizeof at->named);
    memset(at->bulk.arrivals, 0, sizeof at->bulk.arrivals);
    at->bulk.issued = 0;
    for (uint32_t w = 0; w < unit->warps; w++) {
        uint32_t left = items - w * width;

        pm_warp_start(at->warps[w], run->context.local_size, w * width,
                      left < width ? left : width);
    }
    return PM_OK;
}

pm_status pm_compute_unit_start(pm_compute_unit *unit, pm_next_group next, void *user,
                                pm_error *err)
{
    pm_status status = PM_OK;

    unit->next = next;
    unit->user = user;
    unit->exhausted = false;
    unit->turn = 0;
    for (unsigned p = 0; status == PM_OK && p < unit->resident; p++)
        status = fill(unit, &unit->places[p], err);
    return status;
}

/* Called when all warps of a work-group have reached a barrier or ended. Adds the cycles that the
 * slowest warp has taken since the last barrier to the group's cycles. */
static void add_span(const pm_compute_unit *unit, place *at, pm_events *events)
{
    uint64_t most = 0;

    for (unsigned w = 0; w < unit->warps; w++) {
        const uint64_t span = pm_warp_take_span(at->warps[w]);

        events->count[PM_EVENT_warp_span] += span;
        most = span > most ? span : most;
    }
    at->span += most;
}

static void end_span(place *at, pm_events *events)
{
    uint64_t *longest = &events->count[PM_EVENT_longest_span];

    events->count[PM_EVENT_group_span] += at->span;
    *longest = at->span > *longest ? at->span : *longest;
    at->span = 0;
}

/* Called when a work-group ends. Adds to the tally the group's attempts in compare-and-swap retry
 * loops on shared memory, including the estimated additional attempts that contention causes. */
static void end_contest(place *at, const pm_tally *tally)
{
    double others;
    const double warps = pm_contest_warps(at->contest);
    pm_attempts attempts = pm_contest_take(at->contest, 1, &others);

    pm_contest_in_group(&attempts, others, warps);
    pm_attempts_add(tally->in_shared, &attempts);
}

/* Continues the warps of a work-group that wait at a barrier. */
static void pass_barrier(const pm_compute_unit *unit, const place *at)
{
    for (unsigned w = 0; w < unit->warps; w++)
        if (pm_warp_state_of(at->warps[w]) == PM_WARP_AT_BARRIER)
            pm_warp_pass_barrier(at->warps[w]);
}

/* Continues a work-group if all of its warps wait at a barrier or have ended. CUDA's barriers do
 * not wait for warps that have ended (Wong et al. 2010, Demystifying GPU Microarchitecture through
 * Microbenchmarking). OpenCL requires that all work-items reach a barrier (OpenCL 1.2, section
 * 6.12.8). */
static pm_status settle(pm_compute_unit *unit, place *at, const pm_tally *tally, pm_error *err)
{
    const pm_launch_rules *rules = &unit->run->rules;
    unsigned waiting = 0;
    uint32_t barrier = PM_NO_BLOCK;
    bool same = true;

    for (unsigned w = 0; w < unit->warps; w++)
        if (pm_warp_state_of(at->warps[w]) == PM_WARP_AT_BARRIER) {
            uint32_t here = pm_warp_barrier(at->warps[w]);

            same = same && (barrier == PM_NO_BLOCK || here == barrier);
            barrier = here;
            waiting++;
        }
    if (tally->unit)
        add_span(unit, at, tally->events);
    if (waiting == 0) {
        if (tally->unit)
            end_span(at, tally->events);
        if (tally->unit && at->contest)
            end_contest(at, tally);
        return fill(unit, at, err);
    }
    if (!same || (waiting < unit->warps && !rules->code->is_cuda))
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: kernel %s: not all work-items of a work-group reach this barrier: "
                       "move it out of the branch",
                       rules->source_path, rules->code->blocks[barrier].line, rules->code->name);
    at->waits = rules->code->blocks[barrier].grid;
    if (!at->waits)
        pass_barrier(unit, at);
    return PM_OK;
}

/* Runs a warp for one turn. A GPU's turn ends at an access to global memory. A CPU core runs
 * work-items up to the next barrier, so a turn does not end at an access to global memory. It ends
 * at the barrier, or after LOOP_TURNS calls of pm_warp_run, a limit that keeps the queue of L2
 * requests short. */
static pm_status run_warp(const pm_compute_unit *unit, place *at, unsigned w, const pm_tally *tally,
                          pm_error *err)
{
    const unsigned turns = unit->run->rules.loop_window ? LOOP_TURNS : 1;

    for (unsigned t = 0; t < turns && pm_warp_state_of(at->warps[w]) == PM_WARP_READY; t++)
        if (pm_warp_run(at->warps[w], &at->context, tally, &unit->scratch, err) != PM_OK)
            return err->status;
    return PM_OK;
}

/* Ends those waits of a work-group's warps that have a time limit (mbarrier.try_wait), as if the
 * limit were over. The function is called if no warp of the group can continue: each has ended,
 * waits at a barrier of the work-group, or waits for a condition that does not hold
 * (pm_block.waits_for). Fails if no wait has a limit, because the work-group then waits for
 * ever. */
static pm_status end_limited_waits(const pm_compute_unit *unit, place *at, pm_error *err)
{
    const pm_launch_rules *rules = &unit->run->rules;
    const pm_warp *stuck = NULL;
    bool ended = false;

    for (unsigned w = 0; w < unit->warps; w++)
        if (pm_warp_state_of(at->warps[w]) == PM_WARP_STUCK) {
            stuck = at->warps[w];
            ended = pm_warp_end_wait(at->warps[w]) || ended;
        }
    return ended ? PM_OK
                 : pm_fail(err, PM_BAD_INPUT,
                           "%s:%u: kernel %s: the warps of a work-group wait for ever at this "
                           "barrier: check its number of threads or arrivals, and its parity",
                           rules->source_path, rules->code->blocks[pm_warp_block(stuck)].line,
                           rules->code->name);
}

/* Gives one turn to each warp of the work-group that is ready to run. */
static pm_status take_turn(pm_compute_unit *unit, place *at, const pm_tally *tally, pm_error *err)
{
    pm_tally here = *tally;
    bool ran = false, stuck = false;

    here.contests[PM_AGAIN_SHARED] = at->contest;
    for (unsigned w = 0; w < unit->warps; w++) {
        pm_warp_try_again(at->warps[w]);
        if (pm_warp_state_of(at->warps[w]) != PM_WARP_READY)
            continue;
        if (run_warp(unit, at, w, &here, err) != PM_OK)
            return err->status;
        if (pm_warp_made_progress(at->warps[w]))
            ran = true;
        else
            stuck = true;
    }
    if (ran)
        return PM_OK;
    return stuck ? end_limited_waits(unit, at, err) : settle(unit, at, tally, err);
}

pm_status pm_compute_unit_run(pm_compute_unit *unit, const pm_tally *tally, size_t pause,
                              bool *done, pm_error *err)
{
    size_t waiting = 0;

    /* The data for checking and counting accesses are prepared only once, although the memory unit
     * may change: all memory units of a launch have the same counting rules. */
    if (tally->unit && !unit->planned) {
        pm_access_plans_prepare(unit->scratch.plans, &unit->run->rules, tally->unit,
                                unit->scratch.patterns, unit->scratch.addresses);
        unit->planned = true;
    }
    for (unsigned idle = 0; idle < unit->resident;) {
        place *at = &unit->places[unit->turn];

        /* Checks before each turn how many L2 requests are queued, because the compute unit must
         * stop if they are more than `pause`. */
        if (tally->unit)
            pm_unit_queue(tally->unit, &waiting);
        if (waiting > pause) {
            *done = false;
            return PM_OK;
        }
        unit->turn = unit->turn + 1 < unit->resident ? unit->turn + 1 : 0;
        if (unit->turn == 0 && tally->unit)
            pm_unit_next_round(tally->unit);
        idle = at->busy && !at->waits ? 0 : idle + 1;
        if (!at->busy || at->waits)
            continue;
        if (take_turn(unit, at, tally, err) != PM_OK)
            return err->status;
    }
    *done = !pm_compute_unit_waits(unit);
    return PM_OK;
}

bool pm_compute_unit_waits(const pm_compute_unit *unit)
{
    bool waits = false;

    for (unsigned p = 0; p < unit->resident; p++) {
        if (unit->places[p].busy && !unit->places[p].waits)
            return false;
        waits = waits || unit->places[p].busy;
    }
    return waits;
}

void pm_compute_unit_go_on(pm_compute_unit *unit, const pm_tally *tally)
{
    if (tally->unit)
        pm_unit_invalidate(tally->unit);
    for (unsigned p = 0; p < unit->resident; p++)
        if (unit->places[p].busy && unit->places[p].waits) {
            unit->places[p].waits = false;
            pass_barrier(unit, &unit->places[p]);
        }
}
