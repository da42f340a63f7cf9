/* Results as JSON, for programs that would rather have text than structs. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each is the document that the command of that name prints with --json (docs/usage.md), freed with
 * free(); NULL is out of memory.
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
/* target: as it was asked for. */
char *pm_predictions_document(const pm_predictions *predictions, const char *target, pm_error *err);
char *pm_tuning_document(const pm_tuning *tuning, pm_error *err);
char *pm_check_document(const pm_check *check, pm_error *err);
/* folder: as it was asked for; code: the exit code of the program. */
char *pm_capture_document(const pm_capture_summary *summary, const char *folder, int code,
                          pm_error *err);

/* Prices that are the caller's own, and not the examples of pm_cost_options_default. */
typedef enum { PM_GIVEN_RATE = 1, PM_GIVEN_GPU_HOUR = 2, PM_GIVEN_RUNS = 4 } pm_cost_given;

/* What versions cost and return is in it where cost is not NULL; given: of pm_cost_given, for
 * people to know what was assumed. Unlike those before it also fails with pm_cost_of. */
char *pm_advice_document(const pm_advice *advice, const pm_cost_options *cost, unsigned given,
                         pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
