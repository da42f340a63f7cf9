/* Collects the measured kernel times on many GPUs as training rows of one model. See
 * pooled_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/transfer/pooled_parts.h"

typedef struct {
    size_t gpu;
    const pm_sample *timed;
    pm_units_sample traced;
} found;

typedef struct {
    pm_pooled *p;
    found *items;
    size_t n;
} gathering;

static void add_samples(gathering *g, size_t gpu, const pm_dataset *timed, const pm_dataset *traced)
{
    for (size_t i = 0; timed && traced && i < pm_dataset_rows(traced); i++) {
        const pm_sample *s = pm_dataset_sample(traced, i), *t = pm_dataset_find(timed, s);

        if (t && t->time_s > 0 && isfinite(t->time_s) && pm_dataset_find(traced, s) == s)
            *pm_add(&g->p->scratch, g->items, g->n) =
                (found){gpu, t, {traced, s, &g->p->gpus[gpu].profile}};
    }
}

/* Returns the name of the publication that a row's time comes from; "": perfmodel itself measured
 * the time. */
static const char *source_of(const pm_sample *s)
{
    return s->origin ? s->origin : "";
}

/* The names that belong to training rows may come from the cache, without counters and times. If
 * the counters and times are read from files later, the rows must be the same, because cached fits
 * refer to rows by their index. Returns whether they are the same: the number of rows is equal, and
 * each row has the same numbers for its names. before: the lists of names before the files were
 * read. */
static bool are_loaded_rows(const pm_pooled *p, const pm_numbered *before,
                            const pm_hierarchy_row *of, size_t n)
{
    return n == p->rows.n && before[0].count == p->programs.count &&
           before[1].count == p->variants.count && before[2].count == p->configs.count &&
           before[3].count == p->sources.count && memcmp(of, p->rows.of, n * sizeof *of) == 0;
}

static void number_rows(gathering *g, const bool *usable)
{
    pm_pooled *p = g->p;
    pm_hierarchy_row *of = pm_take(&p->memory, g->n, sizeof *of);
    size_t *place = pm_take(&p->memory, g->n, sizeof *place);
    double *log_time = pm_take(&p->memory, g->n, sizeof *log_time);
    const pm_numbered before[] = {p->programs, p->variants, p->configs, p->sources};
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++) {
        const found *item = &g->items[i];
        const pm_sample *s = item->traced.sample;

        if (!usable[i])
            continue;
        of[n] = (pm_hierarchy_row){
            .gpu = item->gpu,
            .program =
                pm_numbered_add(&p->memory, &p->programs, pm_twin_name(&g->p->scratch, s->program)),
            .variant =
                pm_numbered_add(&p->memory, &p->variants, pm_variant_name(&g->p->scratch, s)),
            .config = pm_numbered_add(&p->memory, &p->configs, pm_config_name(&g->p->scratch, s)),
            .source = pm_numbered_add(&p->memory, &p->sources, source_of(item->timed))};
        place[n] = i;
        log_time[n++] = log(item->timed->time_s);
    }
    if (p->rows.of && !are_loaded_rows(p, before, of, n))
        pm_leave(&p->memory, PM_FAILED, "datasets were changed while they were read; try again");
    p->rows.n = n;
    p->rows.of = of;
    p->rows.place = place;
    p->rows.log_time = log_time;
    p->rows.programs = p->programs.count;
    p->rows.sources = p->sources.count;
}

static void gather(gathering *g)
{
    pm_pooled *p = g->p;
    pm_units_sample *samples;
    bool *usable;

    for (size_t i = 0; i < p->gpu_count; i++) {
        pm_known_gpu *gpu = &p->gpus[i];

        pm_go_on(&p->memory);
        pm_require(&p->memory, pm_known_read(gpu, p->memory.err));
        add_samples(g, i, gpu->measured, gpu->traced);
        add_samples(g, i, gpu->published, gpu->published_traced);
    }
    usable = pm_take(&g->p->scratch, g->n, sizeof *usable);
    samples = pm_take(&g->p->scratch, g->n, sizeof *samples);
    for (size_t i = 0; i < g->n; i++)
        samples[i] = g->items[i].traced;
    p->rows.units = pm_units_of_samples(&p->memory, samples, g->n, usable);
    number_rows(g, usable);
    pm_pooled_classify(p);
}

void pm_pooled_fill(pm_pooled *p)
{
    gathering g = {.p = p};

    if (p->filled)
        return;
    p->scratch = pm_memory_beside(&p->memory);
    gather(&g);
    p->filled = true;
    pm_pooled_save_rows(p);
}
