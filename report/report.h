/* Data of a report. report.c collects them. report_json.c writes them as JSON, report_page.c puts
 * the JSON into a page, and report_markdown.c writes Markdown.
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

/* Results for one program on one target. */
typedef struct {
    pm_advice *advice;
    size_t base, best; /* indices of the base version and of the best version in advice->choices */
    /* Index of the version whose costs and counters are shown. It is `best`, or the fastest other
     * version if `best` is the base. It is `base` if there is no other version. */
    size_t candidate;
    pm_payback *costs; /* cost of each choice */
    bool money;        /* true: the report shows amounts of money */
    const pm_trace *base_trace,
        *trace; /* traces of the base and of the candidate on the target; NULL if tracing failed */
    /* result of the search through the versions of the [tune] section; NULL if the workload has no
     * such section, or if the search failed */
    pm_tuning *tuning;
} pm_report_case;

/* A dataset from which the report takes numbers. */
typedef struct {
    const char *name, *path;
    size_t rows;
    json_t *provenance; /* content of its JSON file; NULL: it has none */
} pm_report_dataset;

/* A cell of devices.csv. */
typedef struct {
    const char *name, *value;
} pm_report_property;

typedef struct {
    const char *id;
    pm_device_row *row; /* row of devices.csv; owns the properties' texts */
    size_t property_count;
    pm_report_property
        /* values of the GPU's row in devices.csv with their sources; the count is 0 if there is no
         * row */
        *properties;
    size_t dataset_count;
    pm_report_dataset *datasets;
    const pm_dataset *measured, *counted; /* times and counters that `validation` points into */
    /* validation of the model on the target's dataset; NULL if the target has no dataset, or if the
     * validation failed */
    pm_validation *validation;
    const char *no_validation; /* reason why `validation` is NULL, else NULL */
    size_t case_count;
    pm_report_case *cases;
} pm_report_target;

typedef struct {
    const char *target, *program,
        *reason; /* target is "" if the program is left out on all targets */
} pm_report_omission;

struct pm_report {
    pm_memory memory; /* owns everything that has no free function of its own */
    pm_cost_options cost;
    bool money; /* true: the report shows amounts of money */
    const char *command, *date;
    /* texts of the assumptions about sources without a workload file, NULL-terminated; NULL:
     * none */
    const char *const *assumed;
    pm_leave_out leave_out;
    pm_log log;
    size_t target_count, omission_count, case_count; /* cases of all targets */
    pm_report_target *targets;
    pm_report_omission *omissions;
    /* GPUs with measured times, to which models are fitted. They have a dataset with their name. */
    size_t known_count;
    pm_report_target *known; /* only id, properties and datasets are set */
};

/* Returns the value of a property (a column of devices.csv) of the target GPU. "" if it is
 * unknown. */
const char *pm_report_property_of(const pm_report_target *target, const char *name);
/* Returns the name of the target GPU, such as "NVIDIA H100 SXM5 80GB". It is the id if devices.csv
 * does not name the target. */
const char *pm_report_gpu(const pm_report_target *target);

/* ---- gathering, in parts ------------------------------------------------------------------- */

/* Fills in everything about a target except its cases (report_target.c). Raises an error (pm_leave)
 * on failure. */
void pm_report_open_target(pm_memory *memory, pm_session *session, pm_report_target *target,
                           const char *id);
void pm_report_read_properties(pm_memory *memory, pm_session *session, pm_report_target *target,
                               const char *id);
void pm_report_read_datasets(pm_memory *memory, pm_session *session, pm_report_target *target);
/* Frees members that `memory` does not own. */
void pm_report_target_clear(pm_report_target *target);

/* ---- the formats ---------------------------------------------------------------------------- */

/* The functions return the report as a text, which the caller frees. */
char *pm_report_json(const pm_report *report, pm_error *err);
char *pm_report_html(const pm_report *report, pm_error *err);
char *pm_report_markdown(const pm_report *report, pm_error *err);

/* Returns the report as one JSON object, which the caller releases. NULL if memory runs out. */
json_t *pm_report_document(const pm_report *report);

/* Functions that write the sections of the Markdown report (section_*.c). */
void pm_section_summary(pm_markdown *md, const pm_report *report);
void pm_section_money(pm_markdown *md, const pm_report *report);
/* Writes a section about the energy that versions save. Writes nothing unless the user gave a price
 * of energy. */
void pm_section_energy(pm_markdown *md, const pm_report *report);
void pm_section_roofline(pm_markdown *md, const pm_report *report);
void pm_section_program(pm_markdown *md, const pm_report *report, size_t number);
void pm_section_validation(pm_markdown *md, const pm_report *report);
void pm_section_trust(pm_markdown *md, const pm_report *report);
void pm_section_provenance(pm_markdown *md, const pm_report *report);

/* Ranking of the versions of a [tune] section, and the effect of each parameter (section_tune.c).
 */
void pm_put_tuning(pm_markdown *md, const pm_report_case *c);

/* The functions return the number of different programs in the report, and the name of one of them.
 * Programs are in the order of their first appearance in the targets. */
size_t pm_report_program_count(const pm_report *report);
const char *pm_report_program_at(const pm_report *report, size_t number);
/* Returns the results for a program on a target. NULL if the program was left out on this
 * target. */
const pm_report_case *pm_report_case_of(const pm_report_target *target, const char *program);

/* Returns version `number` (index of advice->choices) of the case as a row of a table. */
pm_shown_choice pm_report_shown(const pm_report_case *c, size_t number);

/* Checks before the long work that a file can be created at `path`. PM_BAD_INPUT if it cannot.
 * Leaves no file behind. */
pm_status pm_report_try_place(const char *path, pm_error *err);

#endif
