/* Leaving out what a case does not need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_RANDOM_SHRINK_H
#define PM_TESTS_LAYOUT_RANDOM_SHRINK_H

#include "jobs.h"

/* Runs the one case of the options, then again without each of its program's units in turn that the
 * result does not change without, and last what is left, printed. */
bool lr_shrink(const lr_options *options, lr_tally *t);

#endif
