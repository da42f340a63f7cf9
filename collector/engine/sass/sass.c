/* Counts how often each machine instruction (SASS) of a kernel is executed, from executions of the
 * basic blocks of the PTX that it was assembled from. See sass.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/sass/sass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/sass/sass_plan.h"

/* The threads of a warp have different numbers of iterations if they execute a loop's body less
 * often, in the mean, than the warp does. The difference between the two numbers of executions
 * counts only if it is at least this fraction of the warp's executions. */
static const double LEAST_SPREAD = 0.005;

pm_sass_program pm_sass_read(pm_memory *memory, const char *text, const pm_ptx_origin *origins,
                             size_t origin_count)
{
    pm_sass_program program = {.count = 0};
    pm_sass_code *codes = pm_sass_parse(memory, text, origin_count, &program.count);

    program.kernels = pm_take(memory, program.count, sizeof *program.kernels);
    program.names = pm_take(memory, program.count, sizeof *program.names);
    for (size_t k = 0; k < program.count; k++) {
        pm_sass *sass = pm_take(memory, 1, sizeof *sass);

        *sass = (pm_sass){.code = codes[k], .origins = origins, .origin_count = origin_count};
        pm_sass_find_blocks(memory, &sass->code);
        pm_sass_make_plan(memory, sass);
        program.kernels[k] = sass;
        program.names[k] = codes[k].name;
    }
    return program;
}

const pm_sass *pm_sass_of(const pm_sass_program *program, const char *name)
{
    for (size_t k = 0; k < program->count; k++)
        if (strcmp(program->names[k], name) == 0)
            return program->kernels[k];
    return NULL;
}

/* ---- executions -------------------------------------------------------------------------------
 */

struct pm_sass_counter {
    const pm_sass *sass;
    /* Executions of PTX blocks. homes[n]: executions of the PTX block whose first instruction has
     * the number n. counts[n]: true if they are part of the total. */
    pm_sass_executions *homes;
    bool *counts;
    /* ptxas may turn a copy of a PTX block into instructions with a predicate, in a block of
     * machine code that was made from another PTX block. left[n]: number of executions by threads
     * of such copies of PTX block n. */
    double *left;
    pm_sass_executions *steps; /* steps[b]: executions of block b of the machine code */
};

pm_sass_counter *pm_sass_counter_create(const pm_sass *sass)
{
    pm_sass_counter *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->sass = sass;
    c->homes = calloc(sass->origin_count + 1, sizeof *c->homes);
    c->counts = calloc(sass->origin_count + 1, sizeof *c->counts);
    c->left = calloc(sass->origin_count + 1, sizeof *c->left);
    c->steps = calloc(sass->code.block_count + 1, sizeof *c->steps);
    if (c->homes && c->counts && c->left && c->steps)
        return c;
    pm_sass_counter_free(c);
    return NULL;
}

void pm_sass_counter_free(pm_sass_counter *c)
{
    if (!c)
        return;
    free(c->homes);
    free(c->counts);
    free(c->left);
    free(c->steps);
    free(c);
}

void pm_sass_clear(pm_sass_counter *c)
{
    memset(c->homes, 0, c->sass->origin_count * sizeof *c->homes);
    memset(c->counts, 0, c->sass->origin_count * sizeof *c->counts);
}

void pm_sass_add(pm_sass_counter *c, uint32_t home, const pm_sass_executions *executions,
                 bool counts)
{
    if (home >= c->sass->origin_count)
        return;
    c->homes[home].warps += executions->warps;
    c->homes[home].items += executions->items;
    c->homes[home].parted += executions->parted;
    c->counts[home] |= counts;
}

/* Returns a block of machine code that is executed as often as block b and whose executions are
 * known, because it was made from a PTX block. The result is b itself if b was made from a PTX
 * block. PM_SASS_NONE: b is never executed. */
static uint32_t like(const pm_sass *sass, uint32_t b)
{
    while (b != PM_SASS_NONE && sass->steps[b].home == PM_SASS_NONE)
        b = sass->steps[b].like;
    return b;
}

