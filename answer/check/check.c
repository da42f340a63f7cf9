/* Checks in continuous integration whether kernels became slower than in a baseline, a file of
 * event counts that an earlier check has written. The GPUs need not be present.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels are traced as each GPU would run them (count.c). A baseline holds counts, not times.
 * Times of the baseline and of the current sources are predicted by the same model (predict.c). So
 * most of its error cancels in the ratio, and a better model does not change a verdict by itself.
 */
#include <stdlib.h>

#include "answer/check/parts.h"
#include "answer/counts/counts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/version.h"
#include "model/samples/dataset.h"

void pm_check_find_programs(pm_checking *c)
{
    const pm_check_options *o = c->options;

    c->programs = pm_workloads_find(c->session, o->workloads, c->memory.err);
    if (!c->programs)
        pm_give_up(&c->memory, c->memory.err->status);
    c->result->assumed = c->programs->assumed;
    pm_require(&c->memory, pm_names_check(c->programs, NULL, o->variants, o->sizes, c->memory.err));
    for (size_t i = 0; i < c->programs->count; i++)
        *pm_add(&c->memory, c->names, c->name_count) = c->programs->items[i]->info.name;
}

void pm_check_find_targets(pm_checking *c)
{
    const char *const *asked = c->options->targets;

    for (; asked && *asked; asked++)
        *pm_add(&c->memory, c->now.targets, c->now.target_count) = *asked;
    if (c->now.target_count > 0)
        return;
    c->now.targets = c->before.targets;
    c->now.target_count = c->before.target_count;
    if (c->now.target_count == 0)
        pm_leave(&c->memory, PM_BAD_INPUT,
                 "no GPU is named, and no baseline that would name one: add --target h200");
}

static void compare(pm_checking *c)
{
    for (size_t t = 0; t < c->now.target_count; t++) {
        pm_check_spread spread = pm_check_predict(c, c->now.targets[t]);

        pm_check_compare(c, c->now.targets[t], &spread);
    }
}

void pm_check_begin(pm_checking *c)
{
    c->kept = pm_memory_beside(&c->memory);
    c->result = pm_take(&c->kept, 1, sizeof *c->result);
    c->result->tolerance = c->options->tolerance;
    c->columns = pm_counts_columns(c->session, c->memory.err);
    if (!c->columns)
        pm_give_up(&c->memory, c->memory.err->status);
    if (c->options->against)
        pm_check_read(c);
}

void pm_check_finish(pm_checking *c)
{
    compare(c);
    if (c->options->output)
        pm_check_write(c);
}

static void check(void *user)
{
    pm_checking *c = user;

    pm_check_begin(c);
    pm_check_find_targets(c);
    pm_check_find_programs(c);
    pm_check_count_all(c);
    pm_check_finish(c);
}

pm_check *pm_check_attempt(pm_checking *c, void (*work)(void *c), pm_error *err)
{
    pm_status status;

    if (PM_UNUSED(c->options, err) != PM_OK)
        return NULL;
    if (!(c->options->tolerance >= 0)) {
        pm_fail(err, PM_BAD_INPUT,
                "a tolerance of %g: a number of at least 0 is wanted, such as "
                "0.05 for 5 %%",
                c->options->tolerance);
        return NULL;
    }
    status = pm_attempt(&c->memory, work, c, err);
    pm_dataset_free(c->columns);
    pm_workload_free(c->workload);
    json_decref(c->document);
    pm_memory_free(&c->memory);
    if (status != PM_OK) {
        pm_memory_free(&c->kept);
        return NULL;
    }
    c->result->memory = c->kept.blocks;
    return c->result;
}

pm_check *pm_check_run(pm_session *session, const pm_check_options *options, pm_error *err)
{
    const pm_session_options *chosen = pm_session_chosen(session);
    pm_checking c = {
        .session = session, .options = options, .seed = chosen->seed, .sample = chosen->sample};

    return pm_check_attempt(&c, check, err);
}

void pm_check_free(pm_check *check)
{
    pm_memory memory = {.blocks = check ? check->memory : NULL};

    pm_memory_free(&memory);
}
