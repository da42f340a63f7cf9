/* Functions that check the value of a command-line option and store it. See option_values.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/option_values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/cost/effort.h"
#include "base/nearest.h"
#include "base/numbers.h"
#include "base/shard.h"

static void *member_of(cli_options *options, const cli_option *option)
{
    return (char *)options + option->at;
}

void cli_set_flag(cli_options *options, const cli_option *option, const char *value)
{
    (void)value;
    *(bool *)member_of(options, option) = true;
}

void cli_set_text(cli_options *options, const cli_option *option, const char *value)
{
    *(const char **)member_of(options, option) = value;
}

void cli_set_form(cli_options *options, const cli_option *option, const char *value)
{
    static const char *const names[] = {
        [CLI_TEXT] = "text", [CLI_CSV] = "csv", [CLI_MARKDOWN] = "md", [CLI_JSON] = "json", NULL};
    pm_nearest nearest;
    size_t form = 0;

    value = value ? value : "json"; /* value is NULL for --json */
    while (names[form] && strcmp(names[form], value) != 0)
        form++;
    if (!names[form]) {
        pm_nearest_open(&nearest, value);
        pm_nearest_add_all(&nearest, names);
        cli_wrong(options, "--%s %s: %s", option->name, value, pm_nearest_text(&nearest, NULL));
    }
    options->form = (cli_form)form;
    options->json = form == CLI_CSV || form == CLI_JSON;
}

/* Stores the value of an option whose argument may be missing; a missing argument is stored as
 * "". */
void cli_set_text_or_empty(cli_options *options, const cli_option *option, const char *value)
{
    cli_set_text(options, option, value ? value : "");
}

static void *grow(void *list, size_t count, size_t size)
{
    void *grown = reallocarray(list, count, size);

    if (!grown) {
        fputs("perfmodel: out of memory\n", stderr);
        exit(PM_FAILED);
    }
    return grown;
}

void cli_list_add(cli_list *list, const char *value)
{
    list->names = grow(list->names, list->count + 2, sizeof *list->names);
    list->names[list->count++] = value;
    list->names[list->count] = NULL;
}

void cli_add_text(cli_options *options, const cli_option *option, const char *value)
{
    cli_list *list = member_of(options, option);

    if (list->count > 0 && options->command->bit & option->once)
        cli_wrong(options, "--%s %s: one at a time", option->name, value);
    cli_list_add(list, value);
}

static double read_number(const cli_options *options, const char *name, const char *value)
{
    double number;

    if (!pm_number_parse(value, &number))
        cli_wrong(options, "--%s %s: a number is wanted", name, value);
    return number;
}

/* Stores a number, such as a price. The library checks its range. */
void cli_set_number(cli_options *options, const cli_option *option, const char *value)
{
    *(double *)member_of(options, option) = read_number(options, option->name, value);
}

void cli_set_number_from(cli_options *options, const cli_option *option, const char *value)
{
    double number = read_number(options, option->name, value);

    if (!(number >= option->least))
        cli_wrong(options, "--%s %s: a number of at least %g is wanted", option->name, value,
                  option->least);
    *(double *)member_of(options, option) = number;
}

void cli_set_count(cli_options *options, const cli_option *option, const char *value)
{
    unsigned long long number;
    char *end;

    errno = 0;
    number = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || (double)number < option->least ||
        (option->most > 0 && (double)number > option->most)) {
        if (option->most > 0)
            cli_wrong(options, "--%s %s: a number from %g to %.10g", option->name, value,
                      option->least, option->most);
        cli_wrong(options, "--%s %s: a whole number is wanted", option->name, value);
    }
    *(unsigned long long *)member_of(options, option) = number;
}

void cli_set_sample(cli_options *options, const cli_option *option, const char *value)
{
    double sample = 0;

    if (strcmp(value, "all") == 0)
        sample = 1;
    else if (!pm_number_parse(value, &sample) || !(sample > 0 && sample <= 1))
        cli_wrong(options, "--sample %s: all, or a number above 0 and up to 1", value);
    *(double *)member_of(options, option) = sample;
}

