/* Parses a command line with the table of options. See options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/cli.h"

enum { FIRST_KEY = 256, LONGEST_ARGUMENT = 32 };

bool cli_given(const cli_options *options, const char *name)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (options->given[i] && strcmp(cli_option_table[i].name, name) == 0)
            return true;
    return false;
}

bool cli_asks_money(const cli_options *options)
{
    return cli_given(options, "rate");
}

bool cli_asks_energy(const cli_options *options)
{
    return cli_given(options, "energy-price") || cli_given(options, "co2");
}

const char *cli_first(const cli_list *list)
{
    return list->count ? list->names[0] : NULL;
}

void cli_take_workload(cli_options *options, const char *value)
{
    cli_list_add(&options->workloads, value);
}

/* ---- parsing -------------------------------------------------------------------------------- */

/* The command's rows of cli_option_table, converted to argp's type. */
typedef struct {
    struct argp_option rows[CLI_MOST_OPTIONS + CLI_GROUPS + 2];
    char help[CLI_MOST_OPTIONS][CLI_LONGEST_HELP];
    /* names of optional arguments, without the brackets that cli_option.argument has */
    char optional[CLI_MOST_OPTIONS][LONGEST_ARGUMENT];
} described;

static int key_of(const cli_option *option)
{
    return option->key ? option->key : FIRST_KEY + (int)(option - cli_option_table);
}

static void describe_all(const cli_command *command, described *d)
{
    bool has[CLI_GROUPS] = {false};
    size_t n = 0;

    for (size_t i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_table[i];
        struct argp_option *row = &d->rows[n];

        if (!(option->commands & command->bit))
            continue;
        cli_option_help(option, command->bit, d->help[n]);
        has[option->group] = true;
        *row = (struct argp_option){.name = option->name,
                                    .key = key_of(option),
                                    .arg = option->argument,
                                    .doc = d->help[n],
                                    .group = (int)option->group};
        if (option->argument && option->argument[0] == '[') {
            snprintf(d->optional[n], LONGEST_ARGUMENT, "%.*s", (int)strlen(option->argument) - 2,
                     option->argument + 1);
            row->arg = d->optional[n];
            row->flags = OPTION_ARG_OPTIONAL;
        }
        n++;
    }
    for (int group = CLI_OF_COMMAND + 1; group < CLI_GROUPS; group++)
        if (has[group])
            d->rows[n++] = (struct argp_option){.doc = cli_groups[group].heading, .group = group};
    /* Define --help here: argp's own --help would also add an option --program-name, and then the
     * abbreviation --program would be ambiguous. */
    d->rows[n] = (struct argp_option){.name = "help", .key = 'h', .doc = "this help", .group = -1};
}

/* Returns argp's row for a word such as --targ or --target=h100. The word may be an abbreviation
 * that is the beginning of only one option, as in getopt. NULL if no option or several options
 * match. */
static const struct argp_option *find_row(const described *d, const char *word)
{
    const size_t length = strcspn(word, "=");
    const struct argp_option *found = NULL;
    size_t count = 0;

    for (const struct argp_option *row = d->rows; row->name || row->doc; row++) {
        if (!row->name || strncmp(row->name, word, length) != 0)
            continue;
        if (strlen(row->name) == length)
            return row;
        found = row;
        count++;
    }
    return count == 1 ? found : NULL;
}

static const struct argp_option *find_key(const described *d, char key)
{
    for (const struct argp_option *row = d->rows; row->name || row->doc; row++)
        if (row->name && row->key == key)
            return row;
    return NULL;
}

static bool is_beginning(const described *d, const char *word)
{
    const size_t length = strcspn(word, "=");

    for (const struct argp_option *row = d->rows; row->name || row->doc; row++)
        if (row->name && strncmp(row->name, word, length) == 0)
            return true;
    return false;
}

_Noreturn static void refuse_option(const cli_options *options, const described *d,
                                    const char *word)
{
    char name[64];
    pm_nearest nearest;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    pm_nearest_open(&nearest, name);
    for (const struct argp_option *row = d->rows; row->name || row->doc; row++)
        if (row->name)
            pm_nearest_add(&nearest, row->name);
    if (nearest.near_count > 0)
        cli_wrong(options, "no option '--%s'; did you mean --%s?", name, nearest.near[0]);
    cli_wrong(options, "no option '--%s'", name);
}

/* Rejects an unknown option, and names the most similar known option, which getopt does not do.
 * Values of options are skipped. */
