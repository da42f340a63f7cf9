/* Prints predictions, traces and other results as tables on a terminal. choices.h prints the
 * versions that are recommended, with their costs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_RESULTS_TABLES_H
#define PM_REPORT_RESULTS_TABLES_H

#include "answer/import/import.h"
#include "base/text.h"
#include "perfmodel.h"
#include "report/table/table.h"
#include "transform/layout/nakai/nakai.h"

/* ---- below a table --------------------------------------------------------------------------- */

enum { PM_WIDTHS = 1000 };
/* Relative widths of the 90 % prediction intervals in a table, from which a median is computed.
 * factors[i] = sqrt(hi / lo): the interval is about time / factor ... time * factor. All zero: no
 * intervals yet. */
typedef struct {
    size_t count;
    double factors[PM_WIDTHS];
} pm_widths;
void pm_widths_add(pm_widths *widths, double lo, double hi);
/* Prints a line with the median width of the intervals. Also says for each target to what times its
 * model was fitted: the target's own (bases[i] is "dataset") or those of other GPUs ("profile"). */
void pm_table_basis(const pm_screen *screen, pm_widths *widths, const char *const *targets,
                    const char *const *bases, size_t count);

/* ---- tables ---------------------------------------------------------------------------------- */

/* Prints the errors of a validation: a row for each program with the mean and median error over its
 * kernels, variants and sizes, then the totals. */
void pm_table_validation(const pm_screen *screen, const pm_validation *validation);
/* Prints a row for each predicted kernel, variant and size, then a total for each of the user's
 * programs that has several kernels. */
void pm_table_predictions(const pm_screen *screen, const char *target,
                          const pm_predictions *predictions);
/* Prints a line that names the datasets of the options --from and --with that the predictions use.
 * Prints nothing if neither option was given. */
void pm_table_sources(const pm_screen *screen, const pm_predictions *predictions);
/* Prints predictions for several targets in one table with one column per target. of[i]:
 * predictions for targets[i]. */
void pm_table_predictions_beside(const pm_screen *screen, const char *const *targets,
                                 pm_predictions *const *of, size_t count);

/* Prints the result of a search through combinations of tuning parameters: the examined fraction of
 * all combinations, the combinations to run first, and the effect of each parameter. */
void pm_table_tuning(const pm_screen *screen, const pm_tuning *tuning);

/* Prints the counters and the memory accesses of each kernel: one row per counter, and one per
 * memory instruction. */
void pm_table_trace(const pm_screen *screen, const pm_trace *trace);

/* Prints the number of rows that were imported from a profiler's output. For each kernel, prints
 * the profiler's counters next to those of the trace engine. */
void pm_table_imported(const pm_screen *screen, const pm_imported *imported);

/* Prints a row for each array that is a candidate for staging in local memory: whether it was
 * staged, and if not, why. The column "each" is the number of accesses per element. Below the table
 * is a line for each condition that must hold. */
void pm_table_shared(const pm_screen *screen, const pm_transformed *transformed);

/* Prints the steps of the layout method of Nakai and Ohno (2017) for each struct. These are the
 * instructions with their weights and the sum of the weights (figure 12). If the method rejects
 * AoS, they are also the three field access trees (figures 15 to 17) and the new structs (figure
 * 18). */
void pm_table_nakai(const pm_screen *screen, const pm_nakai *analysis);
/* Prints the steps of the layout method of Nakai and Ohno (2017) for one struct. */
void pm_table_nakai_struct(const pm_screen *screen, const pm_nakai_struct *analysis);

#endif
