/* What the subcommands share: errors, lists, JSON, units.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    argp_parse(argp, argc, argv, 0, NULL, state);
    argv[0] = NULL;
}

int cli_error(const pm_error *err)
{
    fprintf(stderr, "perfmodel: %s\n", err->text);
    return err->status;
}

static void log_line(void *user, const char *line)
{
    (void)user;
    /* The progress bar is redrawn on its own line: clear what stands there first. */
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
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

int cli_end_output(void)
{
    if (!ferror(stdout) && fflush(stdout) == 0)
        return PM_OK;
    fprintf(stderr,
            "perfmodel: standard output: cannot be written: %s; make room, or send it elsewhere\n",
            strerror(errno));
    return PM_BAD_INPUT;
}

int cli_print_json(json_t *document)
{
    if (!document) {
        fputs("perfmodel: out of memory for the JSON document\n", stderr);
        return PM_FAILED;
    }
    (void)json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(document);
    putchar('\n');
    return cli_end_output();
}

json_t *cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_json_prediction(const pm_prediction *p, bool always_measured)
{
    json_t *object = json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "program", p->sample->program,
                               "variant", p->sample->variant, "size", p->sample->size, "kernel",
                               p->sample->kernel, "predicted_s", cli_json_number(p->predicted_s),
                               "lo_s", cli_json_number(p->lo_s), "hi_s", cli_json_number(p->hi_s));

    if (object && (always_measured || isfinite(p->measured_s)))
        json_object_set_new(object, "measured_s", cli_json_number(p->measured_s));
    return object;
}
