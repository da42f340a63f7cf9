/* Finds which pages of the captured buffers the captured launches read or write, so that the other
 * pages need not be stored.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_PAGE_USE_H
#define PM_CAPTURE_PAGE_USE_H

#include "capture/folder.h"

/* Finds which pages of the replay's buffers the launches use, and stores it in the buffers. Runs
 * the captured launches in the trace engine for at most about `seconds` seconds, from a draft of
 * the workload file that it writes. Stores nothing if the contents are small, if `seconds` is not
 * above 0, or if the launches cannot be traced, take longer, or use other pages than when they were
 * captured. name: name of the workload in tables. */
void pm_captured_page_use(pm_session *session, pm_capture_folder *folder, pm_replay *replay,
                          const char *name, double seconds);

#endif
