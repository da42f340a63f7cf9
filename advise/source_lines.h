/* How far two sources of a program differ: lines of code, and kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of code is one that has more than white space and comments; white space in it, and
 * comments, make no difference.
 */
#ifndef PM_ADVISE_SOURCE_LINES_H
#define PM_ADVISE_SOURCE_LINES_H

#include "perfmodel.h"

/* Lines of code in a text of C. */
pm_status pm_source_lines(const char *text, size_t *lines, pm_error *err);
/* Lines of code of version that are not in base, or not in the same order: all but those of a
 * longest common subsequence, by the greedy algorithm of Myers (An O(ND) Difference Algorithm and
 * Its Variations, Algorithmica 1, 1986). Of sources that differ in more than some thousands of
 * lines, all lines between those that are the same at the start and at the end. */
pm_status pm_source_lines_changed(const char *base, const char *version, size_t *lines,
                                  pm_error *err);
/* Kernels of version that base does not have, or has with another text; functions that they call
 * are not looked into. */
pm_status pm_source_kernels_changed(const char *base, const char *version, size_t *kernels,
                                    pm_error *err);

#endif
