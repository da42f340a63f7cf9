/* Makes a row of the dataset for each kernel of a workload from the launches in a profiler's files.
 * See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run of the workload launches a kernel L times, maybe in several sizes. A profile with N
 * launches of the kernel has N / L runs. The kernel's time and counters in one run are L times the
 * weighted mean of the values of a launch. The weight of a size is the number of its launches in
 * the profile. */
#include <math.h>
#include <string.h>

#include "answer/import/parts.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "base/text.h"
#include "collector/measure.h"
#include "compiler/language.h"
#include "model/samples/dataset.h"
#include "program/suite/suite.h"

/* Relative tolerance when numbers of work-items are compared. Profilers count them exactly, but a
 * mean over launches is rounded. */
#define SAME 1e-6

/* A kernel of the workload. groups[count]: the launches of the kernel in the profile, with one
 * group for each size of launch. */
typedef struct {
    const pm_kernel_time *kernel;
    const pm_import_group **groups;
    size_t count;
    /* number of launches of the kernel in the profiler's tables, over all sizes of launches */
    double launches;
} matched_kernel;

/* One size (problem size) of the workload. Its launches are compared with those in the
 * profiler's files to find the size that was profiled. */
typedef struct {
    const char *variant, *size;
    pm_workload *workload;
    pm_timing timing;
    matched_kernel *kernels; /* array with one element for each kernel of the workload */
    /* number of kernels of the workload that occur in the profiler's tables */
    size_t matched;
    /* true: the profiler's tables say how many work-items the launches had */
    bool sized;
} sized_workload;

/* ---- matching kernels ------------------------------------------------------------------------ */

/* Returns a kernel's name without its namespaces and template arguments: "sum" for
 * "app::sum<int>". */
static const char *last_name(pm_memory *memory, const char *name)
{
    const char *base = pm_import_base_name(memory, name), *at;

    while ((at = strstr(base, "::")))
        base = at + 2;
    return base;
}

/* Returns true if only one kernel in the profiler's tables has the name `base` after namespaces and
 * template arguments are removed, so that the kernel can be found by this name. */
static bool is_alone(pm_importing *in, const char *base)
{
    const char *found = NULL;

    for (size_t i = 0; i < in->group_count; i++) {
        const char *name = in->groups[i].name;

        if (strcmp(last_name(&in->memory, name), base) != 0)
            continue;
        if (found && !pm_import_same_name(&in->memory, name, found))
            return false;
        found = name;
    }
    return found;
}

static void match(pm_importing *in, const pm_kernel_time *kernel, matched_kernel *m)
{
    const char *base = last_name(&in->memory, kernel->kernel);
    const bool alone = is_alone(in, base);

    *m = (matched_kernel){.kernel = kernel};
    for (size_t i = 0; i < in->group_count; i++) {
        const pm_import_group *group = &in->groups[i];

        if (!pm_import_same_name(&in->memory, kernel->kernel, group->name) &&
            !(alone && strcmp(last_name(&in->memory, group->name), base) == 0))
            continue;
        *pm_add(&in->memory, m->groups, m->count) = group;
        m->launches += pm_import_launches(group);
    }
}

/* Returns the mean number of work-items of the kernel's launches in the profiler's tables; 0:
 * unknown. */
static double mean_items(const matched_kernel *m)
{
    double sum = 0;

    for (size_t i = 0; i < m->count; i++) {
        if (!(m->groups[i]->items > 0))
            return 0;
        sum += m->groups[i]->items * pm_import_launches(m->groups[i]);
    }
    return sum / m->launches;
}

/* ---- choosing the size ----------------------------------------------------------------------- */

static void open_size(pm_importing *in, const char *size, sized_workload *w)
{
    const pm_import_options *o = in->options;

    *w = (sized_workload){.variant = o->variant ? o->variant : in->program->info.variants[0],
                          .size = size,
                          .sized = true};
    w->workload =
        pm_program_build(in->program, w->variant, size, pm_session_chosen(in->session)->seed,
                         in->session, in->memory.err);
    if (!w->workload)
        pm_give_up(&in->memory, in->memory.err->status);
    if (pm_timing_untimed(w->workload, &w->timing, in->memory.err) != PM_OK) {
        pm_workload_free(w->workload);
        pm_give_up(&in->memory, in->memory.err->status);
    }
    w->kernels = pm_take(&in->memory, w->timing.kernel_count, sizeof *w->kernels);
    for (size_t k = 0; k < w->timing.kernel_count; k++) {
        match(in, &w->timing.kernels[k], &w->kernels[k]);
        w->matched += w->kernels[k].count > 0;
        w->sized = w->sized && (w->kernels[k].count == 0 || mean_items(&w->kernels[k]) > 0);
    }
}

static void close_size(sized_workload *w)
{
    pm_timing_free(&w->timing);
    pm_workload_free(w->workload);
}

/* Returns the first kernel whose launches have another number of work-items in the profiler's
 * tables than in this size of the workload. NULL: all kernels match. */
