/* Ends a command whose options are wrong. See options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/options.h"

void cli_wrong(const cli_options *options, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(stderr, "perfmodel %s: ", options->command->name);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, " (perfmodel %s --help tells more)\n", options->command->name);
    exit(PM_BAD_INPUT);
}
