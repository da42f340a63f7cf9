/* The options of all commands. The table in option_table.c gives each option's name, argument,
 * help, commands, and the member that receives its value. Parsing, --help and checks follow from
 * it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CLI_OPTIONS_H
#define PM_CLI_OPTIONS_H

#include "perfmodel.h"

/* Values of an option that may be repeated. names ends with NULL. If the option was not given,
 * names is NULL, which means all. */
typedef struct {
    const char **names;
    size_t count;
} cli_list;

/* Value of --instead: another GPU, on which the unoptimized program would run instead. */
typedef struct {
    char *name;
    double price; /* price per hour; NaN: the price of --gpu-hour */
} cli_instead;

/* Output format of tables. */
typedef enum { CLI_TEXT, CLI_CSV, CLI_MARKDOWN, CLI_JSON } cli_form;

typedef struct cli_options cli_options;

/* The commands of the program, one bit each, so that a row of the table of options can list its
 * commands as a number. */
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
    CLI_SETUP = 16384,
    CLI_ALL = 32767
};

typedef struct {
    unsigned bit;
    const char *name;
    const char *what; /* summary for the list of commands */
    /* arguments that are not options, for the help: FILE.cl or -- COMMAND for example; NULL:
     * none */
    const char *file;
    const char *about, *examples;
    /* name of the list in the command's JSON document whose items become the rows of CSV output;
     * NULL: the document is one row */
    const char *rows;
    /* options of a typical command, shown as an example by the message about a missing option */
    const char *usual;
    /* Stores an argument of the command line that is not an option. */
    void (*take)(cli_options *options, const char *value);
    /* Checks combinations of options after parsing. NULL: nothing to check. */
    void (*check)(const cli_options *options);
    /* Runs the command and returns the exit code. On failure, main prints err. */
    int (*run)(pm_session *session, const cli_options *options, pm_error *err);
} cli_command;

enum { CLI_MOST_OPTIONS = 128 };

struct cli_options {
    const cli_command *command;
    /* text of the command line, which datasets and reports store as their provenance */
    char *line;
    /* given[r]: true if the command line has the option in row r of cli_option_table */
    bool given[CLI_MOST_OPTIONS];

    /* ---- the session ------------------ */
    const char *datasets;
    /* values of --sample and --step-limit; 0: default of the trace engine */
    double sample, step_limit;
    /* path of ptxas (--ptxas); NULL: ptxas is not used; "": ptxas is looked for in the usual
     * folders */
    const char *ptxas;
    const char *cuda_compiler; /* auto, clang or nvcc; NULL: not given */
    unsigned long long seed;

    /* ---- subjects ----------- */
    /* argument that is neither an option nor a workload, such as a source; NULL: none */
    const char *file;
    /* workloads: arguments that are not options, and values of --workload */
    cli_list workloads;
    /* datasets_named: datasets of `validate` given as arguments; with: datasets of --with */
    cli_list datasets_named, with;
    char **words; /* words of the command after --, ends with NULL */
    cli_list targets, programs, variants, sizes;
    /* ids of the target GPUs, from their rows in devices.csv; NULL: not looked up yet */
    char **ids;
    const char *suite, *device;

    /* ---- launches of bare sources (sources without a workload file) ----- */
    cli_list grids, blocks, shared_bytes, arguments, sets;

    /* ---- how ---- */
    const char *from, *method, *model_counters, *basis;
    pm_leave_out leave_out;
    bool no_source_time, energy;
    const char *counters; /* source of the counters that `collect` measures */
    cli_list imports;     /* files of profilers (--import) */
    double time_limit, check_limit;
    pm_shard shard;
    unsigned long long clusters, measure;

    /* ---- tune: versions, or seconds ---- */
    size_t budget;
    double budget_s;
    const char *space, *cache, *ranking;
    cli_list known; /* files of --known, which have times of versions on other GPUs */

    /* ---- transform ---- */
    const char *layout, *shared, *scratch, *build_options;
    size_t work_group[3];
    unsigned long long local_bytes;
    bool analyse;

    /* ---- check ---- */
    const char *against, *junit, *sarif, *fail_on;
    double slower; /* tolerated slowdown of a kernel in percent, as given by the user */