static const matched_kernel *find_misfit(const sized_workload *w)
{
    for (size_t k = 0; k < w->timing.kernel_count; k++) {
        const matched_kernel *m = &w->kernels[k];
        const double items = m->kernel->work_items / m->kernel->launches;

        if (m->count > 0 && mean_items(m) > 0 && fabs(mean_items(m) / items - 1) > SAME)
            return m;
    }
    return NULL;
}

/* Raises an error because no kernel of the files is in the workload. */
static _Noreturn void refuse_kernels(pm_importing *in, sized_workload *w)
{
    char ours[400] = "", theirs[400] = "", shown[PM_SHOWN_CELL];

    for (size_t k = 0; k < w->timing.kernel_count; k++)
        pm_list_add(ours, sizeof ours, "%s", w->timing.kernels[k].kernel);
    for (size_t i = 0; i < in->group_count; i++)
        pm_list_add(theirs, sizeof theirs, "%s", pm_shown(in->groups[i].name, shown, sizeof shown));
    close_size(w);
    pm_import_fault(in,
                    "%s: its kernels are %s, and those of %s are %s; name the workload that was "
                    "profiled",
                    in->path, theirs, in->program->info.name, ours);
}

static _Noreturn void refuse_size(pm_importing *in, const char *size, const char *kernel,
                                  double profiled, double items)
{
    pm_import_fault(in,
                    "%s: its launches of %s have %.0f work-items, and those of size %s have %.0f; "
                    "%s",
                    in->path, kernel, profiled, size, items,
                    in->options->size ? "name the right size with --size, or leave it out"
                                      : "no size of the workload fits: add the size that was "
                                        "profiled to the workload file");
}

/* Finds the size of the workload that was profiled. It is the size that the user gave, or else the
 * first size whose launches have as many work-items as the profiled launches. */
