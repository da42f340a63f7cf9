/* Counts executed machine instructions. See sass.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/sass/sass.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/engine/sass/sass_plan.h"

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

/* ---- executions ------------------------------------------------------------------------------- */

struct pm_sass_counter {
    const pm_sass *sass;
    /* of the PTX block whose first instruction has this number; counts: whether it is part of the
     * total */
    double *warps, *items;
    bool *counts;
    double *times; /* of each block of machine code: executions by warps */
};

pm_sass_counter *pm_sass_counter_create(const pm_sass *sass)
{
    pm_sass_counter *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->sass = sass;
    c->warps = calloc(sass->origin_count + 1, sizeof *c->warps);
    c->items = calloc(sass->origin_count + 1, sizeof *c->items);
    c->counts = calloc(sass->origin_count + 1, sizeof *c->counts);
    c->times = calloc(sass->code.block_count + 1, sizeof *c->times);
    if (c->warps && c->items && c->counts && c->times)
        return c;
    pm_sass_counter_free(c);
    return NULL;
}

void pm_sass_counter_free(pm_sass_counter *c)
{
    if (!c)
        return;
    free(c->warps);
    free(c->items);
    free(c->counts);
    free(c->times);
    free(c);
}

void pm_sass_clear(pm_sass_counter *c)
{
    memset(c->warps, 0, c->sass->origin_count * sizeof *c->warps);
    memset(c->items, 0, c->sass->origin_count * sizeof *c->items);
    memset(c->counts, 0, c->sass->origin_count * sizeof *c->counts);
}

void pm_sass_add(pm_sass_counter *c, uint32_t home, double warps, double items, bool counts)
{
    if (home >= c->sass->origin_count)
        return;
    c->warps[home] += warps;
    c->items[home] += items;
    c->counts[home] = counts;
}

/* Returns the block of machine code that has a home and is executed as often as block b;
 * PM_SASS_NONE: b is never executed. */
static uint32_t like(const pm_sass *sass, uint32_t b)
{
    while (b != PM_SASS_NONE && sass->steps[b].home == PM_SASS_NONE)
        b = sass->steps[b].like;
    return b;
}

/* Splits the executions of a PTX block over its copies. A warp that reaches the copies executes the
 * unrolled loop as often as it needs all of its copies, and the rest by the code behind it. */
static void split(pm_sass_counter *c, const pm_sass_home *home)
{
    const uint32_t entry = like(c->sass, home->entry);
    const double reached = entry == PM_SASS_NONE ? 0 : c->times[entry];
    double left = c->warps[home->home];

    for (size_t g = 0; g < home->group_count; g++) {
        const pm_sass_group *group = &home->groups[g];
        double times = left / group->copies;

        if (g + 1 < home->group_count && reached > 0) {
            times = reached * floor(times / reached);
            times = group->repeats ? times : fmin(times, reached);
        }
        for (size_t k = 0; k < group->block_count; k++)
            c->times[group->blocks[k]] = times;
        left -= times * group->copies;
    }
}

/* Returns the executions of block b by threads. */
static double items_of(const pm_sass_counter *c, uint32_t b)
{
    const uint32_t same = like(c->sass, b);
    const uint32_t home = same == PM_SASS_NONE ? PM_SASS_NONE : c->sass->steps[same].home;

    return home == PM_SASS_NONE || c->warps[home] <= 0
               ? 0
               : c->times[same] * c->items[home] / c->warps[home];
}

/* Returns how often threads take the conditional jump at the end of block b. If neither the block
 * behind it nor the target tells, half of the threads are assumed to. */
static double jumps_of(const pm_sass_counter *c, uint32_t b)
{
    const pm_sass_block *block = &c->sass->code.blocks[b];
    const double items = items_of(c, b);

    if (block->successor_count > 0 && b + 1 < c->sass->code.block_count &&
        c->sass->code.blocks[b + 1].predecessor_count == 1)
        return fmax(0, items - items_of(c, b + 1));
    if (block->successor_count == 2 &&
        c->sass->code.blocks[block->successors[1]].predecessor_count == 1)
        return fmin(items, items_of(c, block->successors[1]));
    return items / 2;
}

/* Adds the instructions of block b. */
static void add_block(const pm_sass_counter *c, uint32_t b, pm_sass_total *total)
{
    const pm_sass_step *step = &c->sass->steps[b];
    const uint32_t same = like(c->sass, b);
    const uint32_t home = same == PM_SASS_NONE ? PM_SASS_NONE : c->sass->steps[same].home;
    double times, share;

    if (home == PM_SASS_NONE || !c->counts[home] || c->warps[home] <= 0)
        return;
    times = c->times[same];
    share = times / c->warps[home];
    pm_mix_add_row(&step->mix, times, &total->warps);
    pm_mix_add_row(&step->mix, share * c->items[home], &total->items);
    total->thread_total += share * c->items[home] * step->mix.total;
    for (size_t k = 0; k < step->part_count; k++) {
        const pm_sass_part *part = &step->parts[k];

        pm_mix_add_row(&part->mix, share * (c->items[part->home] - c->items[home]), &total->items);
    }
    if (step->leaves)
        total->items.control += jumps_of(c, b);
    total->spill_loads += times * step->spill_loads;
    total->spill_stores += times * step->spill_stores;
}

pm_sass_total pm_sass_sum(pm_sass_counter *c)
{
    pm_sass_total total = {.thread_total = 0};

    for (size_t h = 0; h < c->sass->home_count; h++)
        split(c, &c->sass->homes[h]);
    for (uint32_t b = 0; b < c->sass->code.block_count; b++)
        add_block(c, b, &total);
    FILE *f = fopen("/tmp/k/sass/plan.txt", "w");
    if (f) {
        for (uint32_t b = 0; b < c->sass->code.block_count; b++) {
            const pm_sass_block *k = &c->sass->code.blocks[b];
            const pm_sass_step *s = &c->sass->steps[b];
            const uint32_t same = like(c->sass, b);
            fprintf(f, "block %u addr %x count %u home %d like %d dom %u loop %d reach %d unl %d times %g parts %zu\n", b, 16*k->first, k->count, (int)s->home+1, (int)s->like, k->dominator, (int)k->loop, k->is_reachable, k->is_unlikely, same==PM_SASS_NONE?0:c->times[same], s->part_count);
        }
        for (size_t h = 0; h < c->sass->home_count; h++) {
            const pm_sass_home *o = &c->sass->homes[h];
            fprintf(f, "home %u warps %g items %g entry %u:", o->home+1, c->warps[o->home], c->items[o->home], o->entry);
            for (size_t g = 0; g < o->group_count; g++) {
                fprintf(f, " [copies %u rep %d:", o->groups[g].copies, o->groups[g].repeats);
                for (size_t q = 0; q < o->groups[g].block_count; q++) fprintf(f, " %u", o->groups[g].blocks[q]);
                fprintf(f, "]");
            }
            fprintf(f, "\n");
        }
        fclose(f);
    }
    return total;
}
