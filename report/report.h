/* What a report holds, between gathering it (report.c) and writing it (report_*.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_REPORT_H
#define PM_REPORT_REPORT_H

#include <jansson.h>

#include "base/memory.h"
#include "gpu/devices_table.h"
#include "perfmodel.h"
#include "report/markup/page.h"
#include "report/results/choices.h"

/* A program on a target. */
typedef struct {
    pm_advice *advice;
    size_t base, best; /* among its choices */
    /* The version that money and counters are told of: best, or where that is the base the fastest
     * other one; base where there is no other. */
    size_t candidate;
    pm_payback *costs; /* of each choice */
    bool money;        /* whether anything of money is told */
    const pm_trace *base_trace,
        *trace;        /* on the target, of the base and of the candidate; or NULL */
    pm_tuning *tuning; /* of a workload with a [tune] section; NULL: there is none, or it failed */
    size_t live;       /* its number among those that the page recomputes */
} pm_report_case;

/* A dataset that had a part in it. */
typedef struct {
    const char *name, *path;
    size_t rows;
    json_t *provenance; /* its JSON file; NULL: none */
} pm_report_dataset;

/* A cell of devices.csv. */
typedef struct {
    const char *name, *value;
} pm_report_property;

typedef struct {
    const char *id;
    pm_device_row *row; /* where the properties are */
    size_t property_count;
    pm_report_property
        *properties; /* cells and sources of its row; the count is 0 if devices.csv has no row */
    size_t dataset_count;
    pm_report_dataset *datasets;
    const pm_dataset *measured, *counted; /* what validation points into */
    pm_validation *validation;            /* NULL: the target has no dataset */
    const char *no_validation;            /* why; NULL: there is one */
    size_t case_count;
    pm_report_case *cases;
} pm_report_target;

typedef struct {
    const char *target, *program,
        *reason; /* target is "" if the program is left out on all targets */
} pm_report_omission;

struct pm_report {
    pm_memory memory; /* of all that is not freed otherwise */
    pm_cost_options cost;
    bool money; /* as in pm_report_options */
    const char *command, *date;
    const char *const *assumed; /* of bare sources, as in pm_predictions */
    pm_leave_out leave_out;
    pm_log log;
    size_t target_count, omission_count, live_count;
    pm_report_target *targets;
    pm_report_omission *omissions;
    /* GPUs with measured times, to which models are fitted. They have a dataset with their name. */
    size_t known_count;
    pm_report_target *known; /* id, properties and datasets alone */
};

/* The value of a property, "" where it is unknown. */
const char *pm_report_property_of(const pm_report_target *target, const char *name);
/* "NVIDIA H100 SXM5 80GB", or the id of a target that devices.csv does not name. */
const char *pm_report_gpu(const pm_report_target *target);

/* ---- gathering, in parts ------------------------------------------------------------------- */

/* Fills in everything about a target except its cases (report_target.c). Ends the pm_memory attempt
 * on failure. */
void pm_report_open_target(pm_memory *memory, pm_session *session, pm_report_target *target,
                           const char *id);
void pm_report_read_properties(pm_memory *memory, pm_session *session, pm_report_target *target,
                               const char *id);
void pm_report_read_datasets(pm_memory *memory, pm_session *session, pm_report_target *target);
/* Frees what is not of the memory. */
void pm_report_target_clear(pm_report_target *target);

/* ---- the formats ---------------------------------------------------------------------------- */

/* Each is text to free. */
char *pm_report_json(const pm_report *report, pm_error *err);
char *pm_report_html(const pm_report *report, pm_error *err);
char *pm_report_markdown(const pm_report *report, pm_error *err);

/* Sections, of HTML and Markdown alike (section_*.c). */
void pm_section_summary(pm_page *page, const pm_report *report);
void pm_section_money(pm_page *page, const pm_report *report);
/* What versions save of energy, if anybody asked. */
void pm_section_energy(pm_page *page, const pm_report *report);
void pm_section_gains(pm_page *page, const pm_report *report);
void pm_section_roofline(pm_page *page, const pm_report *report);
void pm_section_program(pm_page *page, const pm_report *report, size_t number);
void pm_section_validation(pm_page *page, const pm_report *report);
void pm_section_trust(pm_page *page, const pm_report *report);
void pm_section_provenance(pm_page *page, const pm_report *report);

/* How the versions of a [tune] section rank, and what each parameter does (section_tune.c). */
void pm_put_tuning(pm_page *page, const pm_report_case *c);

/* A figure of the gains of a program's versions on each target. */
void pm_put_versions(pm_page *page, const pm_report *report, const char *program);

/* The programs of the report, each once, in the order of the first target that has it. */
size_t pm_report_program_count(const pm_report *report);
const char *pm_report_program_at(const pm_report *report, size_t number);
/* The case of a target; NULL: it was left out. */
const pm_report_case *pm_report_case_of(const pm_report_target *target, const char *program);

/* A version of it, as a row of a table. */
pm_shown_choice pm_report_shown(const pm_report_case *c, size_t number);

/* Finds the cases whose net money is drawn, in the order of their colours; returns how many. */
enum { PM_MOST_CURVES = 8 };
size_t pm_report_drawn(const pm_report *report, const pm_report_case *drawn[PM_MOST_CURVES]);
/* For the page's script and for scripts of others: what the money comes from. */
json_t *pm_report_live_json(const pm_report *report);

/* Whether a file can be made there, before the long work: PM_BAD_INPUT if not. Leaves nothing. */
pm_status pm_report_try_place(const char *path, pm_error *err);

#endif
