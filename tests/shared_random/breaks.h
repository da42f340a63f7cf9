/* Makes sources wrong, to see that it is noticed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_BREAKS_H
#define PM_TESTS_SHARED_RANDOM_BREAKS_H

#include "cases.h"
#include "program.h"

/* false: there is nothing of the kind in it. */
bool sr_break_source(pm_workload *workload, const sr_program *program, sr_break how);

#endif
