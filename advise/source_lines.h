/* How far two sources of a program differ: lines of code, and kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of code is one that has more than white space and comments; white space in it, and
 * comments, make no difference.
 */
#ifndef PM_ADVISE_SOURCE_LINES_H
#define PM_ADVISE_SOURCE_LINES_H

#include "base/memory.h"

/* Lines of code in a text of C. */
size_t pm_source_lines(pm_memory *memory, const char *text);
/* Lines of code of version that are not in base, or not in the same order: all but those of a
 * longest common subsequence, by the greedy algorithm of Myers (An O(ND) Difference Algorithm and
 * Its Variations, Algorithmica 1, 1986). Of sources that differ in more than some thousands of
 * lines, all lines between those that are the same at the start and at the end. */
size_t pm_source_lines_changed(pm_memory *memory, const char *base, const char *version);
/* Kernels of version that base does not have, or has with another text; functions that they call
 * are not looked into. */
size_t pm_source_kernels_changed(pm_memory *memory, const char *base, const char *version);

#endif
