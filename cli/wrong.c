/* Ends a command whose options are wrong, with one line and code 2. See options.h.
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

void cli_need(const cli_options *options, const char *name, bool there)
{
    if (!there)
        cli_wrong(options, "%s is missing: perfmodel %s %s", name, options->command->name,
                  options->command->usual);
}

void cli_check_subject(const cli_options *options, bool needed)
{
    if (options->programs.count && options->workloads.count)
        cli_wrong(options,
                  "'%s' is not expected beside --program: --program or workloads, one of them",
                  options->workloads.names[0]);
    if (needed && !options->programs.count && !options->workloads.count)
        cli_wrong(options,
                  "--program is missing: perfmodel %s %s; of your own kernels, a workload file",
                  options->command->name, options->command->usual);
}
