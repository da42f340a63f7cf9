/* Properties of a replay's loops that the writer of the workload file needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_REPLAY_LOOPS_H
#define PM_CAPTURE_REPLAY_LOOPS_H

#include "capture/replay/replay.h"

enum { PM_REPLAY_MOST_TURNS = 8 }; /* most buffers in a cycle */

/* Returns the number of buffers through which argument a cycles in the launches of a section. */
size_t pm_replay_period(const pm_replay *replay, const pm_replay_section *section, size_t a);

#endif
