/* Finds the profiler of a target, because its names of counters are shown next to perfmodel's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_COUNTS_PROFILER_H
#define PM_ANSWER_COUNTS_PROFILER_H

#include "base/session/session.h"
#include "machine/counters/profilers.h"

/* Finds the names that the target's profiler has for counters. The session owns the result. If the
 * target has no profiler, for example because it is a CPU, the result has no names. NULL with err
 * on failure. */
const pm_profiler *pm_counts_profiler(pm_session *session, const char *target, pm_error *err);

#endif