void cli_set_leave_out(cli_options *options, const cli_option *option, const char *value)
{
    bool samples = options->command->bit == CLI_VALIDATE;
    pm_leave_out *unit = member_of(options, option);

    if (strcmp(value, "program") == 0)
        *unit = PM_LEAVE_PROGRAM;
    else if (strcmp(value, "class") == 0)
        *unit = PM_LEAVE_CLASS;
    else if (samples && strcmp(value, "sample") == 0)
        *unit = PM_LEAVE_SAMPLE;
    else if (samples && strcmp(value, "gpu") == 0)
        *unit = PM_LEAVE_GPU;
    else if (samples && strcmp(value, "architecture") == 0)
        *unit = PM_LEAVE_ARCHITECTURE;
    else
        cli_wrong(options, "--leave-out %s: %s", value,
                  samples ? "program, class or sample; of published times gpu or architecture, too"
                          : "'program' or 'class' (and 'sample' in perfmodel validate)");
}

void cli_set_shard(cli_options *options, const cli_option *option, const char *value)
{
    pm_error err = {0};

    if (pm_shard_read(value, member_of(options, option), &err) != PM_OK)
        cli_wrong(options, "%s", err.text);
}

/* Stores a size such as 16x16. Missing dimensions are 1. */
void cli_set_work_group(cli_options *options, const cli_option *option, const char *value)
{
    size_t *size = member_of(options, option);
    const char *at = value;
    char *end = NULL;

    size[0] = size[1] = size[2] = 1;
    for (size_t d = 0; d < 3; d++) {
        unsigned long n = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;

        if (n < 1 || (double)n > option->most)
            break;
        size[d] = n;
        if (!*end)
            return;
        if (*end != 'x')
            break;
        at = end + 1;
    }
    cli_wrong(options, "--work-group %s: one to three sizes such as 16x16, each 1 to %g", value,
              option->most);
}

/* Stores a budget: N versions, or Ns for seconds. */
void cli_set_budget(cli_options *options, const cli_option *option, const char *value)
{
    const size_t length = strlen(value);
    double number = 0;
    char digits[32] = "";

    (void)option;
    if (length > 1 && length < sizeof digits && value[length - 1] == 's') {
        memcpy(digits, value, length - 1);
        if (pm_number_parse(digits, &number) && number > 0 && number < 1e9) {
            options->budget_s = number;
            return;
        }
    } else if (pm_number_parse(value, &number) && number >= 1 && number <= 1e9 &&
               number == floor(number)) {
        options->budget = (size_t)number;
        return;
    }
    cli_wrong(options, "--budget %s: a number of versions such as 500, or seconds such as 300s",
              value);
}

/* Stores a range FROM:TO. */
void cli_set_launches(cli_options *options, const cli_option *option, const char *value)
{
    unsigned long long *range = member_of(options, option);
    char *end = NULL;

    errno = 0;
    if (*value >= '0' && *value <= '9')
        range[0] = strtoull(value, &end, 10);
    if (end && *end == ':' && end[1] >= '0' && end[1] <= '9')
        range[1] = strtoull(end + 1, &end, 10);
    if (!end || *end || errno || range[1] <= range[0])
        cli_wrong(options,
                  "--launches %s: FROM:TO is wanted, counted from 0 and without TO, such as 10:20",
                  value);
}

void cli_set_path(cli_options *options, const cli_option *option, const char *value)
{
    if (!*value)
        cli_wrong(options, "-%c '': the name of a %s is wanted", option->key,
                  options->command->bit & (CLI_TRANSFORM | CLI_CAPTURE) ? "folder" : "file");
    cli_set_text(options, option, value);
}

void cli_set_effort(cli_options *options, const cli_option *option, const char *value)
{
    size_t length = strcspn(value, "=");

    for (size_t i = 0; i < PM_EFFORT_RATES && value[length]; i++) {
        const pm_effort_rate *rate = pm_effort_rate_at(i);

        if (strlen(rate->name) == length && strncmp(rate->name, value, length) == 0) {
            *pm_effort_rate_of(member_of(options, option), rate) =
                read_number(options, "effort", value + length + 1);
            return;
        }
    }
    cli_wrong(options, "--effort %s: write=X, read=X, kernel=X, struct=X or factor=X", value);
}

void cli_add_instead(cli_options *options, const cli_option *option, const char *value)
{
    size_t length = strcspn(value, "=");
    cli_instead *new;

    options->instead = grow(options->instead, options->instead_count + 1, sizeof *new);
    new = &options->instead[options->instead_count];
    *new = (cli_instead){strndup(value, length), (double)NAN};
    if (!new->name) {
        fputs("perfmodel: out of memory\n", stderr);
        exit(PM_FAILED);
    }
    options->instead_count++;
    if (value[length])
        new->price = read_number(options, option->name, value + length + 1);
}
