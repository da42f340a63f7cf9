/* Finds the parts of the OpenCL prelude that a source does not need. The prelude is a header with
 * declarations and functions that precedes each OpenCL source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_PRELUDE_WORDS_H
#define PM_COMPILER_OPTIONS_PRELUDE_WORDS_H

#include <stdbool.h>

#include "compiler/options/build_options.h"

/* Adds -DPM_WITHOUT_... for each part of the prelude whose functions neither the source nor the
 * options name. If they paste tokens (##), a function also counts as named if words of the texts
 * compose its name. A source that includes files gets the whole prelude, because it may use names
 * that its text does not contain. Returns true if all parts are left out and no tokens are pasted.
 */
bool pm_prelude_leave_out(const char *source, const pm_arguments *options, pm_arguments *arguments);

/* Returns whether the OpenCL prelude defines all overloads of the function `name`, so that libclc's
 * function of this name is never called. */
bool pm_prelude_defines(const char *name, size_t length);

#endif
