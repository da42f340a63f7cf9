/* Counts the events of the unmodified program (the base variant) and of versions with other data
 * layouts, in the trace engine. The layouts come from a search over ways to divide a struct's
 * fields among several arrays (partitions of the fields). See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/advise/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "collector/worker/source.h"
#include "model/samples/dataset.h"
#include "program/suite/suite.h"
#include "transform/layout/nakai/nakai.h"

enum { DEFAULT_CLUSTERS = 10 };

static void tell_progress(pm_advising *a, const char *variant)
{
    size_t done = a->advice->n;

    if (a->expected > 0 && a->expected <= done)
        a->expected = done + 1;
    pm_session_show(a->session, done, a->expected, variant);
}

/* ---- one layout ------------------------------------------------------------------------------ */

static pm_choice *add_choice(pm_advising *a, const char *variant)
{
    pm_choice *choice = pm_add(&a->kept, a->advice->choices, a->advice->n);

    *choice = (pm_choice){.variant = pm_copy(&a->kept, variant)};
    return choice;
}

/* Gives a notice that a variant of the program, such as one with another data layout, was left out
 * of the ranking. If the user requested the variant, or if the program lists it, the command also
 * ends with another exit code. The exit code does not change if advise itself generated the
 * variant. */
static void leave_out(pm_advising *a, const char *variant, const char *why)
{
    const char *const *asked = a->options->variants;

    if ((asked && pm_listed(asked, variant)) || pm_listed(a->program->info.variants, variant))
        pm_session_leave_out(a->session, "%s: left out: %s", variant, why);
    else
        pm_notice(pm_session_log(a->session), "%s: left out: %s", variant, why);
    if (a->expected > 0)
        a->expected--;
}

/* Traces a workload to count its events, frees the workload, and adds its variant to the choices
 * (the versions that are ranked). Returns false if the workload cannot be traced; the variant is
 * then left out with a notice. If the base variant cannot be traced, raises an error. */
static bool trace(pm_advising *a, pm_workload *workload)
{
    const pm_counted what = {.program = a->program,
                             .variant = workload->variant,
                             .size = a->size,
                             .target = a->options->target};
    pm_error *err = a->memory.err, why = {0};
    const bool base = strcmp(workload->variant, a->advice->base) == 0;
    const pm_counts *counts;
    pm_choice *choice;

    a->workload = workload;
    /* check NULL: results are not compared while tracing. Later, best.c compares the results of the
     * proposed version with the results of the base variant. */
    if (a->program->build_against)
        workload->check = NULL;
    if (pm_counts_find(a->session, &what, workload, &counts, &why) != PM_OK) {
        if (base || pm_session_is_cancelled(a->session))
            pm_leave(&a->memory, why.status, "%s", why.text);
        leave_out(a, workload->variant, why.text);
        pm_workload_free(workload);
        a->workload = NULL;
        return false;
    }
    pm_require(&a->memory, pm_dataset_append_all(a->rows, counts->rows, err));
    choice = add_choice(a, workload->variant);
    choice->rewrite = pm_advise_rewrite(a, workload);
    choice->registers_source = counts->registers_source;
    *pm_add(&a->memory, a->traced, a->traced_count) =
        (pm_traced_version){pm_copy(&a->memory, workload->variant), workload->work};
    pm_workload_free(workload);
    a->workload = NULL;
    return true;
}

bool pm_advise_trace(pm_advising *a, const char *variant)
{
    pm_error why = {0};
    pm_workload *workload = pm_program_build(a->program, variant, a->size,
                                             pm_session_chosen(a->session)->seed, a->session, &why);

    if (workload) {
        tell_progress(a, variant);
        return trace(a, workload);
    }
    if (why.status != PM_BAD_INPUT || pm_session_is_cancelled(a->session))
        pm_leave(&a->memory, why.status, "%s", why.text);
    leave_out(a, variant, why.text);
    return false;
}

/* ---- removed code ---------------------------------------------------------------------------- */

/* Returns the number of instructions of all work-items and kernels of a version (variant of the
 * program); 0: unknown. */
static double instructions_of(const pm_advising *a, const char *variant)
{
    double sum = 0;

    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++)
        if (pm_advise_is_of(a, i, variant))
            sum +=
                pm_dataset_counter(a->rows, pm_dataset_sample(a->rows, i), "thread_inst_executed");
    return isnan(sum) ? 0 : sum;
}

/* Smallest plausible ratio of a staged version's number of instructions to the base variant's.
 * Staging and tiling save address computations and loads, but not more than this. If the ratio is
 * smaller, the compiler has removed some of the work. */
static const double LEAST_SHARE = 0.25;

static bool has_lost_work(const pm_advising *a, const char *variant)
{
    return instructions_of(a, variant) < LEAST_SHARE * instructions_of(a, a->advice->base);
}

static bool is_choice(const pm_advice *advice, const char *variant)
{
    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, variant) == 0)
            return true;
    return false;
}

