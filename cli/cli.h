/* Declarations that the subcommands share.
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
    cli_setup, cli_init;

/* Flushes standard output. Returns code, or 2 with a line on standard error if not all output could
 * be written, as on a full disk. */
int cli_finish(int code);

/* Returns a screen for tables and messages: standard output with the terminal's width. */
pm_screen cli_screen(const cli_options *options);

/* If the command has several workloads, prints a line for each: the name of its program and its
 * file. */
void cli_tell_files(pm_session *session, const cli_options *options, const pm_screen *screen);

/* Prints the document on standard output as JSON or CSV, and releases it. Returns the exit code.
 * main checks that all output was written. */
int cli_print_document(const cli_options *options, json_t *document);

/* Writes the document to a file as JSON. The caller still owns the document. */
pm_status cli_write_json(const char *path, const json_t *document, pm_error *err);

/* ---- the session of a command (watch.c) ------------------------------------------------------ */

/* Opens a command's session. It uses the folder of --datasets and writes messages to standard
 * error, above a progress bar. SIGINT or SIGTERM stops its work, and a second signal ends the
 * program at once. NULL with err set on failure. */
pm_session *cli_open_session(const cli_options *options, pm_error *err);
/* Clears the progress bar from the terminal. */
void cli_progress_clear(void);

bool cli_stopped(void); /* true after SIGINT or SIGTERM */

/* Exit codes of the program, in addition to the values of pm_status. */
enum {
    /* the command finished, but left out a part of the request because it failed */
    CLI_LEFT_OUT = 3,
    CLI_INTERRUPTED = 130 /* ended by SIGINT or SIGTERM; shells report SIGINT with this code */
};

/* ---- collect --import (import.c) ------------------------------------------------------------- */

/* Ends the program with a usage error if --import is given with options that it does not have. */
void cli_check_import(const cli_options *options);
/* Imports the files of profilers and prints what was imported. Returns the exit code. */
int cli_import(pm_session *session, const cli_options *options, pm_error *err);

/* ---- targets (targets.c) --------------------------------------------------------------------- */

/* Replaces the names of target GPUs that the user gave by the ids of their rows in devices.csv, if
 * there are such rows. */
pm_status cli_name_targets(cli_options *options, pm_error *err);
void cli_targets_free(cli_options *options);
/* Leaves out a target that failed, with a notice, if the command has several targets. err keeps the
 * error of the first failed target. Returns false if the command must end, because it has only one
 * target or the user stopped it. */
bool cli_leave_out_target(pm_session *session, const cli_options *options, const char *target,
                          const pm_error *why, pm_error *err);

/* ---- sources without a workload file (assumed.c) ----------------------------------------------
 */

/* Passes the options about launches (--grid, --arg and others), for sources without a workload
 * file, to the session. */
pm_status cli_say_launches(pm_session *session, const cli_options *options, pm_error *err);
/* Prints the assumptions about the launches of sources without a workload file, if the command's
 * workloads have any. */
void cli_tell_assumed(pm_session *session, const cli_options *options);

/* ---- several workloads (each.c) -------------------------------------------------------------- */

/* Function that runs a command for one workload (a path), or for the programs that the options name
 * if workload is NULL. It prints a table unless --json is given, and makes a document for --json
 * and -o. */
typedef int (*cli_one)(pm_session *session, const cli_options *options, const char *workload,
                       json_t **document, pm_error *err);
/* Runs `one` for each workload of the command line. If there are several, a workload that fails is
 * left out with a notice, and the workloads' documents become a list in one JSON document. list:
 * name of its only member. If all workloads fail, the exit code is that of the first one. The
 * document is printed on standard output with --json, and written to the file of -o. */
int cli_each(pm_session *session, const cli_options *options, cli_one one, const char *list,
             pm_error *err);

/* ---- shards (shares.c) ----------------------------------------------------------------------- */

/* Ends the program with a usage error if --shard is given without -o. The name of the shard's file
 * is derived from the output file. */
void cli_check_shard(const cli_options *options);
/* Prints a summary of a shard's work. Returns the exit code. */
int cli_tell_share(const cli_options *options, const pm_share_result *result);

/* Traces the workloads of a shard (trace_share.c). */
int cli_trace_share(pm_session *session, const cli_options *options, pm_error *err);
/* Merges the results of all shards of `trace`. Writes and prints them as a single run would. */
int cli_trace_join(const cli_options *options, const pm_log *log, pm_error *err);

/* The following functions print and write the results of a command, which come from one run or from
 * merged shards. */
/* Prints the results of `perfmodel check` and frees them. If check is NULL, reports err. Returns
 * the exit code. */
int cli_tell_check(pm_check *check, const cli_options *options, pm_error *err);
/* Returns the bits of pm_check_finding that --fail-on names. An unknown name ends the program with
 * a usage error. */
unsigned cli_findings(const cli_options *options);
int cli_tell_campaign(const pm_campaign *campaign, const cli_options *options, pm_error *err);

#endif
