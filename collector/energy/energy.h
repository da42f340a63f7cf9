/* Reads the energy in joules that a device has used, from the energy meter of the device's driver.
 *
 * Each vendor's driver needs a file of its own. So far there is only the file for NVIDIA's driver,
 * nvml.c. Without NVIDIA's driver, opening the meter fails, but the rest of perfmodel works.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENERGY_ENERGY_H
#define PM_COLLECTOR_ENERGY_ENERGY_H

#include "base/cancel.h"
#include "collector/executor.h"

typedef struct pm_energy pm_energy;

/* Opens the energy meter of a device of pm_devices. PM_FAILED if the device has no meter or the
 * driver does not report its value. err names the remedy. */
pm_status pm_energy_open(const pm_device *device, pm_energy **out, pm_error *err);
/* Sets *joules to the energy that the whole board has used since some fixed time. The value never
 * decreases. Drivers update it about ten times per second. */
pm_status pm_energy_read(const pm_energy *meter, double *joules, pm_error *err);
void pm_energy_close(pm_energy *meter);

/* ---- measure.c ------------------------------------------------------------------------------ */

/* Returns whether the energy of a workload can be measured. All launches must be of one kernel, and
 * passes over the launches must be repeatable without restoring buffers, because that would be
 * measured, too. */
bool pm_energy_fits(const pm_workload *workload);

/* Measures the energy of one pass over the launches of the loaded workload, for which
 * pm_energy_fits must hold. Many passes run without gaps, from one update of the meter to
 * another at least a second later. The result includes the board's idle power. pass_s: duration
 * of a pass in seconds. Checks `cancel` before each batch of launches. */
pm_status pm_energy_measure(const pm_energy *meter, pm_executor *executor,
                            const pm_workload *workload, double pass_s, const pm_cancel *cancel,
                            double *joules, pm_error *err);

#endif
