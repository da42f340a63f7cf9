/* The layouts that advice weighs: found by the search over partitions, and traced. See
 * advise_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise_parts.h"
#include "collector/error.h"
#include "layout/source.h"

enum { DEFAULT_CLUSTERS = 10 };

static void tell_progress(const pm_advising *a, size_t total, const char *variant)
{
    if (a->options->progress)
        a->options->progress(a->options->progress_user, a->advice->n, total, variant);
}

/* ---- one layout ----------------------------------------------------------------------------- */

static pm_status add_choice(pm_advice *advice, const char *variant, pm_error *err)
{
    pm_choice *choices = realloc(advice->choices, (advice->n + 1) * sizeof *choices);

    if (choices) {
        advice->choices = choices;
        choices[advice->n] = (pm_choice){.variant = strdup(variant)};
    }
    if (!choices || !choices[advice->n].variant)
        return pm_fail(err, PM_FAILED, "out of memory for the choices");
    advice->n++;
    return PM_OK;
}

/* Counts a workload, which is freed, and makes its variant a choice. */
static pm_status trace(pm_advising *a, pm_workload *workload, pm_error *err)
{
    pm_status status = pm_rows_count(&a->counting, workload, a->rows, err);

    if (status == PM_OK)
        status = add_choice(a->advice, workload->variant, err);
    pm_workload_free(workload);
    return status;
}

pm_status pm_advise_trace(pm_advising *a, const char *variant, bool *added, pm_error *err)
{
    pm_error why = {0};
    pm_workload *workload =
        pm_program_build(a->program, variant, a->size, a->options->seed, &a->options->log, &why);

    *added = workload != NULL;
    if (workload)
        return trace(a, workload, err);
    if (why.status != PM_BAD_INPUT)
        return pm_fail(err, why.status, "%s", why.text);
    pm_notice(&a->options->log, "%s: left out: %s", variant, why.text);
    return PM_OK;
}

/* ---- the search ----------------------------------------------------------------------------- */

/* misses: a number for each kernel of the source, from what the plain source's kernels counted. */
static void find_misses(const pm_advising *a, const pm_source_info *source, double *misses)
{
    for (size_t k = 0; k < source->kernel_count; k++) {
        double hit = 0, miss = 0;

        for (size_t row = 0; row < pm_dataset_rows(a->rows); row++) {
            const pm_sample *s = pm_dataset_sample(a->rows, row);

            if (strcmp(s->program, a->program->info.name) != 0 || strcmp(s->size, a->size) != 0 ||
                strcmp(s->variant, a->advice->base) != 0 ||
                strcmp(s->kernel, source->kernels[k].name) != 0)
                continue;
            for (size_t i = 0; i < pm_dataset_counters(a->rows); i++) {
                const char *name = pm_dataset_counter_name(a->rows, i);

                if (strcmp(name, "l1_global_load_hit") == 0)
                    hit = s->counters[i];
                else if (strcmp(name, "l1_global_load_miss") == 0)
                    miss = s->counters[i];
            }
        }
        misses[k] = hit + miss > 0 ? miss / (hit + miss) : 1;
    }
}

/* Searches the partitions of one struct. */
static pm_status search_struct(const pm_advising *a, const pm_source_info *source, size_t structure,
                               pm_candidates_found *found, pm_error *err)
{
    double *misses = calloc(source->kernel_count, sizeof *misses);
    const pm_search_options options = {.warp_width = 32,
                                       .misses = misses,
                                       .clusters = a->options->clusters ? a->options->clusters
                                                                        : DEFAULT_CLUSTERS};
    pm_use *uses = NULL;
    size_t count = 0;
    pm_status status = misses ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for the search");

    if (status == PM_OK)
        status = pm_uses(source, structure, a->counting.accesses, a->counting.access_count, &uses,
                         &count, err);
    if (status == PM_OK) {
        find_misses(a, source, misses);
        status =
            pm_layout_search(&source->structs.items[structure], uses, count, &options, found, err);
    }
    free(uses);
    free(misses);
    return status;
}

/* Traces what the search found, but for the first, which is the plain source. */
static pm_status trace_found(pm_advising *a, const char *prefix, const pm_candidates_found *found,
                             pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 1; status == PM_OK && i < found->count; i++) {
        char *text;
        bool added;

        tell_progress(a, found->count, found->texts[i]);
        if (asprintf(&text, "%s%s", prefix, found->texts[i]) < 0)
            return pm_fail(err, PM_FAILED, "out of memory for a layout");
        status = pm_advise_trace(a, text, &added, err);
        free(text);
    }
    return status;
}

/* Structs are searched one by one, the others as they are. */
static pm_status search_all(pm_advising *a, const pm_source_info *source, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t s = 0; status == PM_OK && s < source->structs.count; s++) {
        pm_candidates_found found = {0};
        char *prefix = NULL;

        status = search_struct(a, source, s, &found, err);
        if (status == PM_OK &&
            asprintf(&prefix, "%s%s",
                     source->structs.count > 1 ? source->structs.items[s].name : "",
                     source->structs.count > 1 ? "=" : "") < 0)
            status = pm_fail(err, PM_FAILED, "out of memory for a layout");
        if (status == PM_OK) {
            a->advice->examined += found.examined;
            status = trace_found(a, prefix, &found, err);
            free(prefix);
        }
        pm_candidates_found_free(&found);
    }
    return status;
}

pm_status pm_advise_candidates(pm_advising *a, pm_error *err)
{
    const char *base = a->program->info.variants[0];
    pm_workload *workload =
        pm_program_build(a->program, base, a->size, a->options->seed, &a->options->log, err);
    pm_source *source = NULL;
    pm_status status;

    if (!workload)
        return err->status;
    source = pm_source_open(workload->source, workload->source_path, workload->build_options,
                            &a->options->log, err);
    tell_progress(a, 0, base);
    a->counting.keep_accesses = true;
    status = source ? trace(a, workload, err) : err->status;
    if (!source)
        pm_workload_free(workload);
    if (status == PM_OK)
        status = search_all(a, pm_source_describe(source), err);
    pm_source_close(source);
    return status;
}
