/* Maps the table's counters to CUPTI's metrics on one chip. Needs no GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It provides the list of metrics, the configuration that counts them, and their values after
 * counting.
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_METRICS_H
#define PM_COLLECTOR_CUPTI_CUPTI_METRICS_H

#include "collector/cupti/cupti_library.h"
#include "machine/counters/counters.h"

typedef struct pm_cupti_metrics pm_cupti_metrics;

/* Selects the counters that a chip has. chip: CUPTI's name (GH100). availability: image of
 * cuptiProfilerGetCounterAvailability; NULL: there is no GPU. A counter whose metrics the chip
 * lacks is left out. A notice is given if the table has it for this chip. All arguments except
 * err must outlive the result. */
pm_cupti_metrics *pm_cupti_metrics_create(const pm_cupti *cupti, const pm_counter_table *table,
                                          const char *chip, const uint8_t *availability,
                                          const pm_log *log, pm_error *err);
void pm_cupti_metrics_free(pm_cupti_metrics *metrics);

/* The metric names, each once. The metrics own them. */
const char **pm_cupti_metrics_names(const pm_cupti_metrics *metrics, size_t *count);
/* Returns whether the chip has a metric. */
bool pm_cupti_metrics_known(const pm_cupti_metrics *metrics, const char *metric);
/* Returns whether counter number `counter` of the table is counted. */
bool pm_cupti_metrics_has(const pm_cupti_metrics *metrics, size_t counter);
const uint8_t *pm_cupti_metrics_config(const pm_cupti_metrics *metrics, size_t *size);
/* Number of times that the work must run to count all metrics. */
size_t pm_cupti_metrics_passes(const pm_cupti_metrics *metrics);

/* Sets values[i] for each counter i of the table; NaN if the chip does not have it. image: a
 * decoded counter data image. */
pm_status pm_cupti_metrics_evaluate(pm_cupti_metrics *metrics, const uint8_t *image,
                                    size_t image_size, size_t range, double *values, pm_error *err);

#endif
