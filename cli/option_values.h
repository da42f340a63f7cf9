/* Functions that store the value of an option in cli_options, for the table of options.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each has the type of cli_option.set. A value that the option cannot have ends the program with a
 * usage error. `value` is NULL if the option has no argument, or an optional one was not given.
 */
#ifndef PM_CLI_OPTION_VALUES_H
#define PM_CLI_OPTION_VALUES_H

#include "cli/options.h"

typedef void cli_set(cli_options *options, const cli_option *option, const char *value);

/* Setters for a bool, for a text, for a text that may be empty, and for a further text of a
 * cli_list. */
cli_set cli_set_flag, cli_set_text, cli_set_text_or_empty, cli_add_text;
/* Setter for the path of a file or folder. An empty path is an error. */
cli_set cli_set_path;
/* Setters for numbers: any double, a double of at least option->least, and an unsigned long long
 * from option->least to option->most. */
cli_set cli_set_number, cli_set_number_from, cli_set_count;
/* Setters that are each used by one option. */
cli_set cli_set_form, cli_set_sample, cli_set_leave_out, cli_set_shard, cli_set_work_group,
    cli_set_budget, cli_set_launches, cli_set_effort, cli_add_instead;

#endif
