/* Conditions that many branches ask.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_GUARDS_H
#define PM_COLLECTOR_TRACE_BACKEND_GUARDS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* An unrolled loop has a branch for each round around what the source guards, all on a few
 * conditions. Each time that LLVM 19 combines instructions (InstCombine) it asks, of every value
 * that is compared in a condition, all branches on it whether they are above, which takes time that
 * grows as the square of their number: 5 s of a window of 15 x 15 around 16 pixels, where all else
 * takes half a second. What a condition tells was made use of when the loop was still one.
 *
 * Puts a value that nothing is known of in the place of conditions on which more than 16 branches
 * are. Branches on the same condition stay branches on the same value. Whether there are such
 * conditions, which are to be shown again. */
bool pm_guards_hide(LLVMModuleRef module);
/* Puts the conditions back. Whether one has become a constant, so that there are branches that
 * always go one way. */
bool pm_guards_show(LLVMModuleRef module);

#endif
