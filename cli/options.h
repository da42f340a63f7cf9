/* The options of all commands: one table (option_table.c) tells name, argument, help, who takes
 * each and where its value goes; parsing, --help and checks follow from it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CLI_OPTIONS_H
#define PM_CLI_OPTIONS_H

#include "perfmodel.h"

/* Names from an option that may be given many times, NULL-terminated; NULL: none, which means all.
 */
typedef struct {
    const char **names;
    size_t count;
} cli_list;

/* A GPU to run the unoptimized program on. */
typedef struct {
    char *name;
    double price; /* NaN: as --gpu-hour */
} cli_instead;

/* In which form tables come out. */
typedef enum { CLI_TEXT, CLI_CSV, CLI_MARKDOWN, CLI_JSON } cli_form;

typedef struct cli_options cli_options;

/* Bits of commands, for the table. */
enum {
    CLI_DEVICES = 1,
    CLI_COLLECT = 2,
    CLI_VALIDATE = 4,
    CLI_PREDICT = 8,
    CLI_TRACE = 16,
    CLI_TRANSFORM = 32,
    CLI_ADVISE = 64,
    CLI_REPORT = 128,
    CLI_CAPTURE = 256,
    CLI_CHECK = 512,
    CLI_TUNE = 1024,
    CLI_MERGE = 2048,
    CLI_CACHE = 4096,
    CLI_INIT = 8192,
    CLI_ALL = 16383
};

typedef struct {
    unsigned bit;
    const char *name;
    const char *what; /* for the list of commands */
    const char *file; /* its plain arguments, such as FILE.cl or -- COMMAND; NULL: it has none */
    const char *about, *examples;
    const char
        *rows; /* list of the JSON document that CSV has a row of each; NULL: it is the list */
    const char *usual; /* options of a usual call, for the message about a missing one */
    /* Puts a plain argument where it belongs. */
    void (*take)(cli_options *options, const char *value);
    /* Once all is parsed: what does not go together. May be NULL. */
    void (*check)(const cli_options *options);
    /* The exit code; of what fails by err, main tells. */
    int (*run)(pm_session *session, const cli_options *options, pm_error *err);
} cli_command;

enum { CLI_MOST_OPTIONS = 96 };

struct cli_options {
    const cli_command *command;
    char *line;                   /* the command line, for provenance */
    bool given[CLI_MOST_OPTIONS]; /* by row of the table */

    /* ---- what a session is made of ---- */
    const char *datasets;
    double sample, step_limit; /* 0: the defaults of the trace engine */
    const char *ptxas;         /* NULL: not asked for; "": wherever it is */
    unsigned long long seed;

    /* ---- what to look at ---- */
    const char *file;              /* the plain argument that is no workload */
    cli_list workloads;            /* plain arguments and of --workload */
    cli_list datasets_named, with; /* of validate: plain arguments, and learned from, too */
    char **words;                  /* a command behind --, NULL-terminated */
    cli_list targets, programs, variants, sizes;
    char **ids; /* of targets that have a row of devices.csv; NULL: not looked for yet */
    const char *suite, *device;

    /* ---- launches of bare sources; kernels are those of capture, too ---- */
    cli_list grids, blocks, shared_bytes, arguments, sets;

    /* ---- how ---- */
    const char *from, *method, *model_counters, *basis;
    pm_leave_out leave_out;
    bool no_source_time, energy;
    const char *counters; /* of collect: where they come from */
    double time_limit, check_limit;
    pm_shard shard;
    unsigned long long clusters, measure;

    /* ---- tune: versions, or seconds ---- */
    size_t budget;
    double budget_s;
    const char *space, *cache, *ranking;
    cli_list known; /* files of times on other GPUs */

    /* ---- transform ---- */
    const char *layout, *shared, *scratch, *build_options;
    size_t work_group[3];
    unsigned long long local_bytes;
    bool analyse;

    /* ---- check ---- */
    const char *against, *junit, *sarif, *fail_on;
    double slower; /* by how many percent a kernel may be; read as given */

    /* ---- capture ---- */
    cli_list kernels;
    const char *source;
    unsigned long long longest, first, launches[2];
    double most_bytes, most_seconds, tolerance;

    /* ---- what comes out ---- */
    const char *output, *format, *plot, *title;
    cli_form form;
    bool json; /* a document is wanted, not a table: as JSON or as CSV */
    bool quiet, clear, fill, force, probe, list, methods, template, template_cuda, steps;

    /* ---- whether the work pays ---- */
    pm_cost_options cost;
    size_t instead_count;
    cli_instead *instead;
};

/* One thing that a command line may say. */
typedef struct cli_option cli_option;
struct cli_option {
    const char *name;
    const char *argument; /* in the help; NULL: it has none. In brackets: it may be left out */
    unsigned commands;    /* that take it */
    unsigned once;        /* those among them that want it no more than once */
    /* Puts the value where it belongs. */
    void (*set)(cli_options *options, const cli_option *option, const char *value);
    size_t at;          /* in cli_options */
    double least, most; /* of a number */
    const char *help;   /* of all commands that take it; then what is said to some */
    struct {
        unsigned commands;
        const char *help;
    } notes[4];
    const char *part_of; /* an option that has to be there too; NULL: none */
    bool about_money;
    char key; /* of one letter; 0: none */
};

extern const cli_option cli_option_table[];
extern const size_t cli_option_count;

/* Reads a command's words (argv[0] is its name). Wrong ones end the program with code 2 and one
 * line on standard error; --help ends it with 0. */
void cli_options_parse(cli_options *options, const cli_command *command, int argc, char **argv);
void cli_options_free(cli_options *options); /* what it owns, not itself */

bool cli_given(const cli_options *options, const char *name);
/* Whether the user has named what an hour of work costs: without that nothing is told of money. */
bool cli_asks_money(const cli_options *options);
/* Whether a price or the CO2 of a kWh was given. */
bool cli_asks_energy(const cli_options *options);
/* The first of a list; NULL: it is empty. */
const char *cli_first(const cli_list *list);
void cli_list_add(cli_list *list, const char *value);

/* A plain argument of commands that take nothing but workloads. */
void cli_take_workload(cli_options *options, const char *value);

/* One line on standard error, and the program ends with code 2. */
_Noreturn void cli_wrong(const cli_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* That an option is missing, unless it is there. */
void cli_need(const cli_options *options, const char *name, bool there);
/* One of --program and workloads; needed: and not none. */
void cli_check_subject(const cli_options *options, bool needed);

#endif
