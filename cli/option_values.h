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

/* A bool, a text, a text that may be empty, and one more text of a cli_list. */
cli_set cli_set_flag, cli_set_text, cli_set_text_or_empty, cli_add_text;
/* The path of a file or folder, which must not be empty. */
cli_set cli_set_path;
/* A double: any; at least option->least. An unsigned long long within option->least and most. */
cli_set cli_set_number, cli_set_number_from, cli_set_count;
/* Values of one option each. */
cli_set cli_set_form, cli_set_sample, cli_set_leave_out, cli_set_shard, cli_set_work_group,
    cli_set_budget, cli_set_launches, cli_set_effort, cli_add_instead;

#endif
