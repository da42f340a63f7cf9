/* Runs a program with the recording libraries.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_RUN_H
#define PM_CAPTURE_RUN_H

#include "perfmodel.h"

/* Runs the program and waits for its end. *seconds gets its run time. *code gets its exit code, or
 * 128 + the signal that ended it, as in pm_capture_run. */
pm_status pm_captured_run(pm_session *session, const pm_capture_options *options, int *code,
                          double *seconds, pm_error *err);

#endif
