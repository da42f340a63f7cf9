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

/* Flag of json_dumps that writes numbers with 9 significant digits. */
#define PM_JSON_DIGITS JSON_REAL_PRECISION(9)

/* Returns a JSON string, or null if text is NULL. If text is not UTF-8, each byte that is not ASCII
 * is replaced by '?'. */
json_t *pm_json_text(const char *text);
/* Returns a JSON number, or null if the value is not finite. */
json_t *pm_json_number(double value);
json_t *pm_json_range(const pm_interval *range);

/* Type of a struct's member, which decides how pm_json_members writes the member as JSON. */
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
/* Returns a JSON list of one(element) for each element of an array. things: the array, with `count`
 * elements of `size` bytes. */
json_t *pm_json_things(const void *things, size_t count, size_t size, json_t *(*one)(const void *));

/* ---- results -------------------------------------------------------------------------------- */

/* Adds the seconds that each functional unit contributes to a predicted time to a JSON object, as
 * the member "terms", and the unit with the largest contribution as "bound". bound is null if there
 * are no contributions. */
void pm_json_why(json_t *object, const pm_explanation *why);
/* Returns a prediction as a JSON object: names of kernel, program, variant and size, times and 90 %
 * interval. If measured_s is unknown, it is null if always_measured, and else left out. */
json_t *pm_json_prediction(const pm_prediction *prediction, bool always_measured);
/* Returns the total of each program over its kernels as JSON, with the same keys as a prediction.
 * Times are null if a kernel could not be predicted. */
json_t *pm_json_totals(const pm_predictions *predictions);
json_t *pm_json_validation(const pm_validation *validation);
/* Returns a list of the traced kernels, each with its counters and memory accesses. */
json_t *pm_json_kernels(const pm_trace *trace);

/* The functions return the JSON documents that the commands trace, collect, predict and capture
 * print. target and folder are written into the document as the user gave them. */
json_t *pm_json_trace(const pm_trace *trace);
json_t *pm_json_collected(const pm_collect_result *result);
/* Returns the JSON document that `collect --import` prints. */
json_t *pm_json_imported(const pm_imported *imported);
json_t *pm_json_predictions(const pm_predictions *predictions, const char *target);
json_t *pm_json_capture(const pm_capture_summary *summary, const char *folder, int code);

/* Returns an advice with its versions as JSON, without the target. costs has one element for each
 * member of advice->choices. The cost of the base version is written as null. costs NULL: the
 * document has no costs. */
json_t *pm_json_advice(const pm_advice *advice, const pm_payback *costs);
/* Returns the document of pm_json_advice, with the prices added. cost NULL: the prices are written
 * as null. given: bits of pm_cost_given, which say what prices the user gave. */
json_t *pm_json_advised(const pm_advice *advice, const pm_payback *costs,
                        const pm_cost_options *cost, unsigned given);
/* Returns the result of a search through combinations of tuning parameters (perfmodel tune) as
 * JSON. */
json_t *pm_json_tuning(const pm_tuning *tuning);
/* Returns true if the user gave a price or the CO2 emission of electricity. */
bool pm_json_has_energy(const pm_cost_options *options);
/* Removes from the cost of each version (variant of the program) all members except the saved
 * energy. Used if the user gave no rate from which other amounts of money could be computed. */
void pm_json_keep_energy(const json_t *choices);
/* Returns a JSON object with the prices and rates that the user gave. */
json_t *pm_json_cost_options(const pm_cost_options *options);
/* Returns a comparison as JSON: the costs of optimizing the program for the target, and of running
 * it on each other GPU in `places`. */
json_t *pm_json_elsewhere(const pm_table_place *places, size_t count);

/* Returns as JSON the arrays that are candidates for staging in local memory, and the conditions
 * that must hold for the rewritten source to be correct. */
json_t *pm_json_arrays(const pm_transformed *transformed);
json_t *pm_json_texts(char *const *texts, size_t count);
/* Returns a JSON list of the assumptions about launches of sources without a workload file.
 * `assumed` ends with NULL. assumed NULL: there are no assumptions. */
json_t *pm_json_assumed(const char *const *assumed);

/* Returns the steps of the layout method of Nakai and Ohno (2017) as JSON, for each struct: rows of
 * the access table, sums of weights, field access trees and struct definitions. */
json_t *pm_json_nakai(const pm_nakai *analysis);

/* Writes the rows of a JSON document as CSV. The rows are the members of the list with the key
 * `list`, in the document or in objects of its lists. If the value of that key is an object, its
 * keys become the column "name". Each row also has the scalars of the objects that enclose it. A
 * member INNER of an object OUTER becomes the column OUTER.INNER. A list of scalars becomes one
 * cell, separated by semicolons. Numbers have the same digits as in JSON. If `list` is NULL, the
 * document itself is the list, or the only row. The caller frees the text. NULL: out of memory. */
char *pm_json_csv(const json_t *document, const char *list);

#endif
