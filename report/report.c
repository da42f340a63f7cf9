/* Gathers what a report says. See perfmodel.h and report.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything that may be wrong with the names is looked at before the long work, which is an advice
 * and two traces for each target and program.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "session/session.h"
#include "suite/names.h"
#include "suite/suite.h"

/* What is under way. */
typedef struct {
    pm_session *session;
    const pm_report_options *options;
    pm_report *report;
    const char **programs; /* that are looked at; NULL-terminated. With a workload: none */
    size_t done, total;
    const char *target, *program;
} gathering;

static pm_status no_memory(pm_error *err)
{
    return pm_fail(err, PM_FAILED, "out of memory for the report");
}

void pm_report_free(pm_report *report)
{
    if (!report)
        return;
    for (size_t t = 0; t < report->target_count; t++)
        pm_report_target_clear(&report->targets[t]);
    for (size_t t = 0; t < report->known_count; t++)
        pm_report_target_clear(&report->known[t]);
    for (size_t o = 0; o < report->omission_count; o++) {
        free(report->omissions[o].target);
        free(report->omissions[o].program);
        free(report->omissions[o].reason);
    }
    free(report->targets);
    free(report->known);
    free(report->omissions);
    free(report->currency);
    free(report->command);
    free(report->date);
    free(report->size);
    free(report->workload);
    free(report);
}

static pm_status omit(pm_report *report, const char *target, const char *program,
                      const char *reason, pm_error *err)
{
    pm_report_omission *grown =
        realloc(report->omissions, (report->omission_count + 1) * sizeof *grown);

    if (!grown)
        return no_memory(err);
    report->omissions = grown;
    grown += report->omission_count++;
    *grown = (pm_report_omission){strdup(target), strdup(program), strdup(reason)};
    return grown->target && grown->program && grown->reason ? PM_OK : no_memory(err);
}

/* ---- the names ------------------------------------------------------------------------------ */

static const char *middle_size(const pm_program_info *info)
{
    size_t count = 0;

    while (info->sizes[count])
        count++;
    return info->sizes[(count - 1) / 2];
}

/* Leaves out programs that were not named and lack a base or the size. For a named one the first
 * such fault is the caller's error. */
static pm_status choose_program(gathering *g, const pm_program_info *info, size_t *count,
                                pm_error *err)
{
    const pm_report_options *o = g->options;
    const char *reason = NULL;

    if (!pm_listed(o->programs, info->name))
        return PM_OK;
    if (!info->base)
        reason = "measures the device, and there is nothing to advise";
    else if (o->size && !pm_listed(info->sizes, o->size))
        reason = "has no such size";
    if (!reason)
        g->programs[(*count)++] = info->name;
    return reason ? omit(g->report, "", info->name, reason, err) : PM_OK;
}

static pm_status choose_programs(gathering *g, pm_error *err)
{
    const pm_report_options *o = g->options;
    const char *const sizes[] = {o->size, NULL};
    pm_status status = pm_names_check(o->programs, NULL, o->size ? sizes : NULL, err);
    size_t count = 0;

    g->programs = calloc(pm_program_count() + 1, sizeof *g->programs);
    if (!g->programs)
        return no_memory(err);
    for (size_t p = 0; p < pm_program_count() && status == PM_OK; p++)
        status = choose_program(g, pm_program_at(p), &count, err);
    if (status == PM_OK && count == 0)
        status = pm_fail(err, PM_BAD_INPUT, "%s %s; name another program with --program",
                         g->report->omissions[0].program, g->report->omissions[0].reason);
    return status;
}

/* ---- a program on a target ------------------------------------------------------------------ */

/* A step, and those that it consists of. */
static void show(gathering *g, const char *what)
{
    char step[256];

    snprintf(step, sizeof step, "%s %s: %s", g->target, g->program, what);
    pm_session_show(g->session, g->done, g->total, step);
    snprintf(step, sizeof step, "%s %s: %s, ", g->target, g->program, what);
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
    return 0; /* advice names none that is not among them */
}

/* A trace that cannot be made leaves its tables out. */
static pm_status trace(gathering *g, const pm_advice *advice, const char *variant,
                       const pm_trace **out, pm_error *err)
{
    const char *workload = g->options->workload;
    const pm_trace_options options = {.target = advice->target, .workload = workload};
    char reason[1400];

    *out = pm_trace_run(g->session, workload ? NULL : advice->program, variant, advice->size,
                        &options, err);
    if (*out || pm_session_is_cancelled(g->session))
        return *out ? PM_OK : PM_FAILED;
    snprintf(reason, sizeof reason, "counters of %s: %s", variant, err->text);
    *err = (pm_error){0};
    return omit(g->report, advice->target, advice->program, reason, err);
}

