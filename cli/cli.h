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
int cmd_trace(int argc, char **argv);
int cmd_advise(int argc, char **argv);
int cmd_transform(int argc, char **argv);
int cmd_report(int argc, char **argv);

/* A growing NULL-terminated list of names, from options that may be given many times. */
typedef struct {
    const char **names; /* NULL while empty, which means all */
    size_t count;
} cli_list;
void cli_list_add(cli_list *list, const char *name);

/* What options of more than one command set. Each command's arguments start with it. */
typedef struct {
    bool json;
    const char *folder, *from; /* --datasets, --from */
    pm_model_options model;    /* --method and --counters here, the rest by the commands */
    double sample, step_limit; /* of the trace engine; 0: its defaults */
} cli_common;

/* Keys of these options, for a command's own table; its other keys are from 256 on. */
enum {
    CLI_JSON = 512,
    CLI_DATASETS,
    CLI_FROM,
    CLI_METHOD,
    CLI_COUNTERS,
    CLI_SAMPLE,
    CLI_STEP_LIMIT
};

/* Parses with argp, whose input `state` starts with a cli_common; the usage line names the
 * subcommand (argv[0] of the subcommand). Wrong words end the program with code 2 and one line on
 * standard error, without argp's advice below it. */
void cli_parse(const struct argp *argp, int argc, char **argv, const char *command, void *state);
/* What a parser does with the keys that are not its own: those of cli_common, no plain arguments,
 * and CLI_HELP_OPTION.
 * argp's own --help comes with a --program-name, which --program would be taken for. */
error_t cli_parse_other(int key, char *value, struct argp_state *state);
#define CLI_HELP_OPTION                                                                            \
    {                                                                                              \
        "help", 'h', NULL, 0, "this help", -1                                                      \
    }
/* Of the commands that trace. */
#define CLI_TRACE_OPTIONS                                                                          \
    {"sample",                                                                                     \
     CLI_SAMPLE,                                                                                   \
     "all|FRACTION",                                                                               \
     0,                                                                                            \
     "share of the work-groups to trace, above 0 and up to 1; default: as time allows",            \
     0},                                                                                           \
    {                                                                                              \
        "step-limit", CLI_STEP_LIMIT, "N", 0,                                                      \
            "basic blocks that one warp may run before it is taken to hang", 0                     \
    }
/* In a parser: one line on standard error, and the program ends with code 2. */
_Noreturn void cli_wrong(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One line on standard error, and the exit code. */
int cli_error(const pm_error *err);

/* Flushes standard output; the code, or 2 with a line on standard error if not all of it arrived,
 * as on a full disk. */
int cli_finish(int code);

/* Shows on standard error that of so many steps (0: not known yet) so many are done, and what the
 * next one is. A bar that stands there is cleared by the next message, or when the work is done. */
void cli_progress(size_t done, size_t total, const char *step);
void cli_progress_clear(void);

/* A log that writes to standard error, past a progress bar if there is one. */
pm_log cli_log(void);

/* The dataset of that name or path; NULL with err set. */
pm_dataset *cli_read_dataset(const char *name, const char *folder, const pm_log *log,
                             pm_error *err);

/* Prints the document on standard output and releases it; the exit code. Whether standard output
 * took it, main looks. */
int cli_print_json(json_t *document);
/* A string, null for NULL; of text that is not UTF-8, which JSON cannot hold, the other bytes
 * become '?'. */
json_t *cli_json_text(const char *text);
/* null for NaN */
json_t *cli_json_number(double value);

/* Adds bound (null where no units are known) and terms to an object. */
void cli_json_why(json_t *object, const pm_explanation *why);

/* A sample's key, times and interval; measured_s only where it is known, or always (null). */
json_t *cli_json_prediction(const pm_prediction *prediction, bool always_measured);

/* The arrays that could be staged in local memory, and what has to hold. */
json_t *cli_json_arrays(const pm_transformed *transformed);
json_t *cli_json_assumptions(const pm_transformed *transformed);

/* All steps of method nakai: rows, sums, trees, definitions, by struct. */
json_t *cli_json_nakai(const pm_nakai *analysis);

#endif