void pm_advise_trace_staged(pm_advising *a, const char *variant)
{
    const char *base = a->advice->base;

    if (!pm_advise_trace(a, variant) || pm_listed(a->program->info.variants, variant) ||
        !has_lost_work(a, variant))
        return;
    if (!is_choice(a->advice, PM_RESTRICT_VARIANT) && !pm_advise_trace(a, PM_RESTRICT_VARIANT))
        return;
    if (!has_lost_work(a, PM_RESTRICT_VARIANT))
        return;
    /* Removes the version that stages arrays in local memory from the choices (the versions that
     * are ranked). Usually it is the last choice. If PM_RESTRICT_VARIANT was traced after it, it is
     * the last but one. */
    for (size_t c = 0; c < a->advice->n; c++)
        if (strcmp(a->advice->choices[c].variant, variant) == 0) {
            memmove(&a->advice->choices[c], &a->advice->choices[c + 1],
                    (a->advice->n - c - 1) * sizeof *a->advice->choices);
            a->advice->n--;
            break;
        }
    pm_notice(pm_session_log(a->session),
              "%s: left out: it executes %.3g instructions where %s executes %.3g, as parts of the "
              "code do nothing once no two pointers overlap; __restrict__ alone does the same "
              "(version %s), so that this is no gain of local memory",
              variant, instructions_of(a, variant), base, instructions_of(a, base),
              PM_RESTRICT_VARIANT);
}

/* ---- uses of the fields ---------------------------------------------------------------------- */

/* Returns the value of a kernel's counter; 0 if it is unknown. */
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

/* Returns the variant's name if the program lists this layout as one of its variants; otherwise
 * `text`, the layout's own text. */
static const char *listed_name(const pm_program *program, const char *text)
{
    for (const pm_named_layout *named = program->layouts; named && named->variant; named++)
        if (strcmp(named->layouts, text) == 0)
            return named->variant;
    return text;
}

/* Stores in the advice the layout that Nakai's method chose for a struct; "aos" (array of structs)
 * if the source stays unchanged. */
static void ask_nakai(pm_advising *a, size_t structure)
{
    const pm_nakai_struct *decided = &a->advice->steps->structs[structure];
    const char *text =
        decided->layout.kind == PM_LAYOUT_CLUSTER && decided->layout.cluster_count == 1
            ? "aos-align"
            : decided->layout_text;

    a->advice->nakai = pm_copy(&a->kept, listed_name(a->program, text));
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Searches for layouts that split the fields of one struct into several arrays of structs. The
 * search estimates them by the uses of the fields and by the L1 miss rate of each kernel. Returns
 * the layouts with the best estimates. */
static pm_candidates_found search_struct(pm_advising *a, size_t structure)
{
    const pm_source_info *source = pm_source_describe(a->small.source);
    const pm_counts *counts = a->small.counts;
    double *misses = pm_take(&a->memory, source->kernel_count, sizeof *misses);
    const pm_search_options options = {.misses = misses,
                                       .clusters = a->options->clusters ? a->options->clusters
                                                                        : DEFAULT_CLUSTERS};
    const pm_field_use *uses;
    size_t count;

    for (size_t k = 0; k < source->kernel_count; k++) {
        double hit = counted(counts->rows, source->kernels[k].name, "l1_global_load_hit");
        double miss = counted(counts->rows, source->kernels[k].name, "l1_global_load_miss");

        misses[k] = hit + miss > 0 ? miss / (hit + miss) : 1;
    }
    uses = pm_uses(&a->memory, source, structure, counts->trace.kernels, counts->trace.kernel_count,
                   &count);
    return pm_layout_search(&a->memory, &source->structs.items[structure], uses, count, &options);
}

/* Traces a layout of one struct. Other structs keep the layout that they have in the base
 * variant. */
static void trace_layout(pm_advising *a, const pm_structs *structs, size_t structure,
                         const char *text)
{
    const char *variant = listed_name(a->program, text);

    if (strcmp(text, a->advice->base) == 0)
        return; /* the base variant, which is traced already */
    if (structs->count > 1)
        variant = pm_format(&a->memory, "%s=%s", structs->items[structure].name, text);
    if (!is_choice(a->advice, variant))
        pm_advise_trace(a, variant);
}

static bool is_found(const pm_advising *a, const pm_candidates_found *found, const char *variant)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(listed_name(a->program, found->texts[i]), variant) == 0)
            return true;
    return false;
}

/* Traces the layouts that the search found, and the layout that Nakai's method chose. The first
 * layout found is skipped, because it is the base variant. */
static void trace_struct(pm_advising *a, size_t structure)
{
    const pm_structs *structs = &pm_source_describe(a->small.source)->structs;
    const pm_candidates_found found = search_struct(a, structure);

    ask_nakai(a, structure);
    a->advice->examined += found.examined;
    a->expected = a->advice->n + found.count - (is_found(a, &found, a->advice->nakai) ? 1 : 0);
    for (size_t i = 1; i < found.count; i++)
        trace_layout(a, structs, structure, found.texts[i]);
    trace_layout(a, structs, structure, a->advice->nakai);
}

static void trace_layouts(pm_advising *a)
{
    const char *target = a->options->target;
    pm_error *err = a->memory.err;

    pm_require(&a->memory, pm_plain_run_open(a->session, a->program, a->program->info.sizes[0],
                                             target, &a->small, err));
    a->advice->steps = pm_plain_run_nakai(&a->kept, a->session, &a->small, target);
    for (size_t s = 0; s < a->advice->steps->count; s++)
        trace_struct(a, s);
    pm_plain_run_close(&a->small);
    a->small = (pm_plain_run){0};
}

void pm_advise_candidates(pm_advising *a)
{
    const char *const *named = a->options->variants;

    tell_progress(a, a->advice->base);
    /* raises an error if the base variant cannot be traced */
    (void)trace(a, pm_advise_build(a, a->advice->base));
    if (!named && a->program->info.layouts)
        trace_layouts(a);
    for (; named && *named; named++)
        if (!is_choice(a->advice, *named))
            pm_advise_trace(a, *named);
}