static void check_options(const cli_options *options, const described *d, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const struct argp_option *row = NULL;

        if (strncmp(argv[i], "--", 2) == 0) {
            if (!is_beginning(d, argv[i] + 2))
                refuse_option(options, d, argv[i] + 2);
            row = find_row(d, argv[i] + 2);
        } else if (argv[i][0] == '-' && strlen(argv[i]) == 2) {
            row = find_key(d, argv[i][1]);
        }
        if (row && row->arg && !(row->flags & OPTION_ARG_OPTIONAL) && !strchr(argv[i], '='))
            i++;
    }
}

static const cli_option *option_of(const cli_options *options, int key)
{
    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_option_table[i].commands & options->command->bit &&
            key_of(&cli_option_table[i]) == key)
            return &cli_option_table[i];
    return NULL;
}

/* Stores all words after -- as the command to run. */
static void take_command(cli_options *options, const char *word, struct argp_state *state)
{
    if (state->quoted == 0 || state->next - 1 < state->quoted)
        cli_wrong(options, "'%s' is not expected here: the command to run stands behind --", word);
    options->words = &state->argv[state->next - 1];
    state->next = state->argc;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    cli_options *options = state->input;
    const cli_option *option = option_of(options, key);

    if (option) {
        options->given[option - cli_option_table] = true;
        option->set(options, option, value);
        return 0;
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL; /* without a stream, argp does not print three more lines */
        return 0;
    case 'h':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
        exit(cli_finish(PM_OK));
    case ARGP_KEY_ARG:
        if (options->command->bit == CLI_CAPTURE) {
            take_command(options, value, state);
            return 0;
        }
        if (!options->command->take)
            cli_wrong(options, "'%s' is not expected here", value);
        options->command->take(options, value);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check_parts(const cli_options *options)
{
    for (size_t i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_table[i];

        if (options->given[i] && option->part_of && !cli_given(options, option->part_of))
            cli_wrong(options, "--%s is of --%s, which is missing", option->name, option->part_of);
    }
}

/* Returns "perfmodel" and the words of the command line, separated by spaces, for the provenance of
 * datasets. The caller frees the text. NULL: out of memory; provenance then has no command line. */
static char *join(int argc, char *const *argv)
{
    size_t size = sizeof "perfmodel";
    char *text, *end;

    for (int i = 0; i < argc; i++)
        size += strlen(argv[i]) + 1;
    text = malloc(size);
    if (!text)
        return NULL;
    end = stpcpy(text, "perfmodel");
    for (int i = 0; i < argc; i++)
        end = stpcpy(stpcpy(end, " "), argv[i]);
    return text;
}

void cli_options_parse(cli_options *options, const cli_command *command, int argc, char **argv)
{
    described d = {.rows = {{0}}};
    char name[64], about[2048];
    const struct argp argp = {d.rows, parse, command->file, about, NULL, NULL, NULL};

    *options = (cli_options){.command = command,
                             .line = join(argc, argv),
                             .seed = 1,
                             .time_limit = 2,
                             .longest = 10,
                             .share = 95,
                             .most_bytes = 8e9,
                             .most_seconds = 60,
                             .slower = 5,
                             .cost = pm_cost_options_default()};
    describe_all(command, &d);
    snprintf(about, sizeof about, "%s\v%s", command->about, command->examples);
    snprintf(name, sizeof name, "perfmodel %s", command->name);
    argv[0] = name; /* argp prints argv[0] in its usage line */
    check_options(options, &d, argc, argv);
    argp_err_exit_status = PM_BAD_INPUT;
    if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, options) != 0)
        exit(PM_BAD_INPUT); /* getopt has already printed the reason */
    argv[0] = NULL;
    check_parts(options);
    if (command->check)
        command->check(options);
}

void cli_options_free(cli_options *options)
{
    for (size_t i = 0; i < options->instead_count; i++)
        free(options->instead[i].name);
    free(options->instead);
    free(options->workloads.names);
    free(options->datasets_named.names);
    free(options->with.names);
    cli_targets_free(options);
    free(options->targets.names);
    free(options->programs.names);
    free(options->variants.names);
    free(options->sizes.names);
    free(options->imports.names);
    free(options->known.names);
    free(options->kernels.names);
    free(options->grids.names);
    free(options->blocks.names);
    free(options->shared_bytes.names);
    free(options->arguments.names);
    free(options->sets.names);
    free(options->line);
}