static pm_status trace_both(gathering *g, pm_report_case *c, pm_error *err)
{
    const pm_advice *advice = c->advice;
    pm_status status = trace(g, advice, advice->base, &c->base_trace, err);

    if (status == PM_OK && c->candidate != c->base)
        status = trace(g, advice, advice->choices[c->candidate].variant, &c->trace, err);
    return status;
}

static pm_status fill_case(gathering *g, pm_report_case *c, pm_error *err)
{
    const pm_advice *advice = c->advice;
    pm_status status = PM_OK;

    c->base = find_choice(advice, advice->base);
    c->best = c->candidate = find_choice(advice, advice->best);
    for (size_t i = 0; i < advice->n && c->candidate == c->base; i++)
        if (i != c->base)
            c->candidate = i;
    c->costs = calloc(advice->n, sizeof *c->costs);
    if (!c->costs)
        return no_memory(err);
    for (size_t i = 0; i < advice->n && status == PM_OK; i++)
        status = pm_cost_of(advice, &advice->choices[i], &g->options->cost, &c->costs[i], err);
    c->live = g->report->live_count++;
    return status == PM_OK ? trace_both(g, c, err) : status;
}

/* What fails is left out; what the caller got wrong ends the work. */
static pm_status add_case(gathering *g, pm_report_target *target, const pm_program_info *info,
                          pm_error *err)
{
    const pm_report_options *o = g->options;
    const char *size = o->size || !info ? o->size : middle_size(info);
    const pm_advise_options advise = {.target = target->id,
                                      .program = info ? info->name : NULL,
                                      .variants = o->variants,
                                      .size = size,
                                      .workload = o->workload,
                                      .leave_out = o->leave_out,
                                      .clusters = o->clusters};
    pm_report_case *c = realloc(target->cases, (target->case_count + 1) * sizeof *c);
    pm_status status = PM_OK;

    if (!c)
        return no_memory(err);
    target->cases = c;
    c += target->case_count;
    *c = (pm_report_case){0};

    g->target = target->id;
    g->program = info ? info->name : "workload";
    show(g, "advise");
    c->advice = pm_advise(g->session, &advise, err);
    end_step(g);
    if (c->advice) {
        target->case_count++;
        status = fill_case(g, c, err);
    } else if (err->status == PM_BAD_INPUT || pm_session_is_cancelled(g->session)) {
        status = err->status;
    } else {
        char reason[sizeof err->text];

        memcpy(reason, err->text, sizeof reason);
        *err = (pm_error){0};
        pm_notice(pm_session_log(g->session), "%s on %s is left out: %s", g->program, g->target,
                  reason);
        status = omit(g->report, g->target, g->program, reason, err);
    }
    return status;
}

/* ---- the targets ---------------------------------------------------------------------------- */

static size_t length_of(const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count;
}

/* Before the first of them is validated. */
static pm_status check_targets(const pm_report_options *o, pm_error *err)
{
    for (size_t t = 0; t < length_of(o->targets); t++)
        for (size_t before = 0; before < t; before++)
            if (strcmp(o->targets[before], o->targets[t]) == 0)
                return pm_fail(err, PM_BAD_INPUT, "target %s: is there twice; name each once",
                               o->targets[t]);
    return PM_OK;
}

static pm_status open_targets(gathering *g, pm_error *err)
{
    const pm_report_options *o = g->options;
    size_t count = length_of(o->targets), programs = o->workload ? 1 : length_of(g->programs);
    pm_status status = check_targets(o, err);

    if (status != PM_OK)
        return status;

    g->total = count * (1 + programs);
    g->report->targets = calloc(count + 1, sizeof *g->report->targets);
    if (!g->report->targets)
        return no_memory(err);
    for (size_t t = 0; t < count && status == PM_OK; t++) {
        pm_report_target *target = &g->report->targets[t];

        g->target = o->targets[t];
        g->program = "all programs";
        show(g, "validate");
        g->report->target_count++;
        status = pm_report_open_target(g->session, target, o->targets[t], err);
        end_step(g);
    }
    return status;
}

