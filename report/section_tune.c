/* Writes the section of a report about tuning: the values of a kernel's tuning parameters, sorted
 * by predicted time. See report.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>

#include "report/report.h"

enum { SHOWN = 10, PARAMETERS_SHOWN = 12 };

static void put_choices(pm_markdown *md, const pm_tuning *tuning)
{
    pm_table_column columns[PARAMETERS_SHOWN + 2] = {PM_NUMBERS("Predicted"),
                                                     PM_WORDS("90 % interval")};
    const size_t shown =
        tuning->parameter_count < PARAMETERS_SHOWN ? tuning->parameter_count : PARAMETERS_SHOWN;
    pm_table t;

    for (size_t p = 0; p < shown; p++)
        columns[2 + p] = (pm_table_column)PM_NUMBERS(tuning->parameters[p].name);
    t = pm_table_open(columns, 2 + shown, false);
    for (size_t i = 0; i < tuning->first_count && i < SHOWN; i++) {
        const pm_tune_choice *choice = &tuning->choices[tuning->first[i]];

        PM_CELLS(&t, pm_time_words(choice->predicted_s, choice->lo_s, choice->hi_s).s,
                 pm_time_interval_words(choice->predicted_s, choice->lo_s, choice->hi_s).s);
        for (size_t p = 0; p < shown; p++)
            pm_cell_put(&t, "%" PRId64, choice->values[p]);
    }
    pm_markdown_table(md, &t, "The versions of %s to run first on %s.", tuning->program,
                      tuning->target);
}

static void put_effects(pm_markdown *md, const pm_tuning *tuning)
{
    static const pm_table_column columns[] = {PM_WORDS("Parameter"), PM_NUMBERS("Explains"),
                                              PM_NUMBERS("Value"), PM_NUMBERS("Mean"),
                                              PM_NUMBERS("Best")};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, false);

    for (size_t p = 0; p < tuning->parameter_count; p++) {
        const pm_tune_parameter *parameter = &tuning->parameters[p];

        for (size_t k = 0; k < parameter->count; k++)
            PM_CELLS(&t, parameter->name, pm_words_of("%.0f %%", 100 * parameter->share).s,
                     pm_words_of("%" PRId64, parameter->values[k]).s,
                     pm_format_time(parameter->mean_s[k]).s,
                     pm_format_time(parameter->best_s[k]).s);
    }
    pm_markdown_table(
        md, &t,
        "What each parameter does: the share of the variance of log time that its "
        "values alone explain; the geometric mean and the best of the times of versions "
        "that have the value.");
}

void pm_put_tuning(pm_markdown *md, const pm_report_case *c)
{
    const pm_tuning *tuning = c->tuning;

    if (!tuning)
        return;
    pm_markdown_paragraph(
        md,
        "The parameters of %s make %zu versions in size %s. %zu were examined, of "
        "which %zu were traced and %zu compile to the same code; %zu cannot be "
        "compiled or run.",
        tuning->program, tuning->space, tuning->size, tuning->examined, tuning->traced,
        tuning->examined - tuning->traced, tuning->failed);
    put_choices(md, tuning);
    put_effects(md, tuning);
}
