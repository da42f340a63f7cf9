/* Shows the versions of a [tune] section in a report. See report.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/figures/figures.h"
#include "report/report.h"

enum { SHOWN = 10, PARAMETERS_SHOWN = 12 };

static void put_figure(pm_page *page, const pm_tuning *tuning)
{
    static const char *const series[] = {"traced, or of the same code", "guessed by a surrogate"};
    char *svg = NULL;
    pm_error why = {0};

    if (pm_figure_ranks(tuning, &svg, &why) != PM_OK && page->drawing.status == PM_OK)
        page->drawing = why;
    pm_page_figure(page,
                   &(pm_page_drawing){.svg = svg,
                                      .series = series,
                                      .series_count = tuning->n > tuning->examined ? 2 : 1},
                   "Predicted times of %zu versions of %s, with 90 %% intervals, from the fastest "
                   "to the slowest.",
                   tuning->n, tuning->program);
    free(svg);
}

static void put_choices(pm_page *page, const pm_tuning *tuning)
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

        PM_CELLS(
            &t, pm_format_time(choice->predicted_s).s,
            pm_words_of("%s to %s", pm_format_time(choice->lo_s).s, pm_format_time(choice->hi_s).s)
                .s);
        for (size_t p = 0; p < shown; p++)
            pm_cell_put(&t, "%" PRId64, choice->values[p]);
    }
    pm_page_table(page, &t, "The versions of %s to run first on %s.", tuning->program,
                  tuning->target);
}

static void put_effects(pm_page *page, const pm_tuning *tuning)
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
    pm_page_table(page, &t,
                  "What each parameter does: the share of the variance of log time that its "
                  "values alone explain; the geometric mean and the best of the times of versions "
                  "that have the value.");
}

void pm_put_tuning(pm_page *page, const pm_report_case *c)
{
    const pm_tuning *tuning = c->tuning;

    if (!tuning)
        return;
    pm_page_paragraph(page,
                      "The parameters of %s make %zu versions in size %s. %zu were examined, of "
                      "which %zu were traced and %zu compile to the same code; %zu cannot be "
                      "compiled or run.",
                      tuning->program, tuning->space, tuning->size, tuning->examined,
                      tuning->traced, tuning->examined - tuning->traced, tuning->failed);
    put_figure(page, tuning);
    put_choices(page, tuning);
    put_effects(page, tuning);
}
