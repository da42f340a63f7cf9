/* What a search through versions found, on a terminal. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "report/results/tables.h"
#include "report/table/table.h"

enum { SHOWN = 10 };

static void put_choice(pm_table *t, const pm_tuning *tuning, const pm_tune_choice *choice)
{
    char list[400] = "";

    for (size_t p = 0; p < tuning->parameter_count; p++)
        if (tuning->parameters[p].count > 1)
            pm_list_add(list, sizeof list, "%s=%" PRId64, tuning->parameters[p].name,
                        choice->values[p]);
    pm_cell_number(t, PM_TIME, choice->predicted_s);
    pm_cell_put(t, "%s to %s", pm_short_time(choice->lo_s).s, pm_short_time(choice->hi_s).s);
    pm_cell_number(t, PM_TIME, choice->measured_s);
    pm_cell_put(t, "%s%s", list, choice->examined ? "" : " (guessed)");
}

static void print_seen(FILE *out, const pm_tuning *tuning)
{
    fprintf(out,
            "%s, size %s, on %s: %zu versions; %zu examined, of which %zu were traced and %zu "
            "compile to the same "
            "code",
            tuning->program, tuning->size, tuning->target, tuning->space, tuning->examined,
            tuning->traced, tuning->examined - tuning->traced);
    if (tuning->n > tuning->examined)
        fprintf(out, "; a surrogate guessed %zu", tuning->n - tuning->examined);
    if (tuning->measured > 0)
        fprintf(out, "; %zu measured", tuning->measured);
    fputs(".\n", out);
    if (tuning->failed > 0)
        fprintf(out, "%zu cannot be compiled or run, the first one: %s\n", tuning->failed,
                tuning->failure);
}

static void print_effects(FILE *out, const pm_tuning *tuning)
{
    static const pm_table_column columns[] = {{"parameter", false, 20, 0},
                                              {"explains", true, 8, 1},
                                              {"value", true, 8, 1},
                                              {"mean", true, 10, 1},
                                              {"best", true, 10, 1}};
    pm_table t = pm_table_open(columns, 5, true);

    for (size_t p = 0; p < tuning->parameter_count; p++) {
        const pm_tune_parameter *parameter = &tuning->parameters[p];

        for (size_t k = 0; k < parameter->count; k++) {
            pm_cell_put(&t, "%s", k ? "" : parameter->name);
            pm_cell_put(&t, "%s", k ? "" : pm_words_of("%.0f %%", 100 * parameter->share).s);
            pm_cell_put(&t, "%" PRId64, parameter->values[k]);
            pm_cell_number(&t, PM_TIME, parameter->mean_s[k]);
            pm_cell_number(&t, PM_TIME, parameter->best_s[k]);
        }
    }
    fputc('\n', out);
    pm_table_print(&t, out, 0, false);
    fputs("explains: share of the variance of log time that the parameter's values alone explain; "
          "mean, best: of all versions that have the value\n",
          out);
}

void pm_table_tuning(FILE *out, const pm_tuning *tuning)
{
    static const pm_table_column columns[] = {{"predicted", true, 10, 0},
                                              {"90 % interval", true, 24, 1},
                                              {"measured", true, 10, 1},
                                              {"parameters", false, 0, 2}};
    pm_table t = pm_table_open(columns, 4, true);

    print_seen(out, tuning);
    if (tuning->known > 0)
        fprintf(out,
                "Times on other GPUs, of %zu file%s, count as much in the order as predictions.\n",
                tuning->known, tuning->known == 1 ? "" : "s");
    fputs("\nRun these first:\n", out);
    for (size_t i = 0; i < tuning->first_count && i < SHOWN; i++)
        put_choice(&t, tuning, &tuning->choices[tuning->first[i]]);
    pm_table_print(&t, out, 0, false);
    for (size_t i = 0; i < tuning->reached_count; i++)
        fprintf(out, "%s%zu run%s %.1f %%%s", i ? ", " : "\nOf the best time measured, the first ",
                tuning->reached[i].runs, tuning->reached[i].runs == 1 ? " reaches" : "s",
                100 * tuning->reached[i].fraction, i + 1 == tuning->reached_count ? "\n" : "");
    print_effects(out, tuning);
}
