/* Results as JSON. Every document of the command line and of the report is made by these functions,
 * so that the same result has the same keys in all documents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_JSON_JSON_H
#define PM_REPORT_JSON_JSON_H

#include <jansson.h>

#include "answer/import/import.h"
#include "perfmodel.h"
#include "report/results/choices.h"
#include "transform/layout/nakai/nakai.h"

/* ---- values --------------------------------------------------------------------------------- */

/* Flag of json_dumps: numbers in documents have 9 significant digits. */
#define PM_JSON_DIGITS JSON_REAL_PRECISION(9)

/* A JSON string, or null if text is NULL. If text is not UTF-8, each byte that is not ASCII becomes
 * '?'. */
json_t *pm_json_text(const char *text);
/* A JSON number, or null if the value is not finite. */
json_t *pm_json_number(double value);
json_t *pm_json_range(const pm_interval *range);

/* Describes how to write one member of a struct: its key and its type. */
typedef enum {
    PM_JSON_TEXT,     /* char * */
    PM_JSON_NAME,     /* char *, written as null if it is "" */
    PM_JSON_NUMBER,   /* double */
    PM_JSON_POSITIVE, /* double, written as null unless it is above 0 */
    PM_JSON_RANGE,    /* pm_interval */
    PM_JSON_COUNT,    /* size_t */
    PM_JSON_KNOWN,    /* size_t, written as null if it is 0 */
    PM_JSON_UNSIGNED,
    PM_JSON_LINE, /* unsigned, written as null if it is 0 */
    PM_JSON_FLAG  /* bool */
} pm_json_kind;

typedef struct {
    const char *key;
    pm_json_kind kind;
    size_t at;
} pm_json_member;

#define PM_JSON_AS(key, kind, type, member)                                                        \
    {                                                                                              \
        key, PM_JSON_##kind, offsetof(type, member)                                                \
    }
#define PM_JSON(kind, type, member) PM_JSON_AS(#member, kind, type, member)

json_t *pm_json_members(const void *thing, const pm_json_member *members, size_t count);
#define PM_JSON_OBJECT(thing, members)                                                             \
    pm_json_members(thing, members, sizeof(members) / sizeof *(members))
/* Returns a JSON list with the results of one() for `count` consecutive elements of `size` bytes.
 */
json_t *pm_json_things(const void *things, size_t count, size_t size, json_t *(*one)(const void *));

/* ---- results -------------------------------------------------------------------------------- */

/* Adds two members to an object: bound (null if the time has no terms) and terms. */
void pm_json_why(json_t *object, const pm_explanation *why);
/* Returns a JSON object with the key, the times and the interval of a sample. An unknown measured_s
 * is left out, or is null if always_measured. */
json_t *pm_json_prediction(const pm_prediction *prediction, bool always_measured);
/* Returns the totals over all kernels of each program, with the same keys as a prediction. Times
 * are null if a kernel could not be predicted. */
json_t *pm_json_totals(const pm_predictions *predictions);
json_t *pm_json_validation(const pm_validation *validation);
/* Returns a list of the traced kernels, each with its counters and memory accesses. */
json_t *pm_json_kernels(const pm_trace *trace);

/* The functions return the documents of the commands trace, collect, predict and capture. target
 * and folder are written as the user gave them. */
json_t *pm_json_trace(const pm_trace *trace);
json_t *pm_json_collected(const pm_collect_result *result);
/* The document of collect --import. */
json_t *pm_json_imported(const pm_imported *imported);
json_t *pm_json_predictions(const pm_predictions *predictions, const char *target);
json_t *pm_json_capture(const pm_capture_summary *summary, const char *folder, int code);

/* Returns an advice with its choices, without the target. costs has one element per choice, and the
 * cost of the base version is written as null. costs NULL: the user asked for no costs. */
json_t *pm_json_advice(const pm_advice *advice, const pm_payback *costs);
/* Returns the document of pm_json_advice with the prices added. cost NULL: the prices are written
 * as null. given: bits of pm_cost_given. */
json_t *pm_json_advised(const pm_advice *advice, const pm_payback *costs,
                        const pm_cost_options *cost, unsigned given);
/* Returns the result of a search through versions. */
json_t *pm_json_tuning(const pm_tuning *tuning);
/* Returns true if the user gave a price or the CO2 of energy. */
bool pm_json_has_energy(const pm_cost_options *options);
/* Removes from each choice's cost all members except the saved energy, because the user gave no
 * rate from which money could be computed. */
void pm_json_keep_energy(const json_t *choices);
/* Returns the prices and rates that the user gave. */
json_t *pm_json_cost_options(const pm_cost_options *options);
/* Returns the costs of the work on the target and on each other GPU in `places`. */
json_t *pm_json_elsewhere(const pm_table_place *places, size_t count);

/* Returns the arrays that could be staged in local memory, and the conditions that must hold. */
json_t *pm_json_arrays(const pm_transformed *transformed);
json_t *pm_json_texts(char *const *texts, size_t count);
/* Returns the list of assumptions about sources without a workload file. `assumed` ends with NULL;
 * assumed NULL: there are no assumptions. */
json_t *pm_json_assumed(const char *const *assumed);

/* Returns all steps of method nakai (the layout method of Nakai and Ohno 2017) for each struct:
 * rows, sums, trees and definitions. */
json_t *pm_json_nakai(const pm_nakai *analysis);

/* Writes the rows of a document as CSV. The rows are the members of the list that is called `list`,
 * in the document or in the objects of its lists. If `list` is an object, its keys become the
 * column "name". Each row also has the scalars of the objects that enclose it. A member INNER of an
 * object OUTER becomes the column OUTER.INNER. A list of scalars becomes one cell, separated by
 * semicolons. Numbers have the same digits as in JSON. If `list` is NULL, the document itself is
 * the list, or the only row. The caller frees the text. NULL if memory runs out. */
char *pm_json_csv(const json_t *document, const char *list);

#endif
