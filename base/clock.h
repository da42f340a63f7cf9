/* The clock that durations are measured by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_CLOCK_H
#define PM_BASE_CLOCK_H

/* Seconds of a clock that never goes back. */
double pm_now_s(void);

#endif
