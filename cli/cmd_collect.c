/* perfmodel collect
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

typedef struct {
    cli_common common;
    pm_collect_options options;
    cli_list programs, variants, sizes;
    bool list;
} arguments;

/* A signal handler can reach nothing else. */
static volatile int stop;

static void on_signal(int number)
{
    static const char text[] = "\nperfmodel: stopping; once more stops at once\n";
    int before = errno;

    (void)number;
    if (stop)
        _exit(PM_FAILED);
    stop = 1;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        errno = 0; /* nobody to tell */
    errno = before;
}

enum {
    OPT_DEVICE = 256,
    OPT_PROGRAM,
    OPT_VARIANT,
    OPT_SIZE,
    OPT_COUNTERS,
    OPT_TARGET,
    OPT_LIMIT,
    OPT_SEED,
    OPT_LIST
};

static const struct argp_option options[] = {
    {"device", OPT_DEVICE, "SEL", 0,
     "id, number or part of the name (perfmodel devices); "
     "default: the first GPU, else the first device; none: counters alone, by the trace engine",
     0},
    {"program", OPT_PROGRAM, "P", 0, "only this program; may be repeated", 0},
    {"variant", OPT_VARIANT, "V", 0, "only this variant; may be repeated", 0},
    {"size", OPT_SIZE, "S", 0, "only this size; may be repeated", 0},
    {"counters", OPT_COUNTERS, "SOURCE", 0, "auto, cupti, trace or none; default: auto", 0},
    {"target", OPT_TARGET, "NAME", 0,
     "GPU whose counts are traced, a row of devices.csv; default: the device itself, else h100", 0},
    CLI_TRACE_OPTIONS,
    {"output", 'o', "FILE.csv", 0, "the dataset; default: DEVICE.csv in the user's folder", 0},
    {"time-limit", OPT_LIMIT, "SECONDS", 0,
     "leave out a size whose single pass would last longer; 0: no limit; default: 2", 0},
    {"seed", OPT_SEED, "N", 0, "seed of the inputs; default: 1", 0},
    {"list", OPT_LIST, NULL, 0, "list programs, variants and sizes, and measure nothing", 0},
    {"json", CLI_JSON, NULL, 0, "one JSON document on standard output", 0},
    CLI_HELP_OPTION,
    {0}};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;
    char *end;

    switch (key) {
    case OPT_DEVICE:
        args->options.device = value;
        break;
    case OPT_PROGRAM:
        cli_list_add(&args->programs, value);
        break;
    case OPT_VARIANT:
        cli_list_add(&args->variants, value);
        break;
    case OPT_SIZE:
        cli_list_add(&args->sizes, value);
        break;
    case OPT_COUNTERS:
        args->options.counters = value;
        break;
    case OPT_TARGET:
        args->options.target = value;
        break;
    case 'o':
        args->options.output = value;
        break;
    case OPT_LIMIT:
        args->options.time_limit_s = strtod(value, &end);
        if (*end || end == value || !(args->options.time_limit_s >= 0))
            cli_wrong(state, "--time-limit %s: a number of seconds is wanted", value);
        break;
    case OPT_SEED:
        errno = 0;
        args->options.seed = strtoull(value, &end, 10);
        if (*end || end == value || errno || !isdigit((unsigned char)value[0]))
            cli_wrong(state, "--seed %s: a whole number is wanted", value);
        break;
    case OPT_LIST:
        args->list = true;
        break;
    default:
        return cli_parse_other(key, value, state);
    }
    return 0;
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Runs the suite on a device and writes time and counters of every kernel into a dataset. "
    "Stopped at any point, the same command goes on where it stopped."
    "\v"
    "Example:\n  perfmodel collect --program sobel3x3 --program nbody -o mygpu.csv\n",
    NULL,
    NULL,
    NULL};

static void show_progress(void *user, const pm_progress *p)
{
    char left[48] = "", step[1024];

    (void)user;
    if (!p->program) {
        cli_progress_clear();
        return;
    }
    if (isfinite(p->left_s) && p->left_s >= 90)
        snprintf(left, sizeof left, ", about %.0f min left", p->left_s / 60);
    else if (isfinite(p->left_s))
        snprintf(left, sizeof left, ", about %.0f s left", p->left_s);
    snprintf(step, sizeof step, "%s %s %s%s", p->program, p->variant, p->size, left);
    cli_progress(p->done, p->total, step);
}

static char *join_command(int argc, char **argv)
{
    size_t length = sizeof "perfmodel";
    char *text;

    for (int i = 0; i < argc; i++)
        length += strlen(argv[i]) + 1;
    text = malloc(length);
    if (!text)
        return NULL;
    strcpy(text, "perfmodel");
    for (int i = 0; i < argc; i++) {
        strcat(text, " ");
        strcat(text, argv[i]);
    }
    return text;
}

static json_t *json_names(const char *const *names)
{
    json_t *list = json_array();

    for (; *names; names++)
        json_array_append_new(list, json_string(*names));
    return list;
}

static int list_as_json(void)
{
    json_t *list = json_array();

    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);

        json_array_append_new(list, json_pack("{s:s,s:s,s:s?,s:o,s:o}", "program", info->name,
                                              "title", info->title, "base", info->base, "variants",
                                              json_names(info->variants), "sizes",
                                              json_names(info->sizes)));
    }
    return cli_print_json(list);
}

static void print_names(const char *what, const char *const *names)
{
    printf("  %-9s", what);
    for (; *names; names++)
        printf(" %s", *names);
    putchar('\n');
}

static int list_suite(void)
{
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program_info *info = pm_program_at(i);

        printf("%-14s %s\n", info->name, info->title);
        print_names("variants:", info->variants);
        if (info->base)
            print_names("base:", (const char *const[]){info->base, NULL});
        print_names("sizes:", info->sizes);
    }
    return PM_OK;
}

static int report(const pm_collect_result *r, bool json)
{
    if (json)
        return cli_print_json(json_pack("{s:o,s:o,s:I,s:I,s:I,s:I}", "device",
                                        cli_json_text(r->device), "dataset", cli_json_text(r->path),
                                        "measured", (json_int_t)r->measured, "kept",
                                        (json_int_t)r->kept, "failed", (json_int_t)r->failed,
                                        "skipped", (json_int_t)r->skipped));
    printf("%s: %zu measured, %zu there already, %zu left out, %zu failed\n", r->path, r->measured,
           r->kept, r->skipped, r->failed);
    return PM_OK;
}

static void catch_signals(void)
{
    /* Restart: a system call in a driver or a flush of the dataset is no place to be cut off. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int cmd_collect(int argc, char **argv)
{
    arguments args = {.options = {.time_limit_s = 2, .seed = 1}};
    pm_collect_result result;
    pm_error err = {0};
    char *command = join_command(argc, argv);
    int code;

    cli_parse(&argp, argc, argv, "collect", &args);
    args.options.programs = args.programs.names;
    args.options.variants = args.variants.names;
    args.options.sizes = args.sizes.names;
    args.options.sample = args.common.sample;
    args.options.step_limit = args.common.step_limit;
    args.options.command = command;
    args.options.stop = &stop;
    args.options.progress = show_progress;
    args.options.log = cli_log();
    if (args.list) {
        code = args.common.json ? list_as_json() : list_suite();
    } else {
        catch_signals();
        code = pm_collect(&args.options, &result, &err) == PM_OK ? report(&result, args.common.json)
                                                                 : cli_error(&err);
        if (code == PM_OK && result.failed > 0)
            code = PM_FAILED;
    }
    free(command);
    free(args.programs.names);
    free(args.variants.names);
    free(args.sizes.names);
    return code;
}
