/* Pages of all that, for several GPUs and programs. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_REPORT_H
#define PERFMODEL_REPORT_H

#include "perfmodel/cost.h"
#include "perfmodel/predict.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Predicted over measured time per program as bars (the geometric mean of a program's samples, with
 * the range from the smallest to the largest), as an SVG drawn by gnuplot. title may be NULL. */
pm_status pm_plot_validation(const pm_validation *validation, const char *title, const char *path,
                             pm_error *err);

/* What a report is made of. Lists are NULL-terminated. */
typedef struct {
    const char *const *targets;   /* GPUs as pm_advise_options has them; at least one */
    const char *const *programs;  /* NULL: all of the suite that have a base */
    const char *const *variants;  /* as pm_advise_options has them */
    const char *size;             /* NULL: the middle one of each program, of an even number the
                                   * smaller */
    const char *const *workloads; /* as in pm_collect_options, in place of programs; or NULL */
    pm_leave_out leave_out;       /* of each program */
    size_t clusters;              /* as in pm_advise_options */
    double check_limit;           /* as in pm_advise_options */
    pm_cost_options cost;
    const char *command; /* for the provenance; may be NULL */
    bool money; /* cost.hourly_rate is the caller's own: what versions cost and return is told;
                 * false: nothing of money is */
    uint64_t reserved[7];
} pm_report_options;

typedef struct pm_report pm_report;

/* Gathers a report: for each target and program an advice, what its best version costs and returns,
 * and traces of the base and of that version; for each target with a dataset the errors on programs
 * that the model has not seen. What cannot be made is left out, and the report says what and why.
 * Wrong names, and a report with nothing in it, are PM_BAD_INPUT. */
pm_report *pm_report_create(pm_session *session, const pm_report_options *options, pm_error *err);
void pm_report_free(pm_report *report);

/* All three hold the same, but only the HTML has figures. It is one file that needs no network. */
typedef enum { PM_REPORT_HTML, PM_REPORT_MARKDOWN, PM_REPORT_JSON } pm_report_format;
/* html, md or json; or where format is NULL by the ending of path. Another is PM_BAD_INPUT. */
pm_status pm_report_format_of(const char *format, const char *path, pm_report_format *out,
                              pm_error *err);
/* Writes a whole file or none. path NULL: standard output. */
pm_status pm_report_write(const pm_report *report, pm_report_format format, const char *path,
                          pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
