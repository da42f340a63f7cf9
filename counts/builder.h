/* The OpenCL compiler of this machine's CPU, which is asked what it makes of loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COUNTS_BUILDER_H
#define PM_COUNTS_BUILDER_H

#include "collector/device_compiler.h"

/* Builds for the target, which is a CPU of this machine with a row that was made on it; it stays
 * the session's. NULL: there is none, so that its rules alone tell which loops are vectors'. */
pm_device_compiler *pm_counts_builder(pm_session *session, const char *target);

#endif
