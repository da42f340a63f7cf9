/* Leaves out of a case's kernel what its result does not need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_SHRINK_H
#define PM_TESTS_SHARED_RANDOM_SHRINK_H

#include "jobs.h"

/* Of options for one case. Its last run, of what is left, is printed and tallied. */
bool sr_shrink(const sr_options *options, sr_tally *tally);

#endif
