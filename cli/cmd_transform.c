/* perfmodel transform
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "collector/dataset_parts.h"
#include "collector/error.h"

typedef struct {
    cli_common common;
    const char *layout, *program, *file, *build_options, *output;
} arguments;

enum { OPT_LAYOUT = 256, OPT_PROGRAM, OPT_BUILD_OPTIONS };
enum { MOST_BYTES = 16 << 20 }; /* of a source */

static const struct argp_option options[] = {
    {"layout", OPT_LAYOUT, "KIND", 0,
     "aos-align, aos-align8, soa, asta:TILE, cluster:FIELD+FIELD/FIELD, cluster-align:...; "
     "STRUCT=KIND;STRUCT=KIND where there are several structs",
     0},
    {"program", OPT_PROGRAM, "P", 0, "a program of the suite instead of FILE.cl", 0},
    {"build-options", OPT_BUILD_OPTIONS, "OPTIONS", 0, "as for clBuildProgram, such as -DN=64", 0},
    {"output", 'o', "DIR", 0,
     "folder for the kernel and the host code; default: the kernel goes to standard output", 0},
    {"json", CLI_JSON, NULL, 0, "one JSON document on standard output", 0},
    CLI_HELP_OPTION,
    {0}};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;

    switch (key) {
    case OPT_LAYOUT:
        args->layout = value;
        break;
    case OPT_PROGRAM:
        args->program = value;
        break;
    case OPT_BUILD_OPTIONS:
        args->build_options = value;
        break;
    case 'o':
        args->output = value;
        break;
    case ARGP_KEY_ARG:
        if (args->file)
            cli_wrong(state, "'%s' is not expected here: one source at a time", value);
        args->file = value;
        break;
    case ARGP_KEY_END:
        if (!args->layout)
            cli_wrong(state, "--layout is missing: perfmodel transform --layout soa kernel.cl");
        if (!args->file == !args->program)
            cli_wrong(state, "give a source, FILE.cl, or --program P");
        break;
    default:
        return cli_parse_other(key, value, state);
    }
    return 0;
}

static const struct argp argp = {
    options,
    parse,
    "FILE.cl",
    "Rewrites a kernel that works on arrays of structs for another layout of these, and writes the "
    "host code that packs and unpacks them."
    "\v"
    "Example:\n  perfmodel transform --layout cluster-align:x+y+z/mass -o out kernel.cl\n",
    NULL,
    NULL,
    NULL};

/* ---- the source ----------------------------------------------------------------------------- */