static void choose_size(pm_importing *in, sized_workload *w)
{
    const char *const *sizes = in->program->info.sizes;
    const bool several = !in->options->size && sizes[1];

    for (size_t i = 0; in->options->size ? i == 0 : sizes[i] != NULL; i++) {
        const char *size = in->options->size ? in->options->size : sizes[i];
        const matched_kernel *misfit;
        const char *kernel;
        double profiled, items;

        open_size(in, size, w);
        if (w->matched == 0)
            refuse_kernels(in, w);
        if (several && !w->sized) {
            close_size(w);
            pm_import_fault(in,
                            "%s: it does not say how large the launches were; name the size with "
                            "--size, such as --size %s",
                            in->path, size);
        }
        misfit = find_misfit(w);
        if (!misfit)
            return;
        kernel = pm_copy(&in->memory, misfit->kernel->kernel);
        profiled = mean_items(misfit);
        items = misfit->kernel->work_items / misfit->kernel->launches;
        close_size(w);
        if (in->options->size || !sizes[i + 1])
            refuse_size(in, size, kernel, profiled, items);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Adds the counters of a launch to the counters of a run. one: counters of the launch; sum:
 * counters of the run; launches: number of such launches in the run, by which `one` is multiplied.
 * Properties of a launch, such as registers, are not summed: `sum` gets the largest value. */
static void add_counters(const pm_importing *in, const double *one, double launches, double *sum)
{
    for (size_t i = 0; i < in->columns->count; i++) {
        const bool property =
            i < in->columns->table_size && pm_counter_launch_property(in->columns->table, i);

        sum[i] = property ? fmax(sum[i], one[i]) : sum[i] + one[i] * launches;
    }
}

/* Computes the row of a kernel for one run of the workload. Writes the counters to `cells`, to
 * which the row points. */
static pm_sample run_of(pm_importing *in, const sized_workload *w, const matched_kernel *m,
                        double *cells)
{
    const pm_kernel_time *kernel = m->kernel;
    double *one = pm_take(&in->memory, in->columns->count, sizeof *one);
    pm_sample row = {.device = in->id,
                     .program = w->workload->program,
                     .variant = w->variant,
                     .size = w->size,
                     .kernel = kernel->kernel,
                     .counter_source = in->counted ? in->counted->tool : "none",
                     .runs = fmax(1, floor(m->launches / kernel->launches)),
                     .work_items = kernel->work_items,
                     .work_group = kernel->work_group,
                     .counters = cells,
                     .cuda = pm_is_cuda_launched(w->workload->source_path)};

    memset(cells, 0, in->columns->count * sizeof *cells);
    for (size_t i = 0; i < m->count; i++) {
        const pm_import_group *group = m->groups[i];
        const double launches = pm_import_launches(group) / m->launches * kernel->launches;
        double median_s, mad_s;

        pm_import_times(&in->memory, group, &median_s, &mad_s);
        row.time_s += median_s * launches;
        row.time_mad_s += mad_s * launches;
        pm_import_counters(in, group, one);
        add_counters(in, one, launches, cells);
    }
    return row;
}

/* ---- the trace engine's counters ------------------------------------------------------------- */

static void compare(pm_importing *in, const pm_sample *row, const pm_dataset *traced,
                    pm_import_compared **list)
{
    const pm_counter_table *table = in->columns->table;
    const pm_sample *there = pm_dataset_find(traced, row);

    for (size_t i = 0; there && i < in->columns->table_size; i++) {
        const char *name = pm_counter_name(table, i), *formula = pm_import_formula(in, i);
        const double value = pm_dataset_counter(traced, there, name);

        if (!formula || isnan(row->counters[i]) || isnan(value) ||
            pm_counter_kind_at(table, i) != PM_COUNTER_CODE ||
            (row->counters[i] == 0 && value == 0))
            continue;
        *pm_add(&in->kept, *list, in->result->compared_count) =
            (pm_import_compared){.kernel = pm_copy(&in->kept, row->kernel),
                                 .counter = pm_copy(&in->kept, name),
                                 .unit = pm_copy(&in->kept, pm_counter_unit(table, i)),
                                 .profiler_name = pm_copy(&in->kept, formula),
                                 .profiled = row->counters[i],
                                 .traced = value};
    }
}

/* Traces the workload to count its events. NULL: it was not traced. needed: true if the rows get
 * these counters, so that a failure is an error; false if they are only compared with the
 * profiler's. */
static const pm_counts *count(pm_importing *in, const sized_workload *w, bool needed)
{
    const pm_counted what = {
        .program = in->program, .variant = w->variant, .size = w->size, .target = in->id};
    const pm_counts *counts = NULL;
    pm_error why = {0};

    if (!needed && !in->counted)
        return NULL;
    if (pm_counts_find(in->session, &what, w->workload, &counts, &why) == PM_OK)
        return counts;
    if (needed || pm_session_is_cancelled(in->session))
        pm_leave(&in->memory, why.status, "%s", why.text);
    pm_session_leave_out(in->session, "counters are not compared with traced ones: %s", why.text);
    return NULL;
}

/* Replaces the profiler's counters of a row by the trace engine's counters `counts`. */
static void take_traced(pm_importing *in, pm_sample *row, double *cells, const pm_counts *counts)
{
    const pm_sample *there = pm_dataset_find(counts->rows, row);

    for (size_t i = 0; i < in->columns->count; i++)
        cells[i] =
            there ? pm_dataset_counter(counts->rows, there, in->columns->names[i]) : (double)NAN;
    row->counter_source = "trace";
}

/* Logs notices about kernels of the workload that the profiler's tables lack, and about kernels in
 * the tables that the workload lacks. */
static void tell_rest(pm_importing *in, const sized_workload *w)
{
    char list[600] = "", shown[PM_SHOWN_CELL];

    for (size_t k = 0; k < w->timing.kernel_count; k++)
        if (w->kernels[k].count == 0) {
            in->result->left_out++;
            pm_session_leave_out(in->session, "%s: left out: kernel %s was not profiled",
                                 w->workload->program, w->timing.kernels[k].kernel);
        }
    for (size_t i = 0; i < in->group_count; i++) {
        bool taken = false;

        for (size_t k = 0; k < w->timing.kernel_count; k++)
            for (size_t g = 0; g < w->kernels[k].count; g++)
                taken = taken || w->kernels[k].groups[g] == &in->groups[i];
        if (!taken)
            pm_list_add(list, sizeof list, "%s", pm_shown(in->groups[i].name, shown, sizeof shown));
    }
    if (*list)
        pm_notice(pm_session_log(in->session), "kernels of the profile that %s does not have: %s",
                  w->workload->program, list);
}

/* Arguments of add_rows(), which adds a row for each kernel of the workload size `w` to the
 * dataset. */
typedef struct {
    pm_importing *in;
    sized_workload *w;
} adding;

static void add_rows(void *user)
{
    const adding *a = user;
    pm_importing *in = a->in;
    const sized_workload *w = a->w;
    const bool traced = in->options->counters && strcmp(in->options->counters, "trace") == 0;
    const bool none = in->options->counters && strcmp(in->options->counters, "none") == 0;
    const pm_counts *counts = none ? NULL : count(in, w, traced);
    double *cells = pm_take(&in->memory, in->columns->count, sizeof *cells);
    pm_import_compared *compared = NULL;

    tell_rest(in, w);
    for (size_t k = 0; k < w->timing.kernel_count; k++) {
        pm_sample row;

        if (w->kernels[k].count == 0)
            continue;
        row = run_of(in, w, &w->kernels[k], cells);
        if (counts)
            compare(in, &row, counts->rows, &compared);
        if (isnan(row.time_s)) {
            in->result->left_out++;
            pm_session_leave_out(in->session, "%s: left out: no file has the time of kernel %s",
                                 row.program, row.kernel);
            continue;
        }
        if (traced && counts)
            take_traced(in, &row, cells, counts);
        if (none)
            row.counter_source = "none";
        pm_require(&in->memory, pm_dataset_append(in->rows, &row, in->memory.err));
    }
    in->result->compared = compared;
}

void pm_import_run_rows(pm_importing *in)
{
    jmp_buf *way_out = in->memory.way_out;
    sized_workload w;
    adding a = {in, &w};
    pm_status status;

    choose_size(in, &w);
    status = pm_attempt(&in->memory, add_rows, &a, in->memory.err);
    in->memory.way_out = way_out;
    close_size(&w);
    pm_require(&in->memory, status);
}
