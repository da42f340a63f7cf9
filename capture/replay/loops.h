/* Properties of the loops of launches in a captured program, which the writer of the workload file
 * needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_REPLAY_LOOPS_H
#define PM_CAPTURE_REPLAY_LOOPS_H

#include "capture/replay/replay.h"

/* largest number of buffers through which an argument of a loop may cycle */
enum { PM_REPLAY_MOST_TURNS = 8 };

/* Returns the number of buffers through which argument a cycles in the launches that a section of
 * the workload file repeats. */
size_t pm_replay_period(const pm_replay *replay, const pm_replay_section *section, size_t a);

#endif
