/* Sums the counts of sampled cells (work-groups of one wave on one compute unit) over a stratum,
 * the first wave or all other waves, and scales the sums to the launch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/count.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

pm_status pm_stratum_create(pm_stratum *stratum, const pm_launch_rules *rules, pm_error *err)
{
    const pm_kernel_code *code = rules->code;

    *stratum = (pm_stratum){0};
    stratum->sites = calloc(code->site_count + 1, sizeof *stratum->sites);
    stratum->machine_code = rules->sass ? pm_sass_counter_create(rules->sass) : NULL;
    if (!stratum->sites || (rules->sass && !stratum->machine_code))
        return pm_fail(err, PM_FAILED, "%s: out of memory for its counts", code->name);
    return PM_OK;
}

void pm_stratum_free(pm_stratum *stratum)
{
    free(stratum->sites);
    pm_sass_counter_free(stratum->machine_code);
    *stratum = (pm_stratum){0};
}

/* Some instructions can execute on either the integer or the multiply-add pipe. The compiler
 * assigns at most this fraction of them to the multiply-add pipe. */
static const double EITHER_SHARE = 0.8;

/* Adds a basic block's instructions to the events of each pipe. The compiler balances the integer
 * and the multiply-add pipe: it assigns instructions that can execute on either to the one with
 * fewer instructions. */
static void add_pipes(const pm_mix *mix, double warps, double events[PM_EVENT_COUNT])
{
    const double even = (mix->alu + mix->either - mix->fma) / 2;
    const double moved = fmin(fmax(even, 0), EITHER_SHARE * mix->either);
    const double fma = mix->fma + moved;

    events[PM_EVENT_pipe_alu] += warps * (mix->alu + mix->either - moved);
    events[PM_EVENT_pipe_fma] += warps * fma;
    /* The multiply-add pipe has a heavy and a light half. The compiler also balances the
     * instructions that either half can execute. */
    events[PM_EVENT_pipe_fmaheavy] += warps * fmax(mix->fmaheavy + moved, fma / 2);
}

/* Adds the matrix products (tensor-core instructions) that `warps` warps execute, by type of the
 * elements. */
static void add_products(const pm_mix *mix, double warps, double events[PM_EVENT_COUNT])
{
    events[PM_EVENT_tensor_f64] += warps * mix->tensor64;
    events[PM_EVENT_tensor_tf32] += warps * mix->tensor32;
    events[PM_EVENT_tensor_f16] += warps * mix->tensor16;
    events[PM_EVENT_tensor_fp8] += warps * mix->tensor8;
    events[PM_EVENT_tensor_int] += warps * mix->tensor_integer;
    events[PM_EVENT_tensor_warp] += warps * mix->tensor_warp;
}

/* Adds executions of instructions by `warps` warps. */
static void add_warps(const pm_mix *mix, double warps, bool loops, double events[PM_EVENT_COUNT])
{
    events[PM_EVENT_inst_executed] += warps * (mix->total - (loops ? mix->packed : 0));
    events[PM_EVENT_inst_issued] += warps * mix->total; /* without replays */
    if (!loops) /* warp.c has already counted the dependent instructions of a CPU */
        events[PM_EVENT_inst_depth] += warps * mix->depth;
    events[PM_EVENT_branch] += warps * mix->branches;
    events[PM_EVENT_conversion_fp64] += warps * mix->conversion64;
    events[PM_EVENT_inst_tensor] += warps * mix->tensor;
    add_pipes(mix, warps, events);
}

/* Adds executions of instructions by `items` work-items. */
static void add_items(const pm_mix *mix, double items, double events[PM_EVENT_COUNT])
{
    events[PM_EVENT_inst_fp32] += items * mix->fp32;
    events[PM_EVENT_inst_fp64] += items * mix->fp64;
    events[PM_EVENT_flop_fp32] += items * mix->flop32;
    events[PM_EVENT_flop_fp64] += items * mix->flop64;
    events[PM_EVENT_inst_int] += items * mix->integer;
    events[PM_EVENT_inst_special] += items * mix->special;
    events[PM_EVENT_inst_conversion] += items * mix->conversion;
    events[PM_EVENT_inst_control] += items * mix->control;
    events[PM_EVENT_inst_memory] += items * mix->memory;
}

