/* The OpenCL device of this machine whose compiler is asked what it makes of a CPU's loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COUNTS_BUILDER_H
#define PM_COUNTS_BUILDER_H

#include "collector/executor.h"

/* Builds for the target, which is a CPU of this machine with a row that was made on it; it stays
 * the session's. NULL: there is none, so that its rules alone tell which loops are vectors'. */
pm_executor *pm_counts_builder(pm_session *session, const char *target);

#endif
