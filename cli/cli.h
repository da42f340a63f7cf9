/* What the subcommands share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CLI_CLI_H
#define PM_CLI_CLI_H

#include <jansson.h>
#include <stdio.h>

#include "cli/options.h"
#include "perfmodel.h"

extern const cli_command cli_devices, cli_collect, cli_validate, cli_predict, cli_trace,
    cli_transform, cli_advise, cli_tune, cli_report, cli_capture, cli_check, cli_merge;

/* Flushes standard output; the code, or 2 with a line on standard error if not all of it arrived,
 * as on a full disk. */
int cli_finish(int code);

/* Prints the document on standard output and releases it; the exit code. main checks that all of it
 * was written. */
int cli_print_json(json_t *document);

/* ---- the session of a command (watch.c) ------------------------------------------------------ */

/* It looks in the folder of --datasets, writes messages to standard error past a progress bar, and
 * ends its work at SIGINT or SIGTERM; a second signal ends it at once. NULL: err says why. */
pm_session *cli_open_session(const cli_options *options, pm_error *err);
/* Clears the progress bar that long work has left on the terminal. */
void cli_progress_clear(void);

bool cli_stopped(void); /* the user wants the work to end */

/* ---- targets (targets.c) --------------------------------------------------------------------- */

/* In place of the names that the user gave come those of rows of devices.csv, where they have one.
 */
pm_status cli_name_targets(cli_options *options, pm_error *err);
void cli_targets_free(cli_options *options);

/* ---- several workloads (each.c) -------------------------------------------------------------- */

/* What a command does with one workload, a path; NULL: with what its options name. It prints a
 * table, or with --json makes a document. */
typedef int (*cli_one)(pm_session *session, const cli_options *options, const char *workload,
                       json_t **document, pm_error *err);
/* Does it with each workload of the command line. Of several, one that fails is left out with a
 * notice, and the code is its; their documents are a list, the only member of one. */
int cli_each(pm_session *session, const cli_options *options, cli_one one, const char *list,
             pm_error *err);

#endif
