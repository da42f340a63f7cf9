/* Shows advice (versions of a program with predicted gains) as tables on a terminal and in
 * Markdown. Only this module makes table cells from versions, costs, and the costs of other GPUs.
 * json.h writes the same data as JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_RESULTS_CHOICES_H
#define PM_REPORT_RESULTS_CHOICES_H

#include "perfmodel.h"
#include "report/markup/markdown.h"
#include "report/table/table.h"

/* A version of a program as a row of a table: one member of advice->choices. */
typedef struct {
    const pm_advice *advice;
    size_t number;          /* index of advice->choices */
    const pm_payback *cost; /* cost of writing the version, and its saving; NULL: unknown */
} pm_shown_choice;

/* ---- in Markdown ---------------------------------------------------------------------------- */

/* Kinds of tables whose rows are versions of programs. The first four are for Markdown. They show
 * the best versions of programs, their break-even times, the energy that they save, and all
 * versions of one program. */
typedef enum {
    PM_BEST_VERSIONS,
    PM_BREAK_EVEN,
    PM_ENERGY,
    PM_RANKING,
    /* the other three are short tables for a terminal: predictions, costs, and saved energy of all
     * versions (variants of the program) */
    PM_SHORT_ADVICE,
    PM_SHORT_COST,
    PM_SHORT_ENERGY
} pm_choice_table;
/* Appends a table of the given kind to a Markdown document, with a caption (format). A column is
 * left out if its value is unknown in all rows. */
void pm_markdown_choices(pm_markdown *md, pm_choice_table which, const pm_shown_choice *rows,
                         size_t count, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- on a terminal -------------------------------------------------------------------------- */

/* Prints a table of the given kind on a terminal, with a row for each version of an advice. costs:
 * one element for each version (variant of the program), in which case the base version is left
 * out; NULL: none. */
void pm_choices_print(const pm_screen *screen, pm_choice_table which, const pm_advice *advice,
                      const pm_payback *costs);

/* Prints a numbered row for each version (variant of the program), fastest first. */
void pm_table_advice(const pm_screen *screen, const pm_advice *advice);

/* Prices and numbers of runs for which example values are assumed unless the user gives them.
 * PM_ASSUMED_RATE etc. is the number of the corresponding bit in pm_cost_given. */
typedef enum { PM_ASSUMED_RATE, PM_ASSUMED_GPU_HOUR, PM_ASSUMED_RUNS } pm_table_assumption;
enum { PM_ASSUMPTIONS = 3 };
/* Returns the JSON key of an assumed value: hourly_rate, gpu_hour or runs_per_month. which: a
 * pm_table_assumption. */
const char *pm_table_assumption_name(unsigned which);

/* A GPU other than the target, on which the same program could run, with the versions of the
 * program that are recommended there. */
typedef struct {
    pm_advice *advice;
    double gpu_hour; /* price of an hour of this GPU */
    pm_elsewhere elsewhere;
} pm_table_place;

/* Prints the prices, and a row with costs and savings for each version (variant of the program)
 * except the base, numbered as in pm_table_advice. costs has one element for each version. given:
 * bits of pm_cost_given; values without their bit are marked as assumed. */
void pm_table_cost(const pm_screen *screen, const pm_advice *advice, const pm_cost_options *options,
                   unsigned given, const pm_payback *costs);
/* Prints the energy that each version (variant of the program) saves. */
void pm_table_energy(const pm_screen *screen, const pm_advice *advice,
                     const pm_cost_options *options, const pm_payback *costs);
/* Prints a comparison of the costs on the target and on each other GPU, one row each. Lines below
 * the table name the cheapest GPU after a year, and say for each other GPU after what time the work
 * on the target has paid for itself. */
void pm_table_elsewhere(const pm_screen *screen, const pm_advice *advice,
                        const pm_cost_options *options, const pm_table_place *places, size_t count);

#endif
