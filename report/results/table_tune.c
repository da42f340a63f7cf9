/* Prints the result of `perfmodel tune` on a terminal: the values of a kernel's tuning parameters,
 * sorted by predicted time. See tables.h.
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
    pm_cell_time(t, choice->predicted_s, choice->lo_s, choice->hi_s);
    pm_cell_time_range(t, choice->predicted_s, choice->lo_s, choice->hi_s);
    pm_cell_time(t, choice->measured_s, (double)NAN, (double)NAN);
    pm_cell_put(t, "%s%s", list, choice->examined ? "" : " (guessed)");
}

static void print_seen(const pm_screen *screen, const pm_tuning *tuning)
{
    pm_words guessed = pm_words_of("%s", ""), measured = guessed;

    if (tuning->n > tuning->examined)
        guessed = pm_words_of("; a surrogate guessed %zu", tuning->n - tuning->examined);
    if (tuning->measured > 0)
        measured = pm_words_of("; %zu measured", tuning->measured);
    pm_screen_note(screen,
                   "%s, size %s, on %s: %zu versions; %zu examined, of which %zu were traced and "
                   "%zu compile to the same code%s%s.",
                   tuning->program, tuning->size, tuning->target, tuning->space, tuning->examined,
                   tuning->traced, tuning->examined - tuning->traced, guessed.s, measured.s);
    if (tuning->failed > 0)
        pm_screen_note(screen, "%zu cannot be compiled or run, the first one: %s", tuning->failed,
                       tuning->failure);
}

static void print_effects(const pm_screen *screen, const pm_tuning *tuning)
{
    static const pm_table_column columns[] = {
        {.name = "parameter"},
        {.name = "explains", .number = true, .gap = 2},
        {.name = "value", .number = true, .gap = 2},
        {.name = "mean", .number = true, .gap = 2, .weight = 10},
        {.name = "best", .number = true, .gap = 2}};
    pm_table t = pm_table_open(columns, 5, true);

    for (size_t p = 0; p < tuning->parameter_count; p++) {
        const pm_tune_parameter *parameter = &tuning->parameters[p];

        for (size_t k = 0; k < parameter->count; k++) {
            pm_cell_put(&t, "%s", k ? "" : parameter->name);
            pm_cell_put(&t, "%s", k ? "" : pm_words_of("%.0f %%", 100 * parameter->share).s);
            pm_cell_put(&t, "%" PRId64, parameter->values[k]);
            pm_cell_time(&t, parameter->mean_s[k], (double)NAN, (double)NAN);
            pm_cell_time(&t, parameter->best_s[k], (double)NAN, (double)NAN);
        }
    }
    pm_screen_gap(screen);
    pm_table_print(&t, screen, 0);
    pm_screen_note(screen,
                   "explains: share of the variance of log time that the parameter's values "
                   "alone explain; mean, best: of all versions that have the value");
}

static void print_first(const pm_screen *screen, const pm_tuning *tuning)
{
    static const pm_table_column columns[] = {
        {.name = "predicted", .number = true},
        {.name = "90 % interval", .number = true, .gap = 2, .weight = 20},
        {.name = "measured", .number = true, .gap = 2, .weight = 10},
        {.name = "parameters", .gap = 2, .folded = true}};
    pm_table t = pm_table_open(columns, 4, true);
    pm_widths widths = {.count = 0};
    const char *target = tuning->target;

    for (size_t i = 0; i < tuning->first_count && i < SHOWN; i++) {
        const pm_tune_choice *choice = &tuning->choices[tuning->first[i]];

        put_choice(&t, tuning, choice);
        pm_widths_add(&widths, choice->lo_s, choice->hi_s);
    }
    pm_table_print(&t, screen, 0);
    pm_table_basis(screen, &widths, &target, &tuning->basis, 1);
}

/* Prints how good the proposed order of measurements is: for several numbers of runs, the fraction
 * of the best measured performance that is reached if only so many combinations of tuning
 * parameters are run, in the proposed order. */
static void print_reached(const pm_screen *screen, const pm_tuning *tuning)
{
    pm_text text = {0};

    for (size_t i = 0; i < tuning->reached_count; i++)
        pm_text_add(&text, "%s%zu run%s %.1f %%", i ? ", " : "", tuning->reached[i].runs,
                    tuning->reached[i].runs == 1 ? " reaches" : "s",
                    100 * tuning->reached[i].fraction);
    if (tuning->reached_count > 0) {
        pm_screen_gap(screen);
        pm_screen_note(screen, "Of the best time measured, the first %s", pm_text_get(&text));
    }
    pm_text_free(&text);
}

void pm_table_tuning(const pm_screen *screen, const pm_tuning *tuning)
{
    print_seen(screen, tuning);
    if (tuning->known > 0)
        pm_screen_note(screen,
                       "Times on other GPUs, of %zu file%s, count as much in the order as "
                       "predictions.",
                       tuning->known, tuning->known == 1 ? "" : "s");
    pm_screen_gap(screen);
    pm_screen_note(screen, "Run these first:");
    print_first(screen, tuning);
    print_reached(screen, tuning);
    print_effects(screen, tuning);
}
