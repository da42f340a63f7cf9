/* Results as JSON: every document of the command line and of the report is made of these, so that a
 * thing has the same keys wherever it stands.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_JSON_JSON_H
#define PM_REPORT_JSON_JSON_H

#include <jansson.h>

#include "layout/nakai/nakai.h"
#include "perfmodel.h"
#include "report/results/choices.h"

/* ---- values --------------------------------------------------------------------------------- */

/* With what digits documents have numbers: a flag of json_dumps. */
#define PM_JSON_DIGITS JSON_REAL_PRECISION(9)

/* null for NULL; of text that is not UTF-8, which JSON cannot hold, the other bytes become '?'. */
json_t *pm_json_text(const char *text);
/* null for what is not finite */
json_t *pm_json_number(double value);
json_t *pm_json_range(const pm_interval *range);

/* A member of a struct and its key. */
typedef enum {
    PM_JSON_TEXT,     /* char * */
    PM_JSON_NAME,     /* char *, null where it is "" */
    PM_JSON_NUMBER,   /* double */
    PM_JSON_POSITIVE, /* double, null where it is not above 0 */
    PM_JSON_RANGE,    /* pm_interval */
    PM_JSON_COUNT,    /* size_t */
    PM_JSON_KNOWN,    /* size_t, null where it is 0 */
    PM_JSON_UNSIGNED,
    PM_JSON_LINE, /* unsigned, null where it is 0 */
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
/* Things of one size, one behind the other. */
json_t *pm_json_things(const void *things, size_t count, size_t size, json_t *(*one)(const void *));

/* ---- results -------------------------------------------------------------------------------- */

/* Adds bound (null where no units are known) and terms to an object. */
void pm_json_why(json_t *object, const pm_explanation *why);
/* A sample's key, times and interval; measured_s only where it is known, or always (null). */
json_t *pm_json_prediction(const pm_prediction *prediction, bool always_measured);
/* Of all kernels of a program, in the same words; null where one could not be predicted. */
json_t *pm_json_totals(const pm_predictions *predictions);
json_t *pm_json_validation(const pm_validation *validation);
/* Kernels with counters and accesses. */
json_t *pm_json_kernels(const pm_trace *trace);

/* The documents of trace, collect, predict and capture; target and folder as they were asked for.
 */
json_t *pm_json_trace(const pm_trace *trace);
json_t *pm_json_collected(const pm_collect_result *result);
json_t *pm_json_predictions(const pm_predictions *predictions, const char *target);
json_t *pm_json_capture(const pm_capture_summary *summary, const char *folder, int code);

/* An advice without its target: all that is known of it and of its choices. costs has one for each
 * choice, or is NULL: nothing was asked. The base costs null. */
json_t *pm_json_advice(const pm_advice *advice, const pm_payback *costs);
/* Same document as pm_json_advice with the prices. cost: NULL writes null. given: bits of
 * pm_cost_given. */
json_t *pm_json_advised(const pm_advice *advice, const pm_payback *costs,
                        const pm_cost_options *cost, unsigned given);
/* What a search through versions found. */
json_t *pm_json_tuning(const pm_tuning *tuning);
/* What was asked of money. */
json_t *pm_json_cost_options(const pm_cost_options *options);
/* What other GPUs would cost. */
json_t *pm_json_elsewhere(const pm_table_place *places, size_t count);

/* The arrays that could be staged in local memory, and what has to hold. */
json_t *pm_json_arrays(const pm_transformed *transformed);
json_t *pm_json_texts(char *const *texts, size_t count);
/* What was assumed of bare sources: NULL-terminated; NULL: nothing. */
json_t *pm_json_assumed(const char *const *assumed);

/* All steps of method nakai: rows, sums, trees, definitions, by struct. */
json_t *pm_json_nakai(const pm_nakai *analysis);

/* The rows of a document as CSV: members of the list `list` (or of the object of that name, whose
 * keys are the column "name"), wherever it is in the document, each with the scalars of what it is
 * in; of objects in a row OUTER.INNER, of lists of scalars one cell with ; between them. All
 * numbers are as in the document. NULL as list: the document is the list, or one row. To free;
 * NULL: no memory. */
char *pm_json_csv(const json_t *document, const char *list);

#endif
