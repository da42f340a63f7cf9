/* What the subcommands share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CLI_H
#define PM_CLI_H

#include <argp.h>
#include <jansson.h>
#include <stdio.h>

#include "perfmodel.h"

int cmd_devices(int argc, char **argv);
int cmd_collect(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_predict(int argc, char **argv);

/* A growing NULL-terminated list of names, from options that may be given many times. */
typedef struct {
    const char **names; /* NULL while empty, which means all */
    size_t count;
} cli_list;
void cli_list_add(cli_list *list, const char *name);

/* Parses with argp; the usage line names the subcommand (argv[0] of the subcommand). */
void cli_parse(const struct argp *argp, int argc, char **argv, const char *command, void *state);

/* One line on standard error, and the exit code. */
int cli_error(const pm_error *err);

/* A log that writes to standard error, past a progress bar if there is one. */
pm_log cli_log(void);

/* The dataset of that name or path; NULL with err set. */
pm_dataset *cli_read_dataset(const char *name, const char *folder, const pm_log *log,
                             pm_error *err);

/* Flushes standard output; the exit code, with an error line if not all of it could be written. */
int cli_end_output(void);

/* Prints the document on standard output and releases it; the exit code. */
int cli_print_json(json_t *document);
/* null for NaN */
json_t *cli_json_number(double value);

/* A sample's key, times and interval; measured_s only where it is known, or always (null). */
json_t *cli_json_prediction(const pm_prediction *prediction, bool always_measured);

#endif
