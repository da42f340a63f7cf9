/* Describes commands, options and environment variables: as help texts, and as JSON for scripts.
 * See describe.h and options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/describe.h"

#include <jansson.h>
#include <stdio.h>

#include "cli/environment.h"
#include "cli/option_values.h"

static bool may_be_repeated(const cli_option *option, unsigned command)
{
    const bool takes_several = option->set == cli_add_text || option->set == cli_add_instead ||
                               option->set == cli_set_effort;

    return takes_several && !(option->once & command);
}

void cli_option_help(const cli_option *option, unsigned command, char help[CLI_LONGEST_HELP])
{
    size_t used = 0;

    if (option->part_of)
        used = (size_t)snprintf(help, CLI_LONGEST_HELP, "with --%s: ", option->part_of);
    used += (size_t)snprintf(help + used, CLI_LONGEST_HELP - used, "%s", option->help);
    for (size_t n = 0; n < sizeof option->notes / sizeof *option->notes; n++)
        if (option->notes[n].commands & command)
            used += (size_t)snprintf(help + used, CLI_LONGEST_HELP - used, "; %s",
                                     option->notes[n].help);
    if (may_be_repeated(option, command))
        snprintf(help + used, CLI_LONGEST_HELP - used, "; may be repeated");
}

/* Returns a JSON object that describes an option. Texts that the option does not have are null.
 * NULL: out of memory. */
static json_t *describe_option(const cli_option *option, unsigned command)
{
    const char key[2] = {option->key, '\0'};
    char help[CLI_LONGEST_HELP];

    cli_option_help(option, command, help);
    return json_pack("{s:s, s:s, s:s?, s:s?, s:s, s:b, s:s}", "name", option->name, "key", key,
                     "argument", option->argument, "words", option->words, "group",
                     cli_groups[option->group].name, "repeatable", may_be_repeated(option, command),
                     "help", help);
}

static json_t *describe_command(const cli_command *command)
{
    json_t *options = json_array();

    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_option_table[i].commands & command->bit &&
            json_array_append_new(options, describe_option(&cli_option_table[i], command->bit)) !=
                0) {
            json_decref(options);
            return NULL;
        }
    return json_pack("{s:s, s:s, s:s?, s:s, s:s, s:o}", "name", command->name, "what",
                     command->what, "arguments", command->file, "about", command->about, "examples",
                     command->examples, "options", options);
}

static json_t *describe_all(const cli_command *const *commands, size_t count)
{
    json_t *described = json_array(), *variables = json_array(), *groups = json_array();
    bool good = described && variables && groups;

    for (size_t i = 0; i < count && good; i++)
        good = json_array_append_new(described, describe_command(commands[i])) == 0;
    for (size_t i = 0; i < cli_variable_count && good; i++)
        good =
            json_array_append_new(variables, json_pack("{s:s, s:s}", "name", cli_variables[i].name,
                                                       "help", cli_variables[i].help)) == 0;
    for (size_t i = CLI_OF_COMMAND + 1; i < CLI_GROUPS && good; i++)
        good = json_array_append_new(groups, json_string(cli_groups[i].name)) == 0;
    if (good)
        return json_pack("{s:s, s:o, s:o, s:o}", "version", PM_VERSION, "commands", described,
                         "groups", groups, "environment", variables);
    json_decref(described);
    json_decref(variables);
    json_decref(groups);
    return NULL;
}

int cli_describe(const cli_command *const *commands, size_t count)
{
    json_t *document = describe_all(commands, count);
    const bool printed = document && json_dumpf(document, stdout, JSON_INDENT(2)) == 0;

    json_decref(document);
    if (printed) {
        putchar('\n');
        return PM_OK;
    }
    fputs("perfmodel: out of memory for the description of the options\n", stderr);
    return PM_FAILED;
}
