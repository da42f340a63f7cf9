/* Runs a program with the layer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_RUN_H
#define PM_CAPTURE_RUN_H

#include "perfmodel.h"

/* Waits for its end, which comes after so many seconds; code as pm_capture_run has it. */
pm_status pm_captured_run(pm_session *session, const pm_capture_options *options, int *code,
                          double *seconds, pm_error *err);

#endif
