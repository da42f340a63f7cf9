/* What CUPTI calls the counters of the table on one chip: the list of metrics, the configuration
 * that counts them, and their values from what was counted. Needs no GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_METRICS_H
#define PM_COLLECTOR_CUPTI_CUPTI_METRICS_H

#include "collector/cupti/cupti_library.h"
#include "counters/counters.h"

typedef struct pm_cupti_metrics pm_cupti_metrics;

/* chip as CUPTI names it (GH100); availability is the image of cuptiProfilerGetCounterAvailability,
 * NULL where there is no GPU. A counter whose metrics the chip lacks is left out, with a notice if
 * the table claims it. All three objects and availability must outlive the result. */
pm_cupti_metrics *pm_cupti_metrics_create(const pm_cupti *cupti, const pm_counter_table *table,
                                          const char *chip, const uint8_t *availability,
                                          const pm_log *log, pm_error *err);
void pm_cupti_metrics_free(pm_cupti_metrics *metrics);

/* The metric names, each once. */
const char **pm_cupti_metrics_names(const pm_cupti_metrics *metrics, size_t *count);
/* Whether the chip knows a metric. */
bool pm_cupti_metrics_known(const pm_cupti_metrics *metrics, const char *metric);
/* Whether counter i of the table is among those that will be counted. */
bool pm_cupti_metrics_has(const pm_cupti_metrics *metrics, size_t counter);
const uint8_t *pm_cupti_metrics_config(const pm_cupti_metrics *metrics, size_t *size);
/* How many times the work must run to count them all. */
size_t pm_cupti_metrics_passes(const pm_cupti_metrics *metrics);

/* values has one member a counter of the table: NaN where the chip has no such counter. image is a
 * counter data image, decoded. */
pm_status pm_cupti_metrics_evaluate(pm_cupti_metrics *metrics, const uint8_t *image,
                                    size_t image_size, size_t range, double *values, pm_error *err);

#endif
