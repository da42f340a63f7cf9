/* Results as tables on a terminal; what advice and money are, choices.h has.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_RESULTS_TABLES_H
#define PM_REPORT_RESULTS_TABLES_H

#include "base/text.h"
#include "layout/nakai/nakai.h"
#include "perfmodel.h"
#include "report/table/table.h"

/* ---- below a table --------------------------------------------------------------------------- */

enum { PM_WIDTHS = 1000 };
/* How wide the intervals of a table are: sqrt(hi / lo) of each; all zero is empty. */
typedef struct {
    size_t count;
    double factors[PM_WIDTHS];
} pm_widths;
void pm_widths_add(pm_widths *widths, double lo, double hi);
/* A line: the median width of the intervals, and of each target whether predictions rest on its own
 * times (bases[i] is "dataset") or on those of other GPUs ("profile"). */
void pm_table_basis(const pm_screen *screen, pm_widths *widths, const char *const *targets,
                    const char *const *bases, size_t count);

/* ---- tables ---------------------------------------------------------------------------------- */

/* A row a program (mean and median error over its samples), then the totals. */
void pm_table_validation(const pm_screen *screen, const pm_validation *validation);
/* A row a sample; then, of the user's own programs that have several kernels, a row of all of them
 * together. */
void pm_table_predictions(const pm_screen *screen, const char *target,
                          const pm_predictions *predictions);
/* A line that names the datasets of --from and --with that they rest on; none where none was named.
 */
void pm_table_sources(const pm_screen *screen, const pm_predictions *predictions);
/* Of several targets side by side: of[i] is targets[i]'s. */
void pm_table_predictions_beside(const pm_screen *screen, const char *const *targets,
                                 pm_predictions *const *of, size_t count);

/* How much of the space was seen, the versions to run first, and what each parameter does. */
void pm_table_tuning(const pm_screen *screen, const pm_tuning *tuning);

/* For each kernel its counters, a row each, and its memory instructions, a row each. */
void pm_table_trace(const pm_screen *screen, const pm_trace *trace);

/* A row for each array of a kernel, staged or not, and why not; then the assumptions, a line each.
 * "each" is accesses by an element. */
void pm_table_shared(const pm_screen *screen, const pm_transformed *transformed);

/* Prints the steps of method nakai for each struct (figures of Nakai and Ohno 2017). These are the
 * instructions with their weights and sum (figure 12), and for AoS the three trees (figures 15 to
 * 17) and the structs (figure 18). */
void pm_table_nakai(const pm_screen *screen, const pm_nakai *analysis);
/* Of one struct. */
void pm_table_nakai_struct(const pm_screen *screen, const pm_nakai_struct *analysis);

#endif