/* GPUs with a dataset and a row in devices.csv. */
static pm_status read_known(gathering *g, pm_error *err)
{
    pm_report *report = g->report;
    pm_target *targets;
    size_t count;
    pm_status status = pm_targets(g->session, &targets, &count, err);

    if (status != PM_OK)
        return status;
    report->known = calloc(count + 1, sizeof *report->known);
    status = report->known ? PM_OK : no_memory(err);
    for (size_t t = 0; t < count && status == PM_OK; t++) {
        pm_report_target *known = &report->known[report->known_count++];

        known->id = strdup(targets[t].name);
        status = known->id ? pm_report_read_properties(g->session, known, err) : no_memory(err);
        if (status == PM_OK && known->property_count)
            status = pm_report_read_datasets(g->session, known, err);
        if (status == PM_OK && !known->property_count) {
            pm_report_target_clear(known);
            *known = (pm_report_target){0};
            report->known_count--;
        }
    }
    pm_targets_free(targets, count);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static char *copy_of(const char *text, bool *failed)
{
    char *copy = text ? strdup(text) : NULL;

    *failed = *failed || (text && !copy);
    return copy;
}

static pm_status describe(gathering *g, pm_error *err)
{
    const pm_report_options *o = g->options;
    pm_report *report = g->report;
    time_t now = time(NULL);
    bool failed = false;
    struct tm utc;
    char date[32];

    report->cost = o->cost;
    report->currency = copy_of(o->cost.currency, &failed);
    report->cost.currency = report->currency;
    report->command = copy_of(o->command, &failed);
    report->size = copy_of(o->size, &failed);
    report->workload = copy_of(o->workload, &failed);
    report->leave_out = o->leave_out;
    report->log = *pm_session_log(g->session);
    if (now == (time_t)-1 || !gmtime_r(&now, &utc) ||
        !strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc))
        return pm_fail(err, PM_FAILED, "the clock cannot be read");
    report->date = copy_of(date, &failed);
    return failed ? no_memory(err) : PM_OK;
}

static pm_status gather(gathering *g, pm_error *err)
{
    const pm_report_options *o = g->options;
    pm_report *report = g->report;
    pm_status status = pm_cost_check(&o->cost, err);

    if (status == PM_OK && length_of(o->targets) == 0)
        status = pm_fail(err, PM_BAD_INPUT, "no target: name a GPU, such as h100");
    if (status == PM_OK)
        status = describe(g, err);
    if (status == PM_OK && !o->workload)
        status = choose_programs(g, err);
    if (status == PM_OK)
        status = open_targets(g, err);
    if (status == PM_OK)
        status = read_known(g, err);
    for (size_t t = 0; t < report->target_count && status == PM_OK; t++) {
        if (o->workload)
            status = add_case(g, &report->targets[t], NULL, err);
        for (size_t p = 0; !o->workload && g->programs[p] && status == PM_OK; p++)
            status = add_case(g, &report->targets[t], &pm_suite_find(g->programs[p])->info, err);
    }
    if (status == PM_OK && report->live_count == 0)
        status = pm_fail(err, PM_FAILED, "%s on %s: %s",
                         report->omissions[report->omission_count - 1].program,
                         report->omissions[report->omission_count - 1].target,
                         report->omissions[report->omission_count - 1].reason);
    return status;
}

pm_report *pm_report_create(pm_session *session, const pm_report_options *options, pm_error *err)
{
    pm_error ignored = {0};
    gathering g = {.session = session, .options = options, .report = calloc(1, sizeof *g.report)};
    pm_status status;

    err = err ? err : &ignored;
    status = g.report ? gather(&g, err) : no_memory(err);
    free(g.programs);
    if (status == PM_OK)
        return g.report;
    pm_report_free(g.report);
    return NULL;
}

/* ---- what is in it -------------------------------------------------------------------------- */

const pm_report_case *pm_report_case_of(const pm_report_target *target, const char *program)
{
    for (size_t c = 0; c < target->case_count; c++)
        if (strcmp(target->cases[c].advice->program, program) == 0)
            return &target->cases[c];
    return NULL;
}

pm_shown_choice pm_report_shown(const pm_report_case *c, size_t number)
{
    return (pm_shown_choice){c->advice, number, &c->costs[number], c->live};
}

/* The number-th program, or how many there are where there are fewer; see report.h. */
static const char *walk_programs(const pm_report *report, size_t number, size_t *count)
{
    *count = 0;
    for (size_t t = 0; t < report->target_count; t++)
        for (size_t c = 0; c < report->targets[t].case_count; c++) {
            const char *program = report->targets[t].cases[c].advice->program;
            bool before = false;

            for (size_t k = 0; k < t; k++)
                before = before || pm_report_case_of(&report->targets[k], program);
            if (!before && (*count)++ == number)
                return program;
        }
    return NULL;
}

size_t pm_report_program_count(const pm_report *report)
{
    size_t count;

    walk_programs(report, (size_t)-1, &count);
    return count;
}

const char *pm_report_program_at(const pm_report *report, size_t number)
{
    size_t count;

    return walk_programs(report, number, &count);
}
