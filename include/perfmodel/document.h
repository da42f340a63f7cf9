/* Converts results of the library (such as predictions and advice) to JSON texts. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each function returns the JSON document that the command of its name prints with --json
 * (docs/usage.md). Free it with free(). NULL: out of memory (PM_FAILED).
 */
#ifndef PERFMODEL_DOCUMENT_H
#define PERFMODEL_DOCUMENT_H

#include "perfmodel/advise.h"
#include "perfmodel/capture.h"
#include "perfmodel/check.h"
#include "perfmodel/collect.h"
#include "perfmodel/cost.h"
#include "perfmodel/predict.h"
#include "perfmodel/trace.h"
#include "perfmodel/tune.h"

#ifdef __cplusplus
extern "C" {
#endif

char *pm_trace_document(const pm_trace *trace, pm_error *err);
char *pm_collect_document(const pm_collect_result *result, pm_error *err);
char *pm_validation_document(const pm_validation *validation, pm_error *err);
/* The following functions return results as the text of a JSON document. target: the GPU's name as
 * the user gave it, which the document repeats. */
char *pm_predictions_document(const pm_predictions *predictions, const char *target, pm_error *err);
char *pm_tuning_document(const pm_tuning *tuning, pm_error *err);
char *pm_check_document(const pm_check *check, pm_error *err);
/* Returns the JSON document of a capture. folder: the path that the user gave. code: the exit code
 * of the captured program. */
char *pm_capture_document(const pm_capture_summary *summary, const char *folder, int code,
                          pm_error *err);

/* Bits that say which members of pm_cost_options the user gave: hourly_rate, gpu_hour and
 * runs_per_month. A member without its bit has the example value of pm_cost_options_default. */
typedef enum { PM_GIVEN_RATE = 1, PM_GIVEN_GPU_HOUR = 2, PM_GIVEN_RUNS = 4 } pm_cost_given;

/* Returns the JSON document of an advice as text. cost: prices for the costs and savings of the
 * versions; NULL: the document has none. given: bits of pm_cost_given. Without PM_GIVEN_RATE the
 * document leaves out all costs except the cost of energy. It has the cost of energy only if
 * cost->energy has a price or CO2. Also fails if pm_cost_of fails. */
char *pm_advice_document(const pm_advice *advice, const pm_cost_options *cost, unsigned given,
                         pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
