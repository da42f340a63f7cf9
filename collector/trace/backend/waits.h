/* Which loads of straight-line code are under way together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_WAITS_H
#define PM_COLLECTOR_TRACE_BACKEND_WAITS_H

#include "collector/trace/program.h"

/* The memory instructions of a segment, in its order, whose loads have in `wait` how many waits for
 * other loads come before them: sets it to the number of the wait that they are part of, counted
 * for each space apart. */
void pm_waits_split(pm_site *sites, size_t count);

#endif
