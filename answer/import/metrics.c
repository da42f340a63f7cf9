/* Converts the hardware counters that a profiler has measured to perfmodel's counters. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nsight Compute's metrics are CUPTI's, so that the formulas of the counter table apply. The names
 * of other profilers, and Nsight Compute's metrics of a launch, are in profilers.csv.
 */
#include <math.h>
#include <string.h>

#include "answer/import/parts.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "base/text.h"

static const char NCU[] = "ncu", LAUNCHES[] = "launches";

/* Input of value_of(). in: the import, with the names of all counters in the files. group: the
 * launches whose counters are evaluated; NULL: value_of() only tests whether the files have a
 * counter. */
typedef struct {
    const pm_importing *in;
    const pm_import_group *group;
} group_values;

/* Returns the mean per launch of the profiler's counter `name` in the group user->group. If
 * user->group is NULL, returns 0 if any file has the counter. NaN: the counter is unknown. */
static double value_of(void *user, const char *name)
{
    const group_values *v = user;
    const pm_importing *in = v->in;
    /* Other tools write the sum over all channels of a cache, such as TCC_HIT_sum. rocprof-compute
     * instead writes a column for each channel, such as TCC_HIT[0]. The code below adds these
     * columns. */
    const size_t bare = strlen(name) - (pm_ends_in(name, "_sum") ? 4 : 0);
    double sum = 0;
    bool any = false;

    for (size_t i = 0; !v->group && i < in->metrics.count; i++)
        if (strcmp(in->metrics.items[i], name) == 0 ||
            (name[bare] && strncmp(in->metrics.items[i], name, bare) == 0 &&
             in->metrics.items[i][bare] == '['))
            return 0;
    for (size_t i = 0; v->group && i < v->group->sum_count; i++) {
        const pm_import_sum *s = &v->group->sums[i];
        const char *metric = in->metrics.items[s->metric];

        if (strcmp(metric, name) == 0)
            return s->sum / s->launches;
        if (name[bare] && strncmp(metric, name, bare) == 0 && metric[bare] == '[') {
            sum += s->sum / s->launches;
            any = true;
        }
    }
    return any ? sum : (double)NAN;
}

/* Computes perfmodel's counter number `counter` from the profiler's counters of the group. Several
 * formulas may exist, and the first one is used whose counters are all known. *used gets this
 * formula; NULL: there is none, and the value is NaN. */
static double evaluate(pm_importing *in, const pm_import_group *group, size_t counter,
                       const char **used)
{
    group_values values = {in, group};
    const char *formula =
        pm_profiler_name(&in->profiler, pm_counter_name(in->columns->table, counter));
    double value = (double)NAN;

    *used = NULL;
    for (size_t i = 0; isnan(value) && strcmp(in->counted->tool, NCU) == 0; i++) {
        const char *cupti = pm_counter_any_expression(in->columns->table, counter, i);

        if (!cupti || pm_counter_launch_property(in->columns->table, counter))
            break;
        value = pm_profiler_evaluate(cupti, value_of, &values, &in->memory, used);
    }
    if (isnan(value) && formula)
        value = pm_profiler_evaluate(formula, value_of, &values, &in->memory, used);
    return value;
}

void pm_import_open_metrics(pm_importing *in)
{
    const bool errors = in->options->counters && strcmp(in->options->counters, "trace") == 0;

    in->columns = pm_count_columns_find(in->session, errors, in->memory.err);
    if (!in->columns)
        pm_give_up(&in->memory, in->memory.err->status);
    if (in->counted && in->counted->profiler)
        in->profiler = pm_profiler_named(NULL, in->counted->profiler, in->capability, &in->memory);
    if (in->counted && in->profiler.count == 0)
        pm_import_fault(
            in,
            "%s: the names of %s's counters on %s are not known; profile it with another "
            "tool",
            in->path, in->counted->tool, in->id);
}

