/* Properties of loops in the captured sequence of kernel launches: which arguments change between
 * iterations, and how. The writer of the workload file needs them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_REPLAY_LOOPS_H
#define PM_CAPTURE_REPLAY_LOOPS_H

#include "capture/replay/replay.h"

/* Largest number of buffers that an argument may use in turn in the iterations of a loop. */
enum { PM_REPLAY_MOST_TURNS = 8 };

/* Returns the number of buffers that argument `a` uses in turn in the launches which a section of
 * the workload file repeats; 1: always the same buffer. */
size_t pm_replay_period(const pm_replay *replay, const pm_replay_section *section, size_t a);

#endif
