/* Loops of a replay, as what writes them needs to know them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_LOOPS_H
#define PM_CAPTURE_LOOPS_H

#include "capture/replay/replay.h"

enum { PM_REPLAY_MOST_TURNS = 8 }; /* of buffers */

/* How many buffers argument a of the section's launches takes in turns. */
size_t pm_replay_period(const pm_replay *replay, const pm_replay_section *section, size_t a);

#endif
