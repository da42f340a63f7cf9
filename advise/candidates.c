/* The plain source, and the layouts that advice weighs: found by the search over partitions, and
 * traced. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/parts.h"
#include "base/error.h"
#include "layout/nakai/nakai.h"
#include "samples/memory.h"
#include "session/session.h"
#include "suite/suite.h"
#include "worker/source.h"

enum { DEFAULT_CLUSTERS = 10 };

static void tell_progress(pm_advising *a, const char *variant)
{
    size_t done = a->advice->n;

    if (a->expected > 0 && a->expected <= done)
        a->expected = done + 1;
    pm_session_show(a->session, done, a->expected, variant);
}

/* ---- one layout ----------------------------------------------------------------------------- */

static pm_status add_choice(pm_advice *advice, const char *variant, pm_error *err)
{
    pm_choice *choices = reallocarray(advice->choices, advice->n + 1, sizeof *choices);

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
    const pm_counted what = {.program = a->program,
                             .variant = workload->variant,
                             .size = a->size,
                             .target = a->options->target};
    const pm_counts *counts;
    pm_status status = pm_counts_find(a->session, &what, workload, &counts, err);

    if (status == PM_OK)
        status = pm_dataset_append_all(a->rows, counts->rows, err);
    if (status == PM_OK)
        status = add_choice(a->advice, workload->variant, err);
    if (status == PM_OK)
        status = pm_advise_rewrite(a, workload, &a->advice->choices[a->advice->n - 1].rewrite, err);
    pm_workload_free(workload);
    return status;
}

pm_status pm_advise_trace(pm_advising *a, const char *variant, bool *added, pm_error *err)
{
    pm_error why = {0};
    pm_workload *workload = pm_program_build(a->program, variant, a->size,
                                             pm_session_chosen(a->session)->seed, a->session, &why);

    *added = workload != NULL;
    if (workload) {
        tell_progress(a, variant);
        return trace(a, workload, err);
    }
    if (why.status != PM_BAD_INPUT)
        return pm_fail(err, why.status, "%s", why.text);
    pm_notice(pm_session_log(a->session), "%s: left out: %s", variant, why.text);
    if (a->expected > 0)
        a->expected--;
    return PM_OK;
}

/* ---- what the fields are used for ----------------------------------------------------------- */

/* A kernel's counter; 0 where it is unknown. */
static double counted(const pm_dataset *rows, const char *kernel, const char *counter)
{
    for (size_t row = 0; row < pm_dataset_rows(rows); row++)
        for (size_t i = 0; i < pm_dataset_counters(rows); i++) {
            const pm_sample *s = pm_dataset_sample(rows, row);

            if (strcmp(s->kernel, kernel) == 0 &&
                strcmp(pm_dataset_counter_name(rows, i), counter) == 0)
                return isnan(s->counters[i]) ? 0 : s->counters[i];
        }
    return 0;
}

/* The variant that the program lists a layout as, else the layout's own text. */
static const char *listed_name(const pm_program *program, const char *text)
{
    for (const pm_named_layout *named = program->layouts; named && named->variant; named++)
        if (strcmp(named->layouts, text) == 0)
            return named->variant;
    return text;
}

/* What the method chooses; aos where it leaves the source as it is. */
static pm_status ask_nakai(pm_advising *a, size_t structure, pm_error *err)
{
    const pm_nakai_struct *decided = &a->advice->steps->structs[structure];
    char *text = decided->layout.kind == PM_LAYOUT_CLUSTER && decided->layout.cluster_count == 1
                     ? strdup("aos-align")
                     : pm_layout_text(&decided->layout, decided->structure);

    if (text) {
        free(a->advice->nakai);
        a->advice->nakai = strdup(listed_name(a->program, text));
    }
    free(text);
    return text && a->advice->nakai ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for a layout");
}

/* ---- the search ----------------------------------------------------------------------------- */

