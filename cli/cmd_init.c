/* The subcommand `perfmodel init`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "report/json/json.h"

/* Writes the default path of the workload file: the source's path with the suffix .workload. */
static void usual_place(const char *source, pm_text *place)
{
    const char *dot = strrchr(source, '.'), *slash = strrchr(source, '/');
    const size_t stem =
        dot && dot > (slash ? slash + 1 : source) ? (size_t)(dot - source) : strlen(source);

    pm_text_add(place, "%.*s.workload", (int)stem, source);
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Returns true if both paths name files in the same folder, judged by the texts of the paths
 * alone. */
static bool are_beside(const char *one, const char *other)
{
    const size_t length = folder_length(one);

    return length == folder_length(other) && strncmp(one, other, length) == 0;
}

/* Returns the text of the workload file. The source's path in it is relative to the workload file
 * or absolute. */
static char *write_text(pm_session *session, const char *source, const char *place, pm_error *err)
{
    char absolute[PATH_MAX];

    if (are_beside(source, place) || !realpath(source, absolute))
        return pm_workload_text(session, source, NULL, err);
    return pm_workload_text(session, source, absolute, err);
}

static pm_status put(const cli_options *o, const char *place, const char *text, pm_error *err)
{
    int file;

    if (o->force)
        return pm_file_write(place, text, "choose another place with -o", err);
    file = pm_file_put(place, text, strlen(text), false, false);
    if (file >= 0) {
        close(file);
        return PM_OK;
    }
    if (errno == EEXIST)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: is there already; write over it with --force, or choose another place "
                       "with -o",
                       place);
    return pm_file_unwritten(place, errno, "choose another place with -o", err);
}

static int tell(const cli_options *o, const char *place)
{
    pm_screen screen;

    if (o->json)
        return cli_print_document(o, json_pack("{s:o}", "file", pm_json_text(place)));
    screen = cli_screen(o);
    pm_screen_note(
        &screen,
        "%s: look through what is marked as assumed, then: perfmodel predict --target h100 "
        "%s",
        place, place);
    return PM_OK;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    pm_text usual = {0};
    const char *place = o->output;
    char *text = NULL;
    int code;

    if (!place)
        usual_place(o->file, &usual);
    if (usual.failed)
        return pm_fail(err, PM_FAILED, "out of memory for the workload file");
    place = place ? place : pm_text_get(&usual);
    text = write_text(session, o->file, place, err);
    code = text ? (int)put(o, place, text, err) : (int)err->status;
    if (code == PM_OK)
        code = tell(o, place);
    free(text);
    pm_text_free(&usual);
    return code;
}

static void take(cli_options *o, const char *value)
{
    if (o->file)
        cli_wrong(o, "'%s' is not expected here: one source at a time, and %s is there", value,
                  o->file);
    o->file = value;
}

static void check(const cli_options *o)
{
    if (!o->file)
        cli_wrong(o, "a source is missing: perfmodel %s %s", o->command->name, o->command->usual);
}

const cli_command cli_init = {
    .bit = CLI_INIT,
    .name = "init",
    .what = "write the workload file of a source",
    .about = "Writes a workload file for a source in OpenCL C, CUDA or HIP. Sizes, buffers and "
             "launches come from the source's host code and from options. Other values are "
             "assumed, and marked in the file.",
    .examples = "Examples:\n  perfmodel init saxpy.cu\n"
                "  perfmodel init stencil.cl --set width=2048 --block 32,8 -o big.workload\n",
    .usual = "saxpy.cu",
    .file = "SOURCE",
    .take = take,
    .check = check,
    .run = run};
