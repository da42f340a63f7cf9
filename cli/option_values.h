/* Functions that store the value of an option in cli_options, for the table of options.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each function has the type of cli_option.set. A value that the option cannot have ends the
 * program with a usage error. `value` is NULL if the option has no argument, or an optional one was
 * not given.
 */
#ifndef PM_CLI_OPTION_VALUES_H
#define PM_CLI_OPTION_VALUES_H

#include "cli/options.h"

typedef void cli_set(cli_options *options, const cli_option *option, const char *value);

/* Functions that set a bool to true, that store a text, that store a text or "" if the option's
 * argument is missing, and that append a text to a cli_list, in this order. */
cli_set cli_set_flag, cli_set_text, cli_set_text_or_empty, cli_add_text;
/* Stores the path of a file or folder. An empty path is an error. */
cli_set cli_set_path;
/* Functions that store numbers, in this order: any double, a double of at least option->least, an
 * unsigned long long from option->least to option->most. */
cli_set cli_set_number, cli_set_number_from, cli_set_count;
/* Each of these functions stores the value of one option. Most options have the name of their
 * function, such as --work-group for cli_set_work_group; cli_set_form is that of --format and
 * --json. */
cli_set cli_set_form, cli_set_sample, cli_set_leave_out, cli_set_shard, cli_set_work_group,
    cli_set_budget, cli_set_launches, cli_set_effort, cli_add_instead;

#endif