/* ---- copies ------------------------------------------------------------------------------------
 */

/* When ptxas unrolls a loop, it makes several copies of a PTX block. They form groups: the copies
 * in the unrolled loop, then smaller groups for the remaining iterations. Returns how often warps
 * execute a group that is not the last one. reached: how often they reach the first group. left:
 * executions of the PTX block that remain after the groups before it. before: number of copies in
 * the group before it; 0: it is the first group. varies: true if the threads of a warp execute the
 * PTX block different numbers of times, so that some of them need each group after the first
 * one. */
static double executions_of(const pm_sass_group *group, double reached, double left,
                            unsigned before, bool varies)
{
    const double most = before > 0 ? ceil((double)before / group->copies) - 1 : INFINITY;
    const double each = floor(left / reached / group->copies);

    if (varies && before > group->copies)
        return reached * (group->repeats ? most : 1);
    return reached * (group->repeats ? each : fmin(each, 1));
}

/* ptxas makes copies of a PTX block when it unrolls a loop. Sets the executions of the blocks of
 * machine code in one group of copies of the PTX block home->home. times: number of executions of
 * the group by warps. */
static void set_group(pm_sass_counter *c, const pm_sass_home *home, const pm_sass_group *group,
                      double times)
{
    const pm_sass_executions *all = &c->homes[home->home];
    const double share = all->warps > 0 ? times / all->warps : 0;

    for (size_t k = 0; k < group->block_count; k++)
        c->steps[group->blocks[k]] =
            (pm_sass_executions){times, share * all->items, fmin(1, share) * all->parted};
}

/* Distributes the executions of a PTX block over its copies in the machine code. A warp that
 * reaches the copies first executes the unrolled loop as long as all copies in it are needed. The
 * remaining iterations are executed by the copies after it, or by guarded instructions in blocks
 * that were made from other PTX blocks. */
static void split_copies(pm_sass_counter *c, const pm_sass_home *home)
{
    const uint32_t entry = like(c->sass, home->entry);
    const pm_sass_executions reached =
        entry == PM_SASS_NONE ? (pm_sass_executions){0} : c->steps[entry];
    const pm_sass_executions *all = &c->homes[home->home];
    const bool varies =
        all->items * reached.warps < (1 - LEAST_SPREAD) * all->warps * reached.items;
    const bool has_rest =
        c->sass->guarded[home->home] > 0 && home->group_count > 0 && home->groups[0].copies > 1;
    double left = all->warps;

    for (size_t g = 0; g < home->group_count; g++) {
        const pm_sass_group *group = &home->groups[g];
        const unsigned before = g > 0 ? home->groups[g - 1].copies : 0;
        const bool is_last = g + 1 == home->group_count && !has_rest;
        double times = left / group->copies;

        if (reached.warps > 0 && (home->group_count > 1 || has_rest) &&
            (!is_last || (varies && before > group->copies)))
            times = executions_of(group, reached.warps, left, before, varies);
        set_group(c, home, group, times);
        left = fmax(0, left - times * group->copies);
    }
    if (has_rest)
        c->left[home->home] = all->warps > 0 ? all->items * left / all->warps : 0;
}

/* ---- points of reconvergence
 * ---------------------------------------------------------------------- */

/* Returns how often control passes from block `from` of the machine code to its successor `to`. */
static pm_sass_executions way_between(const pm_sass_counter *c, uint32_t from, uint32_t to)
{
    const pm_sass_code *code = &c->sass->code;
    const pm_sass_block *block = &code->blocks[from];
    const pm_sass_executions all = c->steps[from];
    uint32_t other;
    pm_sass_executions taken;

    if (block->successor_count != 2)
        return block->successor_count > 0 ? all : (pm_sass_executions){0};
    other = block->successors[block->successors[0] == to];
    taken = c->steps[other];
    if (code->blocks[other].predecessor_count > 1 && other == code->blocks[from].loop) {
        const pm_sass_executions in = c->steps[code->blocks[other].dominator];

        taken.warps = fmax(0, taken.warps - in.warps);
        taken.items = fmax(0, taken.items - in.items);
    } else if (code->blocks[other].predecessor_count > 1) {
        return (pm_sass_executions){all.warps / 2, all.items / 2, 0};
    }
    return (pm_sass_executions){fmax(0, all.warps + all.parted - taken.warps),
                                fmax(0, all.items - taken.items), 0};
}

