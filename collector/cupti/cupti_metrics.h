/* Maps perfmodel's counters (machine/counters) to CUPTI's metrics on one chip. This needs no GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Provides the list of CUPTI's metrics, the configuration image for counting these metrics, and the
 * counters' values after counting.
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_METRICS_H
#define PM_COLLECTOR_CUPTI_CUPTI_METRICS_H

#include "collector/cupti/cupti_library.h"
#include "machine/counters/counters.h"

typedef struct pm_cupti_metrics pm_cupti_metrics;

/* Selects the counters of `table` that a chip has. chip: CUPTI's name of the chip, such as GH100.
 * availability: image from cuptiProfilerGetCounterAvailability; NULL: the machine has no GPU. A
 * counter is left out if CUPTI lacks one of its metrics on this chip. A notice about this is logged
 * if `table` gives metrics for the counter on this family of chips. All arguments except err must
 * outlive the result. */
pm_cupti_metrics *pm_cupti_metrics_create(const pm_cupti *cupti, const pm_counter_table *table,
                                          const char *chip, const uint8_t *availability,
                                          const pm_log *log, pm_error *err);
void pm_cupti_metrics_free(pm_cupti_metrics *metrics);

/* Returns the names of the CUPTI metrics to count, without duplicates. `metrics` owns the names. */
const char **pm_cupti_metrics_names(const pm_cupti_metrics *metrics, size_t *count);
/* Returns whether the chip has the CUPTI metric of this name. */
bool pm_cupti_metrics_known(const pm_cupti_metrics *metrics, const char *metric);
/* Returns whether the chip can count the counter with index `counter` in the counter table. */
bool pm_cupti_metrics_has(const pm_cupti_metrics *metrics, size_t counter);
const uint8_t *pm_cupti_metrics_config(const pm_cupti_metrics *metrics, size_t *size);
/* Returns the number of times that the GPU's work must be repeated to count all metrics, because
 * the hardware counts only some metrics at a time. */
size_t pm_cupti_metrics_passes(const pm_cupti_metrics *metrics);

/* Sets values[i] to counter i of the counter table for one range (one kernel launch). NaN: the chip
 * does not have the counter. image: CUPTI's counter data image after decoding. range: index of the
 * range in the image. */
pm_status pm_cupti_metrics_evaluate(pm_cupti_metrics *metrics, const uint8_t *image,
                                    size_t image_size, size_t range, double *values, pm_error *err);

#endif
