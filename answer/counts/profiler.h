/* The profiler of a target, whose names for counters stand beside perfmodel's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COUNTS_PROFILER_H
#define PM_COUNTS_PROFILER_H

#include "base/session/session.h"
#include "machine/counters/profilers.h"

/* Of the session; without a name where the target has none, such as a CPU. NULL with err. */
const pm_profiler *pm_counts_profiler(pm_session *session, const char *target, pm_error *err);

#endif
