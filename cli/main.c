/* The main function of perfmodel: finds the subcommand and runs it. Each subcommand has a file of
 * its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/cli.h"
#include "cli/describe.h"

static const cli_command *const commands[] = {
    &cli_init,    &cli_devices,   &cli_collect, &cli_validate, &cli_predict,
    &cli_trace,   &cli_transform, &cli_advise,  &cli_tune,     &cli_report,
    &cli_capture, &cli_check,     &cli_merge,   &cli_cache,    &cli_setup};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fputs("Usage: perfmodel COMMAND [OPTION...]\n"
          "What an optimization of a GPU kernel is worth, before anyone writes it.\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->what);
    fputs("\nperfmodel COMMAND --help tells more, with an example.\n"
          "Exit codes: 0 done; 1 the work failed, or check found slower kernels; 2 the command\n"
          "line, an input file or the place for the output is wrong; 3 done, but some of what was\n"
          "asked for was left out, each with a line on standard error; 130 interrupted.\n",
          out);
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    cli_options options;
    pm_error err = {0};
    pm_session *session;
    int code = PM_FAILED;

    cli_options_parse(&options, command, argc, argv);
    session = cli_open_session(&options, &err);
    if (session && cli_name_targets(&options, &err) == PM_OK &&
        cli_say_launches(session, &options, &err) == PM_OK)
        code = command->run(session, &options, &err);
    if (session && code == PM_OK && !options.json)
        cli_tell_assumed(session, &options);
    if (code != PM_OK && err.status != PM_OK) {
        cli_progress_clear();
        fprintf(stderr, "perfmodel: %s\n", err.text);
        code = err.status;
    }
    if (code == PM_OK && session && pm_session_left_out(session) > 0)
        code = CLI_LEFT_OUT;
    pm_session_free(session);
    cli_options_free(&options);
    return code != PM_OK && cli_stopped() ? (int)CLI_INTERRUPTED : code;
}

static int run(const char *name, int argc, char **argv)
{
    pm_nearest nearest;

    pm_nearest_open(&nearest, name);
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return run_command(commands[i], argc, argv);
    for (size_t i = 0; i < COMMANDS; i++)
        pm_nearest_add(&nearest, commands[i]->name);
    fprintf(stderr, "perfmodel: no command '%s'; %s\n", name, pm_nearest_text(&nearest, NULL));
    return PM_BAD_INPUT;
}

static int help(int argc, char **argv)
{
    static char option[] = "--help";

    if (argc > 1 && strcmp(argv[1], "--json") == 0)
        return cli_describe(commands, COMMANDS);
    if (argc > 1) {
        char *words[] = {argv[1], option, NULL};

        return run(argv[1], 2, words);
    }
    print_help(stdout);
    return PM_OK;
}

static int version(void)
{
    puts("perfmodel " PM_VERSION);
    return PM_OK;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    /* Ignore SIGXFSZ. A write beyond the user's limit of file sizes then fails with an error code,
     * like a write to a full disk, instead of ending the program. */
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        print_help(stderr);
        return PM_BAD_INPUT;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return cli_finish(help(argc - 1, argv + 1));
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        return cli_finish(version());
    return cli_finish(run(word, argc - 1, argv + 1));
}