/* Adds the instructions of the basic blocks whose kind of compare-and-swap retry loop is `again`.
 * PM_AGAIN_NONE: the basic blocks outside of all these loops. */
static void add_instructions(const pm_kernel_code *code, const pm_block_count *blocks, bool loops,
                             pm_again again, double events[PM_EVENT_COUNT])
{
    for (size_t i = 0; i < code->block_count; i++) {
        const pm_mix *mix = &code->blocks[i].mix;
        double warps = (double)blocks[i].warps, items = (double)blocks[i].work_items;

        if (code->blocks[i].again != again)
            continue;
        add_warps(mix, warps, loops, events);
        add_items(mix, items, events);
        add_products(mix, warps, events);
        events[PM_EVENT_spill_load] += warps * code->blocks[i].spill_loads;
        events[PM_EVENT_spill_store] += warps * code->blocks[i].spill_stores;
        events[PM_EVENT_thread_inst_executed] += items * mix->total;
    }
}

/* Does the same as add_instructions, but counts the instructions of the machine code that ptxas
 * made. The machine code shows which branches ptxas replaced by predicates. So executions of blocks
 * that are only assumed because of such predicates are left out. The lengths of dependency chains
 * and the sizes of matrices are not known from machine code, so they come from the basic blocks of
 * the engine's own code. */
static void add_machine_code(pm_sass_counter *counter, const pm_kernel_code *code,
                             const pm_block_count *blocks, pm_again again,
                             double events[PM_EVENT_COUNT])
{
    pm_sass_total total;

    pm_sass_clear(counter);
    for (size_t i = 0; i < code->block_count; i++) {
        const pm_block *block = &code->blocks[i];
        const uint64_t warps = blocks[i].warps - blocks[i].skipped;
        const pm_sass_executions executions = {.warps = (double)warps,
                                               .items = (double)blocks[i].work_items,
                                               .parted = (double)blocks[i].parted};

        for (uint32_t m = 0; m < block->mark_count; m++)
            pm_sass_add(counter, code->marks[block->first_mark + m], &executions,
                        block->again == again);
        if (block->again != again)
            continue;
        events[PM_EVENT_inst_depth] += (double)blocks[i].warps * block->mix.depth;
        add_products(&block->mix, (double)blocks[i].warps, events);
    }
    total = pm_sass_sum(counter);
    add_warps(&total.warps, 1, false, events);
    add_items(&total.items, 1, events);
    events[PM_EVENT_spill_load] += total.spill_loads;
    events[PM_EVENT_spill_store] += total.spill_stores;
    events[PM_EVENT_thread_inst_executed] += total.thread_total;
}

/* Corrects the number of wavefronts of instructions in retry loops on shared memory. All of it is
 * later multiplied by scale->work_items, but a part must be multiplied by scale->warps. The reason
 * is that each execution of an instruction takes at least one wavefront (a compare-and-swap two),
 * however few work-items take part. */
static void split_wavefronts(const pm_attempt_scale *scale, double events[PM_EVENT_COUNT])
{
    double *wavefronts = &events[PM_EVENT_shared_wavefront];
    const double least =
        fmin(*wavefronts, events[PM_EVENT_shared_load] + events[PM_EVENT_shared_store] +
                              2 * events[PM_EVENT_atomic]);

    *wavefronts += least * (scale->warps / scale->work_items - 1);
}