/* Searches the partitions of one struct. */
static pm_status search_struct(pm_advising *a, const pm_plain_run *small, size_t structure,
                               pm_candidates_found *found, pm_error *err)
{
    const pm_source_info *source = pm_source_describe(small->source);
    double *misses = calloc(source->kernel_count, sizeof *misses);
    const pm_search_options options = {.misses = misses,
                                       .clusters = a->options->clusters ? a->options->clusters
                                                                        : DEFAULT_CLUSTERS};
    pm_field_use *uses = NULL;
    size_t count = 0;
    pm_status status = misses ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for the search");

    if (status == PM_OK)
        status = pm_uses(source, structure, small->counts->trace.kernels,
                         small->counts->trace.kernel_count, &uses, &count, err);
    for (size_t k = 0; status == PM_OK && k < source->kernel_count; k++) {
        double hit = counted(small->counts->rows, source->kernels[k].name, "l1_global_load_hit");
        double miss = counted(small->counts->rows, source->kernels[k].name, "l1_global_load_miss");

        misses[k] = hit + miss > 0 ? miss / (hit + miss) : 1;
    }
    if (status == PM_OK)
        status =
            pm_layout_search(&source->structs.items[structure], uses, count, &options, found, err);
    free(uses);
    free(misses);
    return status;
}

static bool is_choice(const pm_advice *advice, const char *variant)
{
    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, variant) == 0)
            return true;
    return false;
}

/* Traces a layout of one struct; the others stay as they are. */
static pm_status trace_layout(pm_advising *a, const pm_structs *structs, size_t structure,
                              const char *text, pm_error *err)
{
    bool several = structs->count > 1, added;
    char *variant;
    pm_status status;

    if (strcmp(text, a->advice->base) == 0)
        return PM_OK; /* the plain source, which is traced */
    if (asprintf(&variant, "%s%s%s", several ? structs->items[structure].name : "",
                 several ? "=" : "", several ? text : listed_name(a->program, text)) < 0)
        return pm_fail(err, PM_FAILED, "out of memory for a layout");
    status = is_choice(a->advice, variant) ? PM_OK : pm_advise_trace(a, variant, &added, err);
    free(variant);
    return status;
}

static bool is_found(const pm_advising *a, const pm_candidates_found *found, const char *variant)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(listed_name(a->program, found->texts[i]), variant) == 0)
            return true;
    return false;
}

/* All that was found but the first, the plain source; and the choice of Nakai's method. */
static pm_status trace_struct(pm_advising *a, const pm_plain_run *small, size_t structure,
                              pm_error *err)
{
    const pm_structs *structs = &pm_source_describe(small->source)->structs;
    pm_candidates_found found = {0};
    pm_status status = search_struct(a, small, structure, &found, err);

    if (status == PM_OK)
        status = ask_nakai(a, structure, err);
    if (status == PM_OK) {
        a->advice->examined += found.examined;
        a->expected =
            a->advice->n + found.count - 1 + (is_found(a, &found, a->advice->nakai) ? 0 : 1);
    }
    for (size_t i = 1; status == PM_OK && i < found.count; i++)
        status = trace_layout(a, structs, structure, found.texts[i], err);
    if (status == PM_OK)
        status = trace_layout(a, structs, structure, a->advice->nakai, err);
    pm_candidates_found_free(&found);
    return status;
}

static pm_status trace_plain(pm_advising *a, pm_error *err)
{
    pm_workload *workload = pm_program_build(a->program, a->advice->base, a->size,
                                             pm_session_chosen(a->session)->seed, a->session, err);

    return workload ? trace(a, workload, err) : err->status;
}

static pm_status trace_layouts(pm_advising *a, pm_error *err)
{
    const char *target = a->options->target;
    pm_plain_run small;
    pm_status status =
        pm_plain_run_open(a->session, a->program, a->program->info.sizes[0], target, &small, err);

    if (status == PM_OK)
        a->advice->steps = pm_plain_run_nakai(a->session, &small, target, err);
    if (!a->advice->steps)
        status = err->status;
    for (size_t s = 0; a->advice->steps && status == PM_OK && s < a->advice->steps->count; s++)
        status = trace_struct(a, &small, s, err);
    pm_plain_run_close(&small);
    return status;
}

/* The versions that were asked for. */
static pm_status trace_named(pm_advising *a, pm_error *err)
{
    pm_status status = PM_OK;
    bool added;

    for (const char *const *v = a->options->variants; status == PM_OK && *v; v++)
        if (!is_choice(a->advice, *v))
            status = pm_advise_trace(a, *v, &added, err);
    return status;
}

pm_status pm_advise_candidates(pm_advising *a, pm_error *err)
{
    pm_status status;

    tell_progress(a, a->advice->base);
    status = trace_plain(a, err);
    if (status == PM_OK && a->options->variants)
        return trace_named(a, err);
    if (status == PM_OK && a->program->info.layouts)
        status = trace_layouts(a, err);
    return status;
}
