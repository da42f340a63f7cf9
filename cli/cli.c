/* What the subcommands share: errors, lists, JSON, units.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

void cli_list_add(cli_list *list, const char *name)
{
    const char **grown = realloc(list->names, (list->count + 2) * sizeof *grown);

    if (!grown) {
        fputs("perfmodel: out of memory\n", stderr);
        exit(PM_FAILED);
    }
    list->names = grown;
    grown[list->count++] = name;
    grown[list->count] = NULL;
}

void cli_parse(const struct argp *argp, int argc, char **argv, const char *command, void *state)
{
    char name[64];

    snprintf(name, sizeof name, "perfmodel %s", command);
    argv[0] = name;
    argp_err_exit_status = PM_BAD_INPUT;
    if (argp_parse(argp, argc, argv, ARGP_NO_HELP, NULL, state) != 0)
        exit(PM_BAD_INPUT); /* getopt has said why */
    argv[0] = NULL;
}

void cli_wrong(const struct argp_state *state, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s: ", state->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, " (%s --help tells more)\n", state->name);
    exit(PM_BAD_INPUT);
}

static double parse_sample(const struct argp_state *state, const char *value)
{
    char *end;
    double sample = strtod(value, &end);

    if (strcmp(value, "all") == 0)
        return 1;
    if (*end || end == value || !(sample > 0 && sample <= 1))
        cli_wrong(state, "--sample %s: all, or a number above 0 and up to 1", value);
    return sample;
}

static double parse_step_limit(const struct argp_state *state, const char *value)
{
    char *end;
    double limit = strtod(value, &end);

    if (*end || end == value || !(limit >= 1 && isfinite(limit)))
        cli_wrong(state, "--step-limit %s: a number of blocks is wanted, at least 1", value);
    return limit;
}

error_t cli_parse_other(int key, char *value, struct argp_state *state)
{
    cli_common *common = state->input;

    switch (key) {
    case CLI_JSON:
        common->json = true;
        return 0;
    case CLI_DATASETS:
        common->folder = common->model.datasets = value;
        return 0;
    case CLI_FROM:
        common->from = value;
        return 0;
    case CLI_METHOD:
        common->model.method = value;
        return 0;
    case CLI_COUNTERS:
        common->model.counters = value;
        return 0;
    case CLI_SAMPLE:
        common->sample = parse_sample(state, value);
        return 0;
    case CLI_STEP_LIMIT:
        common->step_limit = parse_step_limit(state, value);
        return 0;
    case ARGP_KEY_INIT:
        state->err_stream = NULL; /* where argp would put three more lines */
        return 0;
    case 'h':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
        exit(cli_finish(PM_OK));
    case ARGP_KEY_ARG:
        cli_wrong(state, "'%s' is not expected here", value);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_error(const pm_error *err)
{
    fprintf(stderr, "perfmodel: %s\n", err->text);
    return err->status;
}

int cli_finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr,
            "perfmodel: standard output: cannot be written: %s; make room, or send it elsewhere\n",
            strerror(errno));
    return code == PM_OK ? PM_BAD_INPUT : code;
}

static void log_line(void *user, const char *line)
{
    (void)user;
    cli_progress_clear();
    fprintf(stderr, "perfmodel: %s\n", line);
}

pm_log cli_log(void)
{
    return (pm_log){.fn = log_line};
}

pm_dataset *cli_read_dataset(const char *name, const char *folder, const pm_log *log, pm_error *err)
{
    char path[4096];

    if (pm_dataset_locate(name, folder, path, sizeof path, err) != PM_OK)
        return NULL;
    return pm_dataset_read(path, log, err);
}

int cli_print_json(json_t *document)
{
    bool failed =
        !document || (json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0 &&
                      !ferror(stdout));

    json_decref(document);
    if (failed) {
        fputs("perfmodel: out of memory for the JSON document\n", stderr);
        return PM_FAILED;
    }
    putchar('\n');
    return PM_OK;
}

json_t *cli_json_text(const char *text)
{
    return pm_json_text(text);
}

json_t *cli_json_number(double value)
{
    return pm_json_number(value);
}

void cli_json_why(json_t *object, const pm_explanation *why)
{
    json_t *terms = json_array();

    for (size_t i = 0; i < why->n; i++)
        json_array_append_new(terms, json_pack("{s:s,s:o,s:o}", "unit", why->terms[i].unit,
                                               "alone_s", cli_json_number(why->terms[i].alone_s),
                                               "added_s", cli_json_number(why->terms[i].added_s)));
    json_object_set_new(object, "bound", cli_json_text(why->bound));
    json_object_set_new(object, "terms", terms);
}

json_t *cli_json_prediction(const pm_prediction *p, bool always_measured)
{
    json_t *object = json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "program", p->sample->program,
                               "variant", p->sample->variant, "size", p->sample->size, "kernel",
                               p->sample->kernel, "predicted_s", cli_json_number(p->predicted_s),
                               "lo_s", cli_json_number(p->lo_s), "hi_s", cli_json_number(p->hi_s));

    if (object && (always_measured || isfinite(p->measured_s)))
        json_object_set_new(object, "measured_s", cli_json_number(p->measured_s));
    if (object && p->why.n > 0)
        cli_json_why(object, &p->why);
    return object;
}
