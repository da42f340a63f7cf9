/* Which parts of the OpenCL prelude a source can do without.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_PRELUDE_WORDS_H
#define PM_COMPILER_OPTIONS_PRELUDE_WORDS_H

#include <stdbool.h>

#include "compiler/options/build_options.h"

/* Adds -DPM_WITHOUT_... for each part whose functions neither the source nor the options name. A
 * source that may have words which are not to be seen in it (it includes others, or pastes words
 * together) gets all of the prelude. Returns whether every part is left out. */
bool pm_prelude_leave_out(const char *source, const pm_arguments *options, pm_arguments *arguments);

/* Whether every prelude has a function of that name, so that libclc's is not called. */
bool pm_prelude_defines(const char *name, size_t length);

#endif
