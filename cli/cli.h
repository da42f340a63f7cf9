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
#include "report/table/screen.h"

extern const cli_command cli_devices, cli_collect, cli_validate, cli_predict, cli_trace,
    cli_transform, cli_advise, cli_tune, cli_report, cli_capture, cli_check, cli_merge, cli_cache,
    cli_init;

/* Flushes standard output; the code, or 2 with a line on standard error if not all of it arrived,
 * as on a full disk. */
int cli_finish(int code);

/* Standard output, as wide as it is, for tables and messages about them. */
pm_screen cli_screen(const cli_options *options);

/* Of several workloads: of which file each program of a table is, a line each. */
void cli_tell_files(pm_session *session, const cli_options *options, const pm_screen *screen);

/* Prints the document on standard output, as JSON or as CSV, and releases it; the exit code. main
 * checks that all of it was written. */
int cli_print_document(const cli_options *options, json_t *document);

/* Writes what that prints into a file, and releases nothing. */
pm_status cli_write_json(const char *path, const json_t *document, pm_error *err);

/* ---- the session of a command (watch.c) ------------------------------------------------------ */

/* It looks in the folder of --datasets, writes messages to standard error past a progress bar, and
 * ends its work at SIGINT or SIGTERM; a second signal ends it at once. NULL: err says why. */
pm_session *cli_open_session(const cli_options *options, pm_error *err);
/* Clears the progress bar that long work has left on the terminal. */
void cli_progress_clear(void);

bool cli_stopped(void); /* the user wants the work to end */

/* Exit codes beside those of pm_status. */
enum {
    CLI_LEFT_OUT = 3,     /* done, but some of what was asked for was left out */
    CLI_INTERRUPTED = 130 /* by SIGINT or SIGTERM, as a shell tells it of SIGINT */
};

/* ---- targets (targets.c) --------------------------------------------------------------------- */

/* In place of the names that the user gave come those of rows of devices.csv, where they have one.
 */
pm_status cli_name_targets(cli_options *options, pm_error *err);
void cli_targets_free(cli_options *options);
/* Leaves out one of several targets that could not be done, with a notice, and keeps the first
 * reason in err. Returns false where that ends the command: there is no other target, or the user
 * wants the end. */
bool cli_leave_out_target(pm_session *session, const cli_options *options, const char *target,
                          const pm_error *why, pm_error *err);

/* ---- sources without a workload file (assumed.c) ----------------------------------------------
 */

/* Tells the session what the options say of launches. */
pm_status cli_say_launches(pm_session *session, const cli_options *options, pm_error *err);
/* Prints what was assumed of the sources among the command's workloads, if anything. */
void cli_tell_assumed(pm_session *session, const cli_options *options);

/* ---- several workloads (each.c) -------------------------------------------------------------- */

/* What a command does with one workload, a path; NULL: with what its options name. It prints a
 * table but with --json, and makes a document for that and for -o. */
typedef int (*cli_one)(pm_session *session, const cli_options *options, const char *workload,
                       json_t **document, pm_error *err);
/* Does it with each workload of the command line. Of several, one that fails is left out with a
 * notice; if all fail, the code is that of the first. Their documents are a list, the only member
 * of one. The document goes to standard output with --json, and to the file of -o. */
int cli_each(pm_session *session, const cli_options *options, cli_one one, const char *list,
             pm_error *err);

/* ---- shares (shares.c) ----------------------------------------------------------------------- */

/* That a command with --shard has a -o, beside whose file the share lies. */
void cli_check_shard(const cli_options *options);
/* Tells what a share has done; the exit code. */
int cli_tell_share(const cli_options *options, const pm_share_result *result);

/* Traces the workloads of a share (trace_share.c). */
int cli_trace_share(pm_session *session, const cli_options *options, pm_error *err);
/* Writes and prints what shares of trace have, as one run. */
int cli_trace_join(const cli_options *options, const pm_log *log, pm_error *err);

/* What a command writes and prints of what it found, or of what its shares did. */
/* check is released; NULL: err says why there is none. */
int cli_tell_check(pm_check *check, const cli_options *options, pm_error *err);
/* What --fail-on names, as in pm_check_options; a wrong word ends the program. */
unsigned cli_findings(const cli_options *options);
int cli_tell_campaign(const pm_campaign *campaign, const cli_options *options, pm_error *err);

#endif