/* Sets the executions of block b of the machine code, if it was made from no PTX block. It is then
 * executed as often as the block `like` of its step. If threads reconverge at b, its executions are
 * the sum over its predecessors. */
static void set_follower(pm_sass_counter *c, uint32_t b)
{
    const pm_sass_code *code = &c->sass->code;
    const pm_sass_step *step = &c->sass->steps[b];
    pm_sass_executions sum = {0};

    if (step->home != PM_SASS_NONE)
        return;
    if (step->like == PM_SASS_NONE || !step->gathers) {
        c->steps[b] = step->like == PM_SASS_NONE ? sum : c->steps[step->like];
        c->steps[b].parted = 0;
        return;
    }
    for (uint32_t k = 0; k < code->blocks[b].predecessor_count; k++) {
        const pm_sass_executions one = way_between(c, code->blocks[b].predecessors[k], b);

        sum.warps += one.warps;
        sum.items += one.items;
    }
    c->steps[b] = sum;
}

/* ---- sums ---------------------------------------------------------------------------------------
 */

/* Returns how often threads take the conditional jump at the end of block b of the machine code. */
static double jumps_of(const pm_sass_counter *c, uint32_t b)
{
    const pm_sass_block *block = &c->sass->code.blocks[b];

    if (block->successor_count == 2)
        return way_between(c, b, block->successors[1]).items;
    return block->successor_count == 1 ? fmax(0, c->steps[b].items - c->steps[b + 1].items) : 0;
}

/* Adds the executed instructions of block b of the machine code to *total, if the PTX block from
 * which b was made is part of the total. */
static void add_block(const pm_sass_counter *c, uint32_t b, pm_sass_total *total)
{
    const pm_sass_step *step = &c->sass->steps[b];
    const uint32_t same = like(c->sass, b);
    const pm_sass_executions *own = &c->steps[b];
    uint32_t home;
    double share;

    if (same == PM_SASS_NONE || own->warps <= 0)
        return;
    home = c->sass->steps[same].home;
    if (!c->counts[home])
        return;
    share = c->homes[home].warps > 0 ? own->warps / c->homes[home].warps : 0;
    pm_mix_add_row(&step->mix, own->warps, &total->warps);
    pm_mix_add_row(&step->mix, own->items, &total->items);
    total->thread_total += own->items * step->mix.total;
    for (size_t k = 0; k < step->part_count; k++) {
        const pm_sass_part *part = &step->parts[k];

        pm_mix_add_row(&part->mix,
                       share * c->left[part->home] / c->sass->guarded[part->home] - own->items,
                       &total->items);
    }
    if (step->leaves)
        total->items.control += jumps_of(c, b);
    total->spill_loads += own->warps * step->spill_loads;
    total->spill_stores += own->warps * step->spill_stores;
}

pm_sass_total pm_sass_sum(pm_sass_counter *c)
{
    pm_sass_total total = {.thread_total = 0};

    for (size_t n = 0; n < c->sass->origin_count; n++)
        c->left[n] = c->homes[n].items * c->sass->guarded[n];
    for (size_t h = 0; h < c->sass->home_count; h++)
        split_copies(c, &c->sass->homes[h]);
    for (size_t k = 0; k < c->sass->code.order_count; k++)
        set_follower(c, c->sass->code.order[k]);
    for (uint32_t b = 0; b < c->sass->code.block_count; b++)
        add_block(c, b, &total);
    return total;
}
