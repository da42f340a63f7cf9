/* Describes all commands and options as JSON, for scripts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CLI_DESCRIBE_H
#define PM_CLI_DESCRIBE_H

#include "cli/options.h"

/* Prints one JSON document with all commands, their options, the groups of options, and the
 * environment variables. scripts/make_manual.py makes the manual and the completions from it.
 * Returns the exit code. */
int cli_describe(const cli_command *const *commands, size_t count);

#endif
