/* Writes a report for several GPUs and programs: the proposed faster versions, their costs and
 * savings, and the counted events. See perfmodel.h.
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

/* Draws a validation with gnuplot and writes it to path as SVG. Each program has a bar: the
 * geometric mean of predicted_s / measured_s over its samples, with the range from the smallest to
 * the largest. title: NULL for a title that names the datasets, "" for none. */
pm_status pm_plot_validation(const pm_validation *validation, const char *title, const char *path,
                             pm_error *err);

/* Options of a report: its contents. Lists are NULL-terminated. */
typedef struct {
    /* GPUs to report on, each the name of a row of devices.csv; at least one */
    const char *const *targets;
    const char *const *programs; /* programs of the suite; NULL: all that have a base variant */
    /* names of the versions to compare with the base variant; NULL: the versions that the search
     * finds, and the variants that the program lists */
    const char *const *variants;
    /* Size to advise on. NULL: the middle size of a program of the suite (the smaller one of two
     * middle sizes), or the largest size of a workload. */
    const char *size;
    /* Paths of the user's workloads: workload files, sources, captures, or folders of them. If
     * given, the report covers only these workloads, and `programs` is ignored. NULL: the report
     * covers `programs`. */
    const char *const *workloads;
    /* samples of a program that are excluded from the fit of the model that predicts the program */
    pm_leave_out leave_out;
    /* Number of layouts with clustered fields (groups of fields in structs of their own) to trace
     * for each struct. 0: 10. */
    size_t clusters;
    /* Largest number of instructions that the check whether the best version computes correct
     * results may run. A larger check is not made. 0: PM_CHECK_LIMIT. */
    double check_limit;
    /* prices for the costs and savings in the report; the report copies the text `currency` */
    pm_cost_options cost;
    const char *command; /* command line that the report records; NULL: none */
    /* true: the user gave cost.hourly_rate, and the report has costs and savings. false: the report
     * has no amounts of money. */
    bool money;
    uint64_t reserved[7];
} pm_report_options;

typedef struct pm_report pm_report;

/* Makes a report. It has an advice for each target and program, and the costs and savings of the
 * versions. It has traces of the base variant and of the best version. If the base variant is the
 * best version, it has a trace of the fastest other version. For each target with a dataset, it has
 * the errors of the model on left-out programs. A part that cannot be made is omitted, and the
 * report names the omitted part with the reason. Free the report with pm_report_free before the
 * session. NULL on failure: PM_BAD_INPUT if a name or an option is wrong; PM_FAILED if there is no
 * advice at all. */
pm_report *pm_report_create(pm_session *session, const pm_report_options *options, pm_error *err);
void pm_report_free(pm_report *report);

/* Format of a report. All formats have the same contents, except that only HTML has figures. The
 * HTML is a single file that needs no network. */
typedef enum { PM_REPORT_HTML, PM_REPORT_MARKDOWN, PM_REPORT_JSON } pm_report_format;
/* Finds the format with the name html, md or json. If format is NULL, finds it by the suffix of
 * path. *out gets it. PM_BAD_INPUT if no format matches. */
pm_status pm_report_format_of(const char *format, const char *path, pm_report_format *out,
                              pm_error *err);
/* Writes the report to a file. The file appears complete or not at all. path NULL: standard output,
 * whose errors the caller has to check. */
pm_status pm_report_write(const pm_report *report, pm_report_format format, const char *path,
                          pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
