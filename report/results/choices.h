/* Advice as tables for terminal, HTML and Markdown: the one place where a choice, its cost and the
 * cost of another GPU become cells. json.h has the same as JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_RESULTS_CHOICES_H
#define PM_REPORT_RESULTS_CHOICES_H

#include "perfmodel.h"
#include "report/markup/page.h"
#include "report/table/table.h"

/* A choice, as a row of a table. */
typedef struct {
    const pm_advice *advice;
    size_t number;          /* of its choices */
    const pm_payback *cost; /* NULL: nothing is known */
    size_t live;            /* index of its case for the page's script */
} pm_shown_choice;

/* ---- in a page ------------------------------------------------------------------------------ */

/* Columns of the best versions of programs, of when they have paid, of the energy that they save,
 * and of all versions of one. */
typedef enum {
    PM_BEST_VERSIONS,
    PM_BREAK_EVEN,
    PM_ENERGY,
    PM_RANKING,
    /* on a terminal */
    PM_SHORT_ADVICE,
    PM_SHORT_COST,
    PM_SHORT_ENERGY
} pm_choice_table;
/* Columns of which nothing is known in any of the rows are left out. */
void pm_page_choices(pm_page *page, pm_choice_table which, const pm_shown_choice *rows,
                     size_t count, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- on a terminal -------------------------------------------------------------------------- */

/* Rows of all choices of an advice; with costs of all but the base. */
void pm_choices_print(const pm_screen *screen, pm_choice_table which, const pm_advice *advice,
                      const pm_payback *costs);

/* A row a version, fastest first, each with its number. */
void pm_table_advice(const pm_screen *screen, const pm_advice *advice);

/* Numbers that are examples where the user has not given them; i has the bit i of pm_cost_given. */
typedef enum { PM_ASSUMED_RATE, PM_ASSUMED_GPU_HOUR, PM_ASSUMED_RUNS } pm_table_assumption;
enum { PM_ASSUMPTIONS = 3 };
/* As JSON has it: hourly_rate, gpu_hour, runs_per_month. */
const char *pm_table_assumption_name(unsigned which);

/* Another GPU for the same program. */
typedef struct {
    pm_advice *advice;
    double gpu_hour;
    pm_elsewhere elsewhere;
} pm_table_place;

/* The prices, and a row for each version but the base, by its number in pm_table_advice; costs has
 * one for each choice. given: bit i, the number of that pm_table_assumption is the user's. */
void pm_table_cost(const pm_screen *screen, const pm_advice *advice, const pm_cost_options *options,
                   unsigned given, const pm_payback *costs);
/* The energy that each version saves. */
void pm_table_energy(const pm_screen *screen, const pm_advice *advice,
                     const pm_cost_options *options, const pm_payback *costs);
/* A row for the target and for each other GPU; then what is cheapest after a year, and when the
 * work on the target pays against each of them. */
void pm_table_elsewhere(const pm_screen *screen, const pm_advice *advice,
                        const pm_cost_options *options, const pm_table_place *places, size_t count);

#endif