void pm_stratum_add(pm_stratum *stratum, const pm_kernel_code *code, uint64_t groups,
                    const pm_tally *tally)
{
    const pm_attempt_scale shared = pm_attempts_scale(tally->in_shared);
    double of[PM_AGAIN_KINDS][PM_EVENT_COUNT] = {0}, events[PM_EVENT_COUNT], n = (double)groups;

    for (int k = 0; k < PM_AGAIN_KINDS; k++) {
        for (int e = 0; e < PM_EVENT_COUNT; e++)
            of[k][e] = (double)tally->events[k].count[e];
        if (code->tries_again[k] && stratum->machine_code)
            add_machine_code(stratum->machine_code, code, tally->blocks, (pm_again)k, of[k]);
        else if (code->tries_again[k])
            add_instructions(code, tally->blocks, tally->loops, (pm_again)k, of[k]);
    }
    stratum->longest = fmax(stratum->longest, of[PM_AGAIN_NONE][PM_EVENT_longest_span]);
    /* reset, because the longest time is a maximum over work-groups and not a sum */
    of[PM_AGAIN_NONE][PM_EVENT_longest_span] = 0;
    split_wavefronts(&shared, of[PM_AGAIN_SHARED]);
    for (int e = 0; e < PM_EVENT_COUNT; e++) {
        events[e] = of[PM_AGAIN_NONE][e] +
                    pm_attempts_of_event(&shared, (pm_event)e) * of[PM_AGAIN_SHARED][e] +
                    of[PM_AGAIN_GLOBAL][e];
        stratum->again[e] += of[PM_AGAIN_GLOBAL][e];
    }
    stratum->cells += 1;
    stratum->groups += n;
    stratum->groups_square += n * n;
    for (int e = 0; e < PM_EVENT_COUNT; e++) {
        stratum->sum[e] += events[e];
        stratum->square[e] += events[e] * events[e];
        stratum->with_groups[e] += events[e] * n;
    }
    for (size_t i = 0; i < code->site_count; i++) {
        pm_site_total *total = &stratum->sites[i];
        const pm_site_count *count = &tally->sites[i];

        total->executions += (double)count->executions;
        total->work_items += (double)count->work_items;
        total->transactions += (double)count->transactions;
        total->near += (double)count->near;
        total->same = total->same || count->same;
    }
}

/* Returns the variance of an event's estimated total over N = `groups` work-groups: C^2 (1 - n/C)
 * s^2 / n. A cell is the work-groups that run at the same time on one compute unit. n: number of
 * sampled cells. C: number of cells that N groups make. s^2: variance of a cell's events about the
 * mean rate per group times the cell's number of groups. */
static double total_variance(const pm_stratum *s, int event, double groups)
{
    double rate = s->sum[event] / s->groups, cells = groups * s->cells / s->groups, squares;

    if (s->groups >= groups)
        return 0;
    if (s->cells < 2)
        return (double)NAN;
    squares = s->square[event] - 2 * rate * s->with_groups[event] + rate * rate * s->groups_square;
    /* a tiny or negative value is a rounding error and counts as 0 */
    squares = squares > 1e-12 * s->square[event] ? squares : 0;
    return cells * cells * (1 - s->cells / cells) * squares / (s->cells - 1) / s->cells;
}

void pm_stratum_scale(const pm_stratum *stratum, double groups, const pm_attempt_scale *again,
                      const pm_kernel_code *code, pm_launch_counts *counts)
{
    double factor = stratum->groups > 0 ? groups / stratum->groups : 0;

    /* If no work-group of this stratum (the first wave, or all other waves) ran, values and
     * variances are unknown. */
    for (int e = 0; stratum->groups <= 0 && groups > 0 && e < PM_EVENT_COUNT; e++)
        counts->values[e] = counts->variance[e] = (double)NAN;
    if (stratum->groups <= 0)
        return;
    for (int e = 0; e < PM_EVENT_COUNT; e++) {
        const double more =
            (pm_attempts_of_event(again, (pm_event)e) - 1) * stratum->again[e] * factor;
        const double counted = stratum->sum[e] * factor;
        const double times = more > 0 ? (counted + more) / counted : 1;

        counts->values[e] += counted + more;
        counts->variance[e] += times * times * total_variance(stratum, e, groups);
        /* An additional attempt in a compare-and-swap retry loop misses L1, because another warp
         * has just changed the line, and hits L2. */
        if (e == PM_EVENT_l1_global_load_miss) {
            counts->values[PM_EVENT_l2_read_sector] += more;
            counts->values[PM_EVENT_l2_read_hit] += more;
        }
    }
    counts->values[PM_EVENT_longest_span] =
        fmax(counts->values[PM_EVENT_longest_span], stratum->longest);
    for (size_t i = 0; i < code->site_count; i++) {
        const pm_site_total *from = &stratum->sites[i];
        pm_site_total *to = &counts->sites[i];

        to->executions += from->executions * factor;
        to->work_items += from->work_items * factor;
        to->transactions += from->transactions * factor;
        to->near += from->near * factor;
        to->same = to->same || from->same;
    }
}
