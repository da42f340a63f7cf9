/* Writes a summary of the kernel launches that a capture has recorded, and of the launches that it
 * has left out with the reasons.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_TELL_H
#define PM_CAPTURE_TELL_H

#include "capture/records.h"
#include "capture/replay/replay.h"
#include "perfmodel.h"

void pm_summary_file(pm_memory *memory, pm_capture_summary *summary, const char *file);
void pm_summary_fill(pm_memory *memory, pm_capture_summary *summary, const pm_captured *captured,
                     const pm_replay *replays, size_t replay_count);

#endif
