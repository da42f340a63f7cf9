/* Finds the parts of the OpenCL prelude that a source does not need. The prelude is a header with
 * declarations and functions that precedes each OpenCL source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_OPTIONS_PRELUDE_WORDS_H
#define PM_COMPILER_OPTIONS_PRELUDE_WORDS_H

#include <stdbool.h>

#include "compiler/options/build_options.h"

/* Appends a macro -DPM_WITHOUT_NAME to `arguments` for each part of the OpenCL prelude (perfmodel's
 * declarations) that the source does not need. A part is needed if the source or the options name
 * one of its functions, or if they could form such a name with the operator ##. A source that
 * includes files needs all parts, because the files may name any function. Returns true if all
 * parts are left out and the texts have no ##. */
bool pm_prelude_leave_out(const char *source, const pm_arguments *options, pm_arguments *arguments);

/* Returns whether the OpenCL prelude defines all overloads of the function `name`, so that libclc's
 * function of this name is never called. */
bool pm_prelude_defines(const char *name, size_t length);

#endif
