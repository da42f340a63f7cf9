/* Computes all numbers of a report about several programs and GPUs. See perfmodel.h and report.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All names are checked before the long work, which is an advice and two traces for each target and
 * program.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/version.h"
#include "program/suite/suite.h"

/* State while the content of a report is computed. */
typedef struct {
    pm_session *session;
    const pm_report_options *options;
    pm_report *report;
    pm_memory *memory; /* the report's memory */
    size_t program_count;
    /* the programs in the report: of the suite, or the user's workloads */
    const pm_program **programs;
    size_t done, total;
    const char *target, *program;
    size_t found_count; /* number of members of `found`, the GPUs that have a dataset */
    pm_target *found;
} gathering;

void pm_report_free(pm_report *report)
{
    if (!report)
        return;
    for (size_t t = 0; t < report->target_count; t++)
        pm_report_target_clear(&report->targets[t]);
    for (size_t t = 0; t < report->known_count; t++)
        pm_report_target_clear(&report->known[t]);
    pm_memory_free(&report->memory);
    free(report);
}

static void omit(gathering *g, const char *target, const char *program, const char *reason)
{
    pm_report *report = g->report;

    *pm_add(g->memory, report->omissions, report->omission_count) = (pm_report_omission){
        pm_copy(g->memory, target), pm_copy(g->memory, program), pm_copy(g->memory, reason)};
}

/* ---- the names ------------------------------------------------------------------------------ */

static size_t length_of(const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count;
}

/* Returns whether a program of the suite is part of the report. Programs that the user did not
 * choose are ignored. A chosen program is recorded as omitted, with the reason, if it has no base
 * variant or lacks the chosen size. */
static bool is_chosen(gathering *g, const pm_program_info *info)
{
    const pm_report_options *o = g->options;
    const char *reason = NULL;

    if (!pm_listed(o->programs, info->name))
        return false;
    if (!info->base)
        reason = "measures the device, and there is nothing to advise";
    else if (o->size && !pm_listed(info->sizes, o->size))
        reason = "has no such size";
    if (reason)
        omit(g, "", info->name, reason);
    return !reason;
}

static void choose_of_suite(gathering *g)
{
    const pm_report_options *o = g->options;
    const char *const sizes[] = {o->size, NULL};
    const pm_programs *suite;

    suite = pm_programs_find(g->session, NULL, NULL, NULL, g->memory->err);
    if (!suite)
        pm_give_up(g->memory, g->memory->err->status);
    pm_require(g->memory,
               pm_names_check(suite, o->programs, NULL, o->size ? sizes : NULL, g->memory->err));
    g->programs = pm_take(g->memory, suite->count, sizeof *g->programs);
    for (size_t p = 0; p < suite->count; p++)
        if (is_chosen(g, &suite->items[p]->info))
            g->programs[g->program_count++] = suite->items[p];
    if (g->program_count == 0)
        pm_leave(g->memory, PM_BAD_INPUT, "%s %s; name another program with --program",
                 g->report->omissions[0].program, g->report->omissions[0].reason);
}

static void choose_programs(gathering *g)
{
    const pm_programs *own;

    if (!g->options->workloads) {
        choose_of_suite(g);
        return;
    }
    own = pm_workloads_find(g->session, g->options->workloads, g->memory->err);
    if (!own)
        pm_give_up(g->memory, g->memory->err->status);
    g->programs = own->items;
    g->report->assumed = own->assumed;
    g->program_count = own->count;
}

/* ---- a program on a target ------------------------------------------------------------------ */

/* Reports progress: the next step of the work. Also sets the prefix for the names of its
 * substeps. */
static void show(gathering *g, const char *target, const char *program, const char *what)
{
    char step[256];

    g->target = target;
    g->program = program;
    snprintf(step, sizeof step, "%s %s: %s", target, program, what);
    pm_session_show(g->session, g->done, g->total, step);
    snprintf(step, sizeof step, "%s %s: %s, ", target, program, what);
    pm_session_show_within(g->session, g->done, g->total, step);
}

static void end_step(gathering *g)
{
    pm_session_show_within(g->session, 0, 0, NULL);
    g->done++;
}

static size_t find_choice(const pm_advice *advice, const char *variant)
{
    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, variant) == 0)
            return i;
    /* not reached, because advice->base and advice->best are names of variants in advice->choices
     */
    return 0;
}

/* Traces a version of a program. If the trace fails, records the reason and returns NULL. The
 * report then has no tables of this version's counters. */
