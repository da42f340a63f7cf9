/* Data of a report about several programs and GPUs: versions, costs, counters and provenance.
 * report.c collects them. report_json.c writes them as JSON, report_page.c puts the JSON into an
 * HTML page, and report_markdown.c writes Markdown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_REPORT_H
#define PM_REPORT_REPORT_H

#include <jansson.h>

#include "base/memory.h"
#include "machine/devices_table.h"
#include "perfmodel.h"
#include "report/markup/markdown.h"
#include "report/results/choices.h"

/* Results of a report for one program on one GPU (target). */
typedef struct {
    pm_advice *advice;
    /* indices in advice->choices of the base variant of the program and of its best variant */
    size_t base, best;
    /* Index in advice->choices of the version (variant of the program) that is compared with the
     * base version: its costs and counters are shown. It is `best`, or the fastest other version if
     * `best` is the base. It is `base` if there is no other version. */
    size_t candidate;
    pm_payback *costs; /* cost of each choice */
    /* true: the report shows amounts of money, because the user gave an hourly rate */
    bool money;
    /* traces of the base version and of the candidate on the target; NULL: that trace failed */
    const pm_trace *base_trace, *trace;
    /* Result of the search through the combinations of tuning parameters in the workload's [tune]
     * section. NULL: there is no such section, or the search failed. */
    pm_tuning *tuning;
} pm_report_case;

/* A dataset whose numbers the report uses. */
typedef struct {
    const char *name, *path;
    size_t rows;
    json_t *provenance; /* content of the dataset's provenance file (JSON); NULL: there is none */
} pm_report_dataset;

/* A property of a GPU: name and value of a column of devices.csv. */
typedef struct {
    const char *name, *value;
} pm_report_property;

typedef struct {
    const char *id;
    pm_device_row *row; /* row of devices.csv; owns the properties' texts */
    size_t property_count;
    /* property_count cells of the GPU's row in devices.csv, with their sources; 0 if there is no
     * row */
    pm_report_property *properties;
    size_t dataset_count;
    pm_report_dataset *datasets;
    /* datasets of the target with times (measured) and with traced counters (counted), to which
     * `validation` points */
    const pm_dataset *measured, *counted;
    /* Errors of the model on the target's dataset, in which each program is predicted by a model
     * that was not fitted to it. NULL: the target has no dataset, or the validation failed. */
    pm_validation *validation;
    const char *no_validation; /* reason why there is no validation; NULL: there is one */
    size_t case_count;
    pm_report_case *cases;
} pm_report_target;

typedef struct {
    /* GPU and program that are left out of the report, with the reason. target is "" if the program
     * is left out on all targets. */
    const char *target, *program, *reason;
} pm_report_omission;

struct pm_report {
    pm_memory memory; /* allocator of everything that has no free function of its own */
    pm_cost_options cost;
    /* true: the report shows amounts of money, because the user gave an hourly rate */
    bool money;
    const char *command, *date;
    /* texts of the assumptions about sources without a workload file, NULL-terminated; NULL:
     * none */
    const char *const *assumed;
    pm_leave_out leave_out;
    pm_log log;
    size_t target_count, omission_count, case_count; /* cases of all targets */
    pm_report_target *targets;
    pm_report_omission *omissions;
    /* number of members of `known`: GPUs with a dataset and a row in devices.csv. Models are fitted
     * to their times. */
    size_t known_count;
    /* GPUs with measured times. Of each, only id, properties and datasets are set. */
    pm_report_target *known;
};

/* Returns the value of a property (a column of devices.csv) of the target GPU. "" if it is
 * unknown. */
const char *pm_report_property_of(const pm_report_target *target, const char *name);
/* Returns the name of the target GPU, such as "NVIDIA H100 SXM5 80GB". It is the id if devices.csv
 * does not name the target. */
const char *pm_report_gpu(const pm_report_target *target);

/* ---- gathering, in parts ------------------------------------------------------------------- */

/* Functions in report_target.c that fill in a target GPU. They raise an error (pm_leave) on
 * failure. pm_report_open_target sets everything except the cases (the results for programs). The
 * other two set only its row of devices.csv, or only its datasets. */
void pm_report_open_target(pm_memory *memory, pm_session *session, pm_report_target *target,
                           const char *id);
void pm_report_read_properties(pm_memory *memory, pm_session *session, pm_report_target *target,
                               const char *id);
void pm_report_read_datasets(pm_memory *memory, pm_session *session, pm_report_target *target);
/* Frees the members of a target that its pm_memory does not own. */
void pm_report_target_clear(pm_report_target *target);

/* ---- the formats ---------------------------------------------------------------------------- */

/* The functions return the report as a text in the format of their name, which the caller frees.
 * NULL on failure. */
char *pm_report_json(const pm_report *report, pm_error *err);
char *pm_report_html(const pm_report *report, pm_error *err);
char *pm_report_markdown(const pm_report *report, pm_error *err);

/* Returns the report as one JSON object, which the caller releases. NULL if memory runs out. */
json_t *pm_report_document(const pm_report *report);

/* Functions that append the sections of a report in Markdown to md. Each is in a file
 * section_*.c. */
void pm_section_summary(pm_markdown *md, const pm_report *report);
void pm_section_money(pm_markdown *md, const pm_report *report);
/* Writes a section about the energy that versions (variants of the program) save. Writes nothing
 * unless the user gave a price of energy. */
void pm_section_energy(pm_markdown *md, const pm_report *report);
void pm_section_roofline(pm_markdown *md, const pm_report *report);
void pm_section_program(pm_markdown *md, const pm_report *report, size_t number);
void pm_section_validation(pm_markdown *md, const pm_report *report);
void pm_section_trust(pm_markdown *md, const pm_report *report);
void pm_section_provenance(pm_markdown *md, const pm_report *report);

/* Appends to md the ranking of the combinations of tuning parameters in a workload's [tune]
 * section, and the effect of each parameter (section_tune.c). */
void pm_put_tuning(pm_markdown *md, const pm_report_case *c);

/* The functions return the number of different programs in the report, and the name of one of them.
 * Programs are in the order of their first appearance in the targets. */
size_t pm_report_program_count(const pm_report *report);
const char *pm_report_program_at(const pm_report *report, size_t number);
/* Returns the results for a program on a target. NULL if the program was left out on this
 * target. */
const pm_report_case *pm_report_case_of(const pm_report_target *target, const char *program);

/* Returns a variant of a program on a target as a row for pm_markdown_choices. number: index of the
 * variant in advice->choices. */
pm_shown_choice pm_report_shown(const pm_report_case *c, size_t number);

/* Checks whether a report can be written to `path`, so that this does not fail after long work.
 * Creates no file that remains. Returns PM_BAD_INPUT if it cannot be written. */
pm_status pm_report_try_place(const char *path, pm_error *err);

#endif
