/* Results as tables on a terminal. choices.h prints advice and costs.
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
/* Widths of the intervals in a table: factors[i] = sqrt(hi / lo). A zeroed struct is empty. */
typedef struct {
    size_t count;
    double factors[PM_WIDTHS];
} pm_widths;
void pm_widths_add(pm_widths *widths, double lo, double hi);
/* Prints a line with the median width of the intervals. It also says for each target whether its
 * predictions rest on its own times (bases[i] is "dataset") or on times of other GPUs ("profile").
 */
void pm_table_basis(const pm_screen *screen, pm_widths *widths, const char *const *targets,
                    const char *const *bases, size_t count);

/* ---- tables ---------------------------------------------------------------------------------- */

/* Prints a row for each program with the mean and median error over its samples, then the totals.
 */
void pm_table_validation(const pm_screen *screen, const pm_validation *validation);
/* Prints a row for each sample, then a total for each of the user's programs that has several
 * kernels. */
void pm_table_predictions(const pm_screen *screen, const char *target,
                          const pm_predictions *predictions);
/* Prints a line with the datasets of --from and --with that the predictions use. Prints nothing if
 * neither option was given. */
void pm_table_sources(const pm_screen *screen, const pm_predictions *predictions);
/* Prints predictions for several targets side by side, in one column per target. of[i]: predictions
 * for targets[i]. */
void pm_table_predictions_beside(const pm_screen *screen, const char *const *targets,
                                 pm_predictions *const *of, size_t count);

/* Prints the examined fraction of the search space, the versions to run first, and the effect of
 * each parameter. */
void pm_table_tuning(const pm_screen *screen, const pm_tuning *tuning);

/* Prints for each kernel a row per counter and a row per memory instruction. */
void pm_table_trace(const pm_screen *screen, const pm_trace *trace);

/* Prints the number of imported rows and, for each kernel, the profiler's counters beside those of
 * the trace engine. */
void pm_table_imported(const pm_screen *screen, const pm_imported *imported);

/* Prints a row for each array of a kernel: whether it was staged, and if not, why. Then prints a
 * line for each assumption. The column "each" is accesses per element. */
void pm_table_shared(const pm_screen *screen, const pm_transformed *transformed);

/* Prints the steps of method nakai for each struct (figures of Nakai and Ohno 2017). These are the
 * instructions with their weights and sum (figure 12), and for AoS the three trees (figures 15 to
 * 17) and the structs (figure 18). */
void pm_table_nakai(const pm_screen *screen, const pm_nakai *analysis);
/* Prints the steps of method nakai for one struct. */
void pm_table_nakai_struct(const pm_screen *screen, const pm_nakai_struct *analysis);

#endif