static const pm_trace *trace(gathering *g, const pm_program *program, const pm_advice *advice,
                             const char *variant)
{
    const pm_trace_options options = {.target = advice->target, .workload = program->path};
    pm_error why = {0};
    const pm_trace *made = pm_trace_run(g->session, program->path ? NULL : advice->program, variant,
                                        advice->size, &options, &why);

    if (!made && pm_session_is_cancelled(g->session))
        pm_leave(g->memory, PM_FAILED, "%s", why.text);
    if (!made)
        omit(g, advice->target, advice->program,
             pm_format(g->memory, "counters of %s: %s", variant, why.text));
    return made;
}

static void fill_case(gathering *g, const pm_program *program, pm_report_case *c)
{
    const pm_advice *advice = c->advice;

    c->base = find_choice(advice, advice->base);
    c->best = c->candidate = find_choice(advice, advice->best);
    for (size_t i = 0; i < advice->n && c->candidate == c->base; i++)
        if (i != c->base)
            c->candidate = i;
    c->costs = pm_take(g->memory, advice->n, sizeof *c->costs);
    for (size_t i = 0; i < advice->n; i++)
        pm_require(g->memory, pm_cost_of(advice, &advice->choices[i], &g->options->cost,
                                         &c->costs[i], g->memory->err));
    c->money = g->options->money;
    g->report->case_count++;
    c->base_trace = trace(g, program, advice, advice->base);
    if (c->candidate != c->base)
        c->trace = trace(g, program, advice, advice->choices[c->candidate].variant);
}

/* If the workload has a [tune] section, searches the versions that it describes, with pm_tune's
 * default limit on the number of traced versions. Adds the result to a case (the results for a
 * program on a target). */
static void add_tuning(gathering *g, const pm_program *program, pm_report_case *c)
{
    const pm_tune_options options = {.target = c->advice->target,
                                     .workload = program->path,
                                     .size = c->advice->size,
                                     .leave_out = g->options->leave_out};
    pm_error why = {0};

    if (!program->info.tuned)
        return;
    c->tuning = pm_tune(g->session, &options, &why);
    if (!c->tuning && pm_session_is_cancelled(g->session))
        pm_leave(g->memory, PM_FAILED, "%s", why.text);
    if (!c->tuning)
        omit(g, c->advice->target, c->advice->program,
             pm_format(g->memory, "versions of [tune]: %s", why.text));
}

/* Adds a case (the results for a program on a target) to the report. If the advice for it fails,
 * the case is left out, and the report names the reason. The exception is wrong input
 * (PM_BAD_INPUT) if the report has one target, and not several workloads: it ends the work with the
 * error. */
static void add_case(gathering *g, pm_report_target *target, const pm_program *program)
{
    const pm_report_options *o = g->options;
    const pm_program_info *info = &program->info;
    const char *size =
        o->size || program->path ? o->size : info->sizes[(length_of(info->sizes) - 1) / 2];
    const bool one_of_several =
        (program->path && g->program_count > 1) || (o->targets[0] && o->targets[1]);
    const pm_advise_options advise = {.target = target->id,
                                      .program = info->name,
                                      .variants = o->variants,
                                      .size = size,
                                      .workload = program->path,
                                      .leave_out = o->leave_out,
                                      .clusters = o->clusters,
                                      .check_limit = o->check_limit};
    pm_error why = {0};
    pm_advice *advice;

    show(g, target->id, info->name, "advise");
    target->cases = pm_more(g->memory, target->cases, target->case_count, sizeof *target->cases);
    advice = pm_advise(g->session, &advise, &why);
    end_step(g);
    if (advice) {
        pm_report_case *c = &target->cases[target->case_count++];

        *c = (pm_report_case){.advice = advice};
        fill_case(g, program, c);
        add_tuning(g, program, c);
    } else if ((why.status == PM_BAD_INPUT && !one_of_several) ||
               pm_session_is_cancelled(g->session)) {
        pm_leave(g->memory, why.status, "%s", why.text);
    } else {
        pm_session_leave_out(g->session, "%s on %s is left out: %s", g->program, g->target,
                             why.text);
        omit(g, g->target, g->program, why.text);
    }
}

/* ---- the targets ---------------------------------------------------------------------------- */

/* Raises PM_BAD_INPUT if a target is named twice. It is called before the long work on the first
 * target. */
static void check_targets(const gathering *g)
{
    const char *const *targets = g->options->targets;

    for (size_t t = 0; t < length_of(targets); t++)
        for (size_t before = 0; before < t; before++)
            if (strcmp(targets[before], targets[t]) == 0)
                pm_leave(g->memory, PM_BAD_INPUT, "target %s: is there twice; name each once",
                         targets[t]);
}

