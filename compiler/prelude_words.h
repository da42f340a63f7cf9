/* Which parts of the OpenCL prelude a source can do without.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PRELUDE_WORDS_H
#define PM_COMPILER_PRELUDE_WORDS_H

#include "compiler/build_options.h"

/* Adds -DPM_WITHOUT_... for each part whose functions neither the source nor the options name. A
 * source that may have words which are not to be seen in it (it includes others, or pastes words
 * together) gets all of the prelude. */
void pm_prelude_leave_out(const char *source, const pm_arguments *options, pm_arguments *arguments);

#endif
