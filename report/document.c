/* Returns results as the text of JSON documents. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "base/error.h"
#include "report/check/check.h"
#include "report/json/json.h"

/* Returns a JSON document as text, which the caller frees. Releases the document. NULL with err set
 * if memory runs out. */
static char *text_of(json_t *document, pm_error *err)
{
    char *text = document ? json_dumps(document, JSON_COMPACT | PM_JSON_DIGITS) : NULL;

    json_decref(document);
    if (!text)
        pm_fail(err, PM_FAILED, "out of memory for a JSON document");
    return text;
}

char *pm_trace_document(const pm_trace *trace, pm_error *err)
{
    return text_of(pm_json_trace(trace), err);
}

char *pm_collect_document(const pm_collect_result *result, pm_error *err)
{
    return text_of(pm_json_collected(result), err);
}

char *pm_validation_document(const pm_validation *validation, pm_error *err)
{
    return text_of(pm_json_validation(validation), err);
}

char *pm_predictions_document(const pm_predictions *predictions, const char *target, pm_error *err)
{
    return text_of(pm_json_predictions(predictions, target), err);
}

char *pm_tuning_document(const pm_tuning *tuning, pm_error *err)
{
    return text_of(pm_json_tuning(tuning), err);
}

char *pm_check_document(const pm_check *check, pm_error *err)
{
    return text_of(pm_json_check(check), err);
}

char *pm_capture_document(const pm_capture_summary *summary, const char *folder, int code,
                          pm_error *err)
{
    return text_of(pm_json_capture(summary, folder, code), err);
}

char *pm_advice_document(const pm_advice *advice, const pm_cost_options *cost, unsigned given,
                         pm_error *err)
{
    pm_payback *costs = cost ? calloc(advice->n + 1, sizeof *costs) : NULL;
    pm_status status = PM_OK;
    json_t *document;

    if (cost && !costs) {
        pm_fail(err, PM_FAILED, "out of memory for what the versions cost");
        return NULL;
    }
    for (size_t i = 0; cost && status == PM_OK && i < advice->n; i++)
        status = pm_cost_of(advice, &advice->choices[i], cost, &costs[i], err);
    if (status != PM_OK) {
        free(costs);
        return NULL;
    }
    document = pm_json_advised(advice, costs, cost, given);
    free(costs);
    json_object_set_new(document, "elsewhere", pm_json_elsewhere(NULL, 0));
    return text_of(document, err);
}
