/* The clock for measuring durations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_CLOCK_H
#define PM_BASE_CLOCK_H

/* Returns the time of the system's monotonic clock in seconds. */
double pm_now_s(void);

#endif
