/* perfmodel: the command line. One file a subcommand; nothing here computes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"devices", cmd_devices, "list the devices of this machine and the known targets"},
    {"collect", cmd_collect, "measure the suite on a device into a dataset"},
    {"validate", cmd_validate, "what a model gets on programs it has not seen"},
    {"predict", cmd_predict, "run times on another GPU"},
};

static void print_help(FILE *out)
{
    fputs("Usage: perfmodel COMMAND [OPTION...]\n"
          "What an optimization of a GPU kernel is worth, before anyone writes it.\n\n",
          out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
    fputs("\nperfmodel COMMAND --help tells more, with an example.\n"
          "Exit codes: 0 done, 1 the work failed, 2 the command line, an input file or\n"
          "the place for the output is wrong.\n",
          out);
}

int main(int argc, char **argv)
{
    /* A file size limit is a full disk, and is told as one. */
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        print_help(stderr);
        return PM_BAD_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return PM_OK;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("perfmodel " PM_VERSION);
        return PM_OK;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "perfmodel: no command '%s'; there is:", argv[1]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(stderr, " %s", commands[i].name);
    fputc('\n', stderr);
    return PM_BAD_INPUT;
}