const char *pm_import_formula(pm_importing *in, size_t counter)
{
    const char *used = NULL;

    if (in->counted)
        evaluate(in, NULL, counter, &used);
    return used;
}

void pm_import_counters(pm_importing *in, const pm_import_group *group, double *cells)
{
    const bool none = in->options->counters && strcmp(in->options->counters, "none") == 0;

    for (size_t i = 0; i < in->columns->count; i++) {
        const char *used;

        cells[i] = (double)NAN;
        if (i < in->columns->table_size && in->counted && !none)
            cells[i] = evaluate(in, group, i, &used);
        if (strcmp(in->columns->names[i], LAUNCHES) == 0)
            cells[i] = 1;
        else if (strcmp(in->columns->names[i], "work_groups") == 0 && isnan(cells[i]) &&
                 group->group > 0 && group->items > 0)
            cells[i] = ceil(group->items / group->group);
    }
}

/* ---- counters that perfmodel does not have --------------------------------------------------- */

/* Returns true if the name of a counter occurs as a whole word in the formula, where words are
 * separated by spaces. length: length of the name. */
static bool has_term(const char *formula, const char *name, size_t length)
{
    for (const char *at = formula; (at = strstr(at, name)); at += length) {
        const char after = at[length];

        if ((at == formula || at[-1] == ' ') && (after == ' ' || !after))
            return true;
    }
    return false;
}

/* Returns true if one of the formulas, from which perfmodel's counters were computed, contains the
 * profiler's counter `metric`. */
static bool is_used(const char *const *formulas, size_t count, const char *metric)
{
    const size_t channel = strcspn(metric, "[");
    char sum[128] = "";

    if (metric[channel] && channel + 5 < sizeof sum)
        memcpy(mempcpy(sum, metric, channel), "_sum", 5);
    for (size_t i = 0; i < count; i++)
        if (formulas[i] && (has_term(formulas[i], metric, strlen(metric)) ||
                            (*sum && has_term(formulas[i], sum, strlen(sum)))))
            return true;
    return false;
}

/* Returns true if the name belongs to a property of the launch, the GPU or the run, not to a
 * counter. */
static bool is_description(const char *metric)
{
    static const char *const beginnings[] = {"launch__", "device__attribute", "profiler__",
                                             "numa__"};

    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(metric, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return strcmp(metric, PM_IMPORT_DURATION) == 0;
}

/* Returns a copy of a metric's name in which the number of a cache channel is replaced: TCC_HIT[*]
 * for TCC_HIT[0]. */
static const char *without_channel(pm_importing *in, const char *metric)
{
    const size_t bare = strcspn(metric, "[");

    return metric[bare] ? pm_format(&in->kept, "%.*s[*]", (int)bare, metric)
                        : pm_copy(&in->kept, metric);
}

void pm_import_tell_unknown(pm_importing *in)
{
    const size_t counters = in->columns->table_size;
    const char **formulas = pm_take(&in->memory, counters, sizeof *formulas);
    const char **unknown = NULL;
    char list[600] = "", shown[128];
    pm_strings told = {0};
    size_t count = 0;

    for (size_t i = 0; i < counters; i++)
        formulas[i] = pm_import_formula(in, i);
    for (size_t i = 0; i < in->metrics.count; i++) {
        const char *metric = in->metrics.items[i], *name;

        if (is_description(metric) || is_used(formulas, counters, metric))
            continue;
        name = without_channel(in, metric);
        if (pm_strings_find(&told, name) || !pm_strings_add(&told, name))
            continue;
        *pm_add(&in->kept, unknown, count) = name;
        pm_list_add(list, sizeof list, "%s", pm_shown(name, shown, sizeof shown));
    }
    pm_strings_clear(&told);
    in->result->unknown = unknown;
    in->result->unknown_count = count;
    if (count > 0)
        pm_notice(
            pm_session_log(in->session),
            "%zu of the profiler's counters are left out, because perfmodel has no counter of "
            "the same meaning (docs/counters.md): %s",
            count, list);
}