    /* ---- capture ---- */
    cli_list kernels;
    const char *source;
    double share; /* fraction of the GPU's kernel time whose launches are captured, in percent */
    unsigned long long longest, first, launches[2];
    double most_bytes, most_seconds, tolerance;

    /* ---- output ------------ */
    const char *output, *format, *plot, *title;
    cli_form form;
    bool json; /* true: print a document as JSON or CSV instead of a table */
    bool quiet, clear, fill, force, all_contents, probe, list, methods, template, template_cuda,
        steps;

    /* ---- costs and savings of the work ---- */
    pm_cost_options cost;
    size_t instead_count;
    cli_instead *instead;
};

/* Topic under which an option is listed. Each topic has a heading in --help, and a section in
 * the manual that the commands share. */
typedef enum {
    CLI_OF_COMMAND,  /* options of few commands; no heading */
    CLI_OF_COUNTING, /* options that say how the trace engine counts */
    CLI_OF_LAUNCHES, /* options for launches of sources without a workload file */
    CLI_OF_PRICES,   /* options about prices, to compute whether the work pays */
    CLI_OF_OUTPUT,   /* options about datasets and output */
    CLI_GROUPS
} cli_group_id;

typedef struct {
    const char *name;    /* section of the manual */
    const char *heading; /* heading in --help */
} cli_group;

extern const cli_group cli_groups[CLI_GROUPS];

/* An option of the command line. */
typedef struct cli_option cli_option;
struct cli_option {
    const char *name;
    /* name of the option's value in the help, such as FILE; NULL: the option has no value; in
     * brackets: the value is optional */
    const char *argument;
    unsigned commands; /* bits of the commands that accept the option */
    unsigned once;     /* bits of the commands in which the option must not be repeated */
    /* Stores the option's value in `options`. */
    void (*set)(cli_options *options, const cli_option *option, const char *value);
    size_t at; /* offset in bytes of the member of cli_options that gets the value */
    /* smallest and largest allowed value of an option whose value is a number */
    double least, most;
    /* help text for all commands; `notes` has additional text for some commands */
    const char *help;
    struct {
        unsigned commands;
        const char *help;
    } notes[5];
    const char *part_of; /* name of another option that must also be given; NULL: none */
    /* further values for shell completion, with blanks between them, besides those in `argument`;
     * NULL: none */
    const char *words;
    cli_group_id group;
    char key; /* short name of the option, one letter; 0: none */
};

extern const cli_option cli_option_table[];
extern const size_t cli_option_count;

enum { CLI_LONGEST_HELP = 512 };
/* Writes the help text of an option for one command. It has the option's text, its notes for the
 * command, the option that it requires, and whether it may be repeated. */
void cli_option_help(const cli_option *option, unsigned command, char help[CLI_LONGEST_HELP]);

/* Parses the words of a command; argv[0] is its name. An invalid word ends the program with code 2
 * and one line on standard error. --help ends the program with code 0. */
void cli_options_parse(cli_options *options, const cli_command *command, int argc, char **argv);
void cli_options_free(cli_options *options); /* frees its members, but not options itself */

bool cli_given(const cli_options *options, const char *name);
/* Returns true if the user gave the price of an hour of work (--rate), without which no costs are
 * shown. */
bool cli_asks_money(const cli_options *options);
/* Returns true if the user gave the price or the CO2 of a kWh (--energy-price, --co2), without
 * which no saved energy is shown. */
bool cli_asks_energy(const cli_options *options);
/* Returns the first value of a repeated option. NULL if the option was not given. */
const char *cli_first(const cli_list *list);
void cli_list_add(cli_list *list, const char *value);

/* Stores a word of the command line that is not an option as the path of a workload. Used by
 * commands whose words are all workloads. */
void cli_take_workload(cli_options *options, const char *value);

/* ---- usage errors (wrong.c) ------------------------------------------------------------------ */

/* Prints one line on standard error and ends the program with code 2. */
_Noreturn void cli_wrong(const cli_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Ends the program with a usage error if a required option was not given. name: name of the option;
 * there: true if it was given. */
void cli_need(const cli_options *options, const char *name, bool there);
/* Ends the program with a usage error if both --program and workloads were given. If `needed`, also
 * ends it if neither was given. */
void cli_check_subject(const cli_options *options, bool needed);

#endif
