/* Advice as tables for terminal and Markdown. Only this module turns choices, costs and the
 * costs of other GPUs into cells. json.h writes the same as JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_RESULTS_CHOICES_H
#define PM_REPORT_RESULTS_CHOICES_H

#include "perfmodel.h"
#include "report/markup/markdown.h"
#include "report/table/table.h"

/* One choice of an advice, that is a version of a program. It becomes a row of a table. */
typedef struct {
    const pm_advice *advice;
    size_t number;          /* index of advice->choices */
    const pm_payback *cost; /* cost of the choice; NULL: unknown */
} pm_shown_choice;

/* ---- in Markdown ---------------------------------------------------------------------------- */

/* Kinds of tables of choices. In Markdown: best versions of programs, their break-even times, the
 * energy that they save, and all versions of one program. */
typedef enum {
    PM_BEST_VERSIONS,
    PM_BREAK_EVEN,
    PM_ENERGY,
    PM_RANKING,
    /* short tables on a terminal */
    PM_SHORT_ADVICE,
    PM_SHORT_COST,
    PM_SHORT_ENERGY
} pm_choice_table;
/* Writes a table. A column is left out if its value is unknown in all rows. */
void pm_markdown_choices(pm_markdown *md, pm_choice_table which, const pm_shown_choice *rows,
                         size_t count, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- on a terminal -------------------------------------------------------------------------- */

/* Prints a row for each choice of an advice. If costs is not NULL, the base is left out. */
void pm_choices_print(const pm_screen *screen, pm_choice_table which, const pm_advice *advice,
                      const pm_payback *costs);

/* Prints a numbered row for each version, fastest first. */
void pm_table_advice(const pm_screen *screen, const pm_advice *advice);

/* Values that are assumed unless the user gives them. Value i has the bit i of pm_cost_given. */
typedef enum { PM_ASSUMED_RATE, PM_ASSUMED_GPU_HOUR, PM_ASSUMED_RUNS } pm_table_assumption;
enum { PM_ASSUMPTIONS = 3 };
/* Returns the name of the assumption as a JSON key: hourly_rate, gpu_hour or runs_per_month. */
const char *pm_table_assumption_name(unsigned which);

/* Advice for the same program on a GPU other than the target. */
typedef struct {
    pm_advice *advice;
    double gpu_hour; /* price of an hour of this GPU */
    pm_elsewhere elsewhere;
} pm_table_place;

/* Prints the prices, and a row for each version except the base, numbered as in pm_table_advice.
 * costs has one element per choice. If bit i of given is set, the user gave the value of
 * pm_table_assumption i. */
void pm_table_cost(const pm_screen *screen, const pm_advice *advice, const pm_cost_options *options,
                   unsigned given, const pm_payback *costs);
/* Prints the energy that each version saves. */
void pm_table_energy(const pm_screen *screen, const pm_advice *advice,
                     const pm_cost_options *options, const pm_payback *costs);
/* Prints a row for the target and for each other GPU. Below it are the cheapest GPU after a year,
 * and the time after which the work on the target pays compared with each other GPU. */
void pm_table_elsewhere(const pm_screen *screen, const pm_advice *advice,
                        const pm_cost_options *options, const pm_table_place *places, size_t count);

#endif
