/* How much energy a device has used: a meter that only goes up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One backend a file; today NVIDIA's (nvml.c). A machine without it fails softly.
 */
#ifndef PM_COLLECTOR_ENERGY_ENERGY_H
#define PM_COLLECTOR_ENERGY_ENERGY_H

#include "base/cancel.h"
#include "collector/executor.h"

typedef struct pm_energy pm_energy;

/* The meter of a device of pm_devices, from the driver. PM_FAILED where the device has none or the
 * driver does not tell; err says what to do. */
pm_status pm_energy_open(const pm_device *device, pm_energy **out, pm_error *err);
/* Joules of the whole board since some time in the past. Drivers bring them up to date some ten
 * times a second. */
pm_status pm_energy_read(const pm_energy *meter, double *joules, pm_error *err);
void pm_energy_close(pm_energy *meter);

/* ---- measure.c ------------------------------------------------------------------------------ */

/* Whether a pass can be repeated without setting buffers back, which would be measured too, and all
 * of it is one kernel's. */
bool pm_energy_fits(const pm_workload *workload);

/* Joules of one pass over the launches of the loaded workload, which fits: the launches of many
 * passes, back to back, from one step of the meter to another that is at least a second later. The
 * whole board's, what it draws when idle included. pass_s: what a pass lasts. Asks cancel before
 * each batch of launches. */
pm_status pm_energy_measure(const pm_energy *meter, pm_executor *executor,
                            const pm_workload *workload, double pass_s, const pm_cancel *cancel,
                            double *joules, pm_error *err);

#endif