/* The file's text, to free. */
static char *read_source(const char *path, pm_error *err)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(MOST_BYTES + 1) : NULL;
    size_t length = 0;

    if (!file) {
        pm_fail(err, PM_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    if (text)
        length = fread(text, 1, MOST_BYTES + 1, file);
    if (!text)
        pm_fail(err, PM_FAILED, "%s: out of memory", path);
    else if (ferror(file))
        pm_fail(err, PM_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    else if (length > MOST_BYTES || memchr(text, '\0', length))
        pm_fail(err, PM_BAD_INPUT, "%s: is no source: %s", path,
                length > MOST_BYTES ? "over 16 MiB" : "it has a zero byte");
    fclose(file);
    if (err->status != PM_OK) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

static pm_status transform(const arguments *args, const pm_log *log, pm_transformed *out,
                           pm_error *err)
{
    pm_status status;
    char *text;

    if (args->program)
        return pm_transform_program(args->program, args->layout, log, out, err);
    text = read_source(args->file, err);
    if (!text)
        return err->status;
    status =
        pm_transform_source(text, args->file, args->build_options, args->layout, log, out, err);
    free(text);
    return status;
}

/* ---- the files ------------------------------------------------------------------------------ */

/* The source's name without folder and ending: what the kernel's file is called. */
static void stem_of(const arguments *args, char *stem, size_t size)
{
    const char *name = args->program ? args->program : args->file, *slash = strrchr(name, '/');
    char *dot;

    snprintf(stem, size, "%s", slash ? slash + 1 : name);
    dot = strrchr(stem, '.');
    if (dot && dot != stem)
        *dot = '\0';
}

/* kind of layout, as a part of a file's name. */
static void kind_of(const char *layout, char *kind, size_t size)
{
    size_t used = 0;

    for (; *layout && *layout != ':' && used + 1 < size; layout++)
        kind[used++] = isalnum((unsigned char)*layout) || *layout == '-' ? *layout : '_';
    kind[used] = '\0';
}

static pm_status put(const char *folder, const char *name, const char *ending, const char *text,
                     json_t *files, pm_error *err)
{
    char path[PATH_MAX];
    int fd;

    if (snprintf(path, sizeof path, "%s/%s%s", folder, name, ending) >= (int)sizeof path)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose another folder",
                       folder);
    fd = pm_file_put(path, text, strlen(text), true, false);
    if (fd < 0)
        return pm_fail(err, PM_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
    close(fd);
    json_array_append_new(files, cli_json_text(path));
    return PM_OK;
}

static pm_status put_all(const arguments *args, const pm_transformed *t, json_t *files,
                         pm_error *err)
{
    char stem[NAME_MAX], kind[64], name[NAME_MAX + 80];
    pm_status status;

    if (mkdir(args->output, 0777) != 0 && errno != EEXIST)
        return pm_fail(err, PM_BAD_INPUT, "%s: cannot be made: %s", args->output, strerror(errno));
    stem_of(args, stem, sizeof stem);
    kind_of(args->layout, kind, sizeof kind);
    snprintf(name, sizeof name, "%s_%s", stem, kind);
    status = put(args->output, name, ".cl", t->source, files, err);
    for (size_t i = 0; status == PM_OK && i < t->header_count; i++)
        status =
            put(args->output, t->headers[i].structure, "_layout.h", t->headers[i].text, files, err);
    return status;
}

/* ---- what was done --------------------------------------------------------------------------- */

static json_t *headers_json(const pm_transformed *t)
{
    json_t *headers = json_array();

    for (size_t i = 0; i < t->header_count; i++)
        json_array_append_new(headers, json_pack("{s:o,s:o}", "struct",
                                                 cli_json_text(t->headers[i].structure), "text",
                                                 cli_json_text(t->headers[i].text)));
    return headers;
}

static int report(const arguments *args, const pm_transformed *t, json_t *files)
{
    if (args->common.json)
        return cli_print_json(
            json_pack("{s:o,s:I,s:I,s:I,s:o,s:o,s:O}", "layout", cli_json_text(args->layout),
                      "edits", (json_int_t)t->edits, "wide_loads", (json_int_t)t->wide_loads,
                      "wide_stores", (json_int_t)t->wide_stores, "source", cli_json_text(t->source),
                      "headers", headers_json(t), "files", files));
    if (!args->output) {
        fputs(t->source, stdout);
        return PM_OK;
    }
    for (size_t i = 0; i < json_array_size(files); i++)
        puts(json_string_value(json_array_get(files, i)));
    printf("%zu places changed, %zu wide loads, %zu wide stores\n", t->edits, t->wide_loads,
           t->wide_stores);
    return PM_OK;
}

int cmd_transform(int argc, char **argv)
{
    arguments args = {0};
    pm_log log = cli_log();
    pm_transformed transformed = {0};
    pm_error err = {0};
    json_t *files = json_array();
    pm_status status;
    int code;

    cli_parse(&argp, argc, argv, "transform", &args);
    status = transform(&args, &log, &transformed, &err);
    if (status == PM_OK && args.output)
        status = put_all(&args, &transformed, files, &err);
    code = status == PM_OK ? report(&args, &transformed, files) : cli_error(&err);
    json_decref(files);
    pm_transformed_free(&transformed);
    return code;
}