static void open_targets(gathering *g)
{
    const pm_report_options *o = g->options;
    size_t count = length_of(o->targets);

    check_targets(g);
    g->total = count * (1 + g->program_count);
    g->report->targets = pm_take(g->memory, count, sizeof *g->report->targets);
    for (size_t t = 0; t < count; t++) {
        show(g, o->targets[t], "all programs", "validate");
        pm_report_open_target(g->memory, g->session, &g->report->targets[g->report->target_count++],
                              o->targets[t]);
        end_step(g);
    }
}

/* Reads the properties and datasets of all GPUs that have a dataset and a row in devices.csv. The
 * report compares a target with them. */
static void read_known(gathering *g)
{
    pm_report *report = g->report;

    pm_require(g->memory, pm_targets(g->session, &g->found, &g->found_count, g->memory->err));
    report->known = pm_take(g->memory, g->found_count, sizeof *report->known);
    for (size_t t = 0; t < g->found_count; t++) {
        pm_report_target *known = &report->known[report->known_count++];

        pm_report_read_properties(g->memory, g->session, known, g->found[t].name);
        if (known->property_count) {
            pm_report_read_datasets(g->memory, g->session, known);
        } else {
            pm_report_target_clear(known);
            *known = (pm_report_target){0};
            report->known_count--;
        }
    }
}

/* ---- the whole report ----------------------------------------------------------------------- */

static void describe(gathering *g)
{
    const pm_report_options *o = g->options;
    pm_report *report = g->report;
    time_t now = time(NULL);
    struct tm utc;
    char date[32];

    report->cost = o->cost;
    report->money = o->money;
    report->cost.currency = o->cost.currency ? pm_copy(g->memory, o->cost.currency) : NULL;
    report->command = o->command ? pm_copy(g->memory, o->command) : NULL;
    report->leave_out = o->leave_out;
    report->log = *pm_session_log(g->session);
    if (now == (time_t)-1 || !gmtime_r(&now, &utc) ||
        !strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc))
        pm_leave(g->memory, PM_FAILED, "the clock cannot be read");
    report->date = pm_copy(g->memory, date);
}

static void gather(void *user)
{
    gathering *g = user;
    const pm_report_options *o = g->options;
    pm_report *report = g->report;

    pm_require(g->memory, pm_cost_check(&o->cost, g->memory->err));
    if (length_of(o->targets) == 0)
        pm_leave(g->memory, PM_BAD_INPUT, "no target: name a GPU, such as h100");
    describe(g);
    choose_programs(g);
    open_targets(g);
    read_known(g);
    for (size_t t = 0; t < report->target_count; t++)
        for (size_t p = 0; p < g->program_count; p++)
            add_case(g, &report->targets[t], g->programs[p]);
    if (report->case_count == 0) {
        const pm_report_omission *last = &report->omissions[report->omission_count - 1];

        pm_leave(g->memory, PM_FAILED, "%s on %s: %s", last->program, last->target, last->reason);
    }
}

pm_report *pm_report_create(pm_session *session, const pm_report_options *options, pm_error *err)
{
    pm_error ignored = {0};
    gathering g = {.session = session, .options = options, .report = calloc(1, sizeof *g.report)};
    pm_status status;

    err = err ? err : &ignored;
    if (!g.report) {
        pm_fail(err, PM_FAILED, "out of memory for the report");
        return NULL;
    }
    g.memory = &g.report->memory;
    status = PM_UNUSED(options, err);
    if (status == PM_OK)
        status = pm_attempt(g.memory, gather, &g, err);
    pm_targets_free(g.found, g.found_count);
    if (status == PM_OK)
        return g.report;
    pm_report_free(g.report);
    return NULL;
}

/* ---- access to the content ------------------------------------------------------------------ */

const pm_report_case *pm_report_case_of(const pm_report_target *target, const char *program)
{
    for (size_t c = 0; c < target->case_count; c++)
        if (strcmp(target->cases[c].advice->program, program) == 0)
            return &target->cases[c];
    return NULL;
}

pm_shown_choice pm_report_shown(const pm_report_case *c, size_t number)
{
    return (pm_shown_choice){c->advice, number, c->money ? &c->costs[number] : NULL};
}

/* Returns true if no target before this one has the program in its results. */
static bool is_first(const pm_report *report, size_t target, const char *program)
{
    for (size_t t = 0; t < target; t++)
        if (pm_report_case_of(&report->targets[t], program))
            return false;
    return true;
}

const char *pm_report_program_at(const pm_report *report, size_t number)
{
    for (size_t t = 0; t < report->target_count; t++)
        for (size_t c = 0; c < report->targets[t].case_count; c++) {
            const char *program = report->targets[t].cases[c].advice->program;

            if (is_first(report, t, program) && number-- == 0)
                return program;
        }
    return NULL;
}

size_t pm_report_program_count(const pm_report *report)
{
    size_t count = 0;

    while (pm_report_program_at(report, count))
        count++;
    return count;
}
