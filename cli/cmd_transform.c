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
#include "layout/shared.h"
#include "report/table.h"

typedef struct {
    cli_common common;
    const char *layout, *program, *file, *output;
    bool share;
    const char *arrays;           /* of --shared; NULL: chosen */
    char *text;                   /* of layouts and staging together */
    char *layouts, *shared;       /* its halves; shared is NULL without staging */
    pm_transform_options options; /* but for the text */
} arguments;

enum {
    OPT_LAYOUT = 256,
    OPT_PROGRAM,
    OPT_BUILD_OPTIONS,
    OPT_SHARED,
    OPT_WORK_GROUP,
    OPT_SCRATCH,
    OPT_LOCAL_BYTES,
    OPT_ANALYSE
};
enum { MOST_BYTES = 16 << 20 }; /* of a source */
enum { MOST_WORK_ITEMS = 65536, MOST_LOCAL_BYTES = 1 << 30 };

static const struct argp_option options[] = {
    {"layout", OPT_LAYOUT, "KIND", 0,
     "aos-align, aos-align8, soa, asta:TILE, cluster:FIELD+FIELD/FIELD, cluster-align:...; "
     "STRUCT=KIND;STRUCT=KIND where there are several structs",
     0},
    {"shared", OPT_SHARED, "ARRAYS", OPTION_ARG_OPTIONAL,
     "stage these in local memory, NAME+NAME, NAME/TILE, NAME@KERNEL; default: those that are "
     "worth "
     "it",
     0},
    {"work-group", OPT_WORK_GROUP, "XxYxZ", 0,
     "with --shared: size of the work-groups, such as 16x16, of kernels that do not say theirs", 0},
    {"scratch", OPT_SCRATCH, "NAME+NAME", 0,
     "with --shared: parameters whose buffers nobody needs before or after a launch", 0},
    {"local-bytes", OPT_LOCAL_BYTES, "N", 0,
     "with --shared: local memory that a work-group may have; default: 49152", 0},
    {"analyse", OPT_ANALYSE, NULL, 0, "with --shared: only tell what could be staged", 0},
    {"program", OPT_PROGRAM, "P", 0, "a program of the suite instead of FILE.cl", 0},
    {"build-options", OPT_BUILD_OPTIONS, "OPTIONS", 0, "as for clBuildProgram, such as -DN=64", 0},
    {"output", 'o', "DIR", 0,
     "folder for the kernel and the host code; default: the kernel goes to standard output", 0},
    {"json", CLI_JSON, NULL, 0, "one JSON document on standard output", 0},
    CLI_HELP_OPTION,
    {0}};

/* 16x16: what is not given is 1. */
static void parse_work_group(struct argp_state *state, const char *value, size_t size[3])
{
    const char *at = value;
    char *end = NULL;

    size[0] = size[1] = size[2] = 1;
    for (size_t d = 0; d < 3; d++) {
        unsigned long n = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;

        if (n < 1 || n > MOST_WORK_ITEMS)
            break;
        size[d] = n;
        if (!*end)
            return;
        if (*end != 'x')
            break;
        at = end + 1;
    }
    cli_wrong(state, "--work-group %s: one to three sizes such as 16x16, each 1 to %d", value,
              MOST_WORK_ITEMS);
}

static size_t parse_bytes(struct argp_state *state, const char *value)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);

    if (*value < '0' || *value > '9' || *end || n < 1 || n > MOST_LOCAL_BYTES)
        cli_wrong(state, "--local-bytes %s: a number from 1 to %d", value, MOST_LOCAL_BYTES);
    return n;
}

/* What tells staging how; false: none of these. */
static bool parse_staging(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;
    pm_transform_options *o = &args->options;

    switch (key) {
    case OPT_SHARED:
        args->share = true;
        args->arrays = value;
        return true;
    case OPT_WORK_GROUP:
        parse_work_group(state, value, o->work_group);
        return true;
    case OPT_SCRATCH:
        o->scratch = value;
        return true;
    case OPT_LOCAL_BYTES:
        o->local_bytes = parse_bytes(state, value);
        return true;
    case OPT_ANALYSE:
        o->analyse = true;
        return true;
    default:
        return false;
    }
}

/* What belongs together. */
static void check_arguments(const arguments *args, struct argp_state *state)
{
    const pm_transform_options *o = &args->options;
    bool staging = args->share || (args->layout && pm_share_is_text(args->layout));

    if (!args->layout && !args->share)
        cli_wrong(state, "--layout or --shared is missing: perfmodel transform --layout soa "
                         "kernel.cl, perfmodel transform --shared kernel.cl");
    if (!args->file == !args->program)
        cli_wrong(state, "give either a source, FILE.cl, or --program P");
    if (!staging && (o->work_group[0] || o->scratch || o->local_bytes || o->analyse))
        cli_wrong(state, "--work-group, --scratch, --local-bytes and --analyse are of --shared");
    if (args->program && (o->work_group[0] || o->scratch))
        cli_wrong(state, "--work-group and --scratch are of a source; %s has its own launches",
                  args->program);
    if (o->analyse && args->output)
        cli_wrong(state, "--analyse writes no kernel; leave -o out");
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;

    if (parse_staging(key, value, state))
        return 0;
    switch (key) {
    case OPT_LAYOUT:
        args->layout = value;
        break;
    case OPT_PROGRAM:
        args->program = value;
        break;
    case OPT_BUILD_OPTIONS:
        args->options.build_options = value;
        break;
    case 'o':
        if (!*value)
            cli_wrong(state, "-o '': the name of a folder is wanted");
        args->output = value;
        break;
    case ARGP_KEY_ARG:
        if (args->file)
            cli_wrong(state, "'%s' is not expected here: one source at a time", value);
        args->file = value;
        break;
    case ARGP_KEY_END:
        check_arguments(args, state);
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
    "host code that packs and unpacks them; stages arrays that work-groups access often in local "
    "(shared) memory."
    "\v"
    "Examples:\n  perfmodel transform --layout cluster-align:x+y+z/mass -o out kernel.cl\n"
    "  perfmodel transform --shared --work-group 16x16 -o out stencil.cl\n",
    NULL,
    NULL,
    NULL};

/* ---- the source ----------------------------------------------------------------------------- */

/* The file's text, to free. */
static char *read_source(const char *path, pm_error *err)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST_BYTES + 1);
    pm_status status = PM_OK;
    size_t length = 0;

    if (!file)
        status = pm_fail(err, PM_BAD_INPUT, "%s: cannot be read: %s; check the path", path,
                         strerror(errno));
    else if (!text)
        status = pm_fail(err, PM_FAILED, "%s: out of memory", path);
    else
        length = fread(text, 1, MOST_BYTES + 1, file);
    if (status == PM_OK && ferror(file))
        status = pm_fail(err, PM_BAD_INPUT, "%s: cannot be read: %s; give a file with OpenCL C",
                         path, strerror(errno));
    else if (status == PM_OK && (length > MOST_BYTES || memchr(text, '\0', length)))
        status = pm_fail(err, PM_BAD_INPUT, "%s: is no source: %s; give a file with OpenCL C", path,
                         length > MOST_BYTES ? "over 16 MiB" : "it has a zero byte");
    if (file)
        fclose(file);
    if (status != PM_OK) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

/* The text that --layout and --shared make together, and its halves. */
static pm_status join_texts(arguments *args, pm_error *err)
{
    const char *layout = args->layout ? args->layout : "",
               *arrays = args->arrays ? args->arrays : "";
    int length;

    if (!args->share)
        length = asprintf(&args->text, "%s", layout);
    else
        length = asprintf(&args->text, "%s%sshared%s%s", layout, args->layout ? ";" : "",
                          args->arrays && *arrays != '/' && *arrays != '@' ? ":" : "", arrays);
    if (length < 0) {
        args->text = NULL;
        return pm_fail(err, PM_FAILED, "out of memory for the layouts");
    }
    return pm_share_split(args->text, &args->layouts, &args->shared, err);
}

static pm_status transform(arguments *args, pm_transformed *out, pm_error *err)
{
    pm_status status = join_texts(args, err);
    char *text;

    if (status != PM_OK)
        return status;
    args->options.layouts = args->text;
    if (args->program)
        return pm_transform_program(args->program, &args->options, out, err);
    text = read_source(args->file, err);
    if (!text)
        return err->status;
    status = pm_transform_source(text, args->file, &args->options, out, err);
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

/* Kind of layout and staging, as a part of a file's name: soa, shared, soa_shared. */
static void kind_of(const arguments *args, char *kind, size_t size)
{
    const char *layout = args->layouts;
    const char *end = !args->shared ? "" : strcmp(layout, "aos") == 0 ? "shared" : "_shared";
    size_t used = 0, most = size - strlen(end);

    if (!args->shared || strcmp(layout, "aos") != 0)
        for (; *layout && *layout != ':' && used + 1 < most; layout++)
            kind[used++] = isalnum((unsigned char)*layout) || *layout == '-' ? *layout : '_';
    strcpy(kind + used, end);
}

/* Files that were written. */
typedef struct {
    size_t count;
    char **paths; /* room for all there will be */
} written;

static pm_status put(const char *folder, const char *name, const char *ending, const char *text,
                     written *files, pm_error *err)
{
    char path[PATH_MAX];
    int fd;

    if (snprintf(path, sizeof path, "%s/%s%s", folder, name, ending) >= (int)sizeof path)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose another folder",
                       folder);
    fd = pm_file_put(path, text, strlen(text), true, false);
    if (fd < 0)
        return pm_fail(err, pm_place_status(errno),
                       "%s: cannot be written: %s; make room or mend the folder's permissions, or "
                       "choose another with -o",
                       path, strerror(errno));
    close(fd);
    files->paths[files->count] = strdup(path);
    if (!files->paths[files->count]) {
        unlink(path);
        return pm_fail(err, PM_FAILED, "%s: out of memory", path);
    }
    files->count++;
    return PM_OK;
}

/* made: it was not there. */
static pm_status make_folder(const char *folder, bool *made, pm_error *err)
{
    struct stat there;

    *made = mkdir(folder, 0777) == 0;
    if (*made)
        return PM_OK;
    if (errno != EEXIST)
        return pm_fail(err, pm_place_status(errno),
                       "%s: cannot be made: %s; choose another folder with -o", folder,
                       strerror(errno));
    if (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode))
        return pm_fail(err, PM_BAD_INPUT, "%s: is no folder; -o wants one", folder);
    return PM_OK;
}

/* A kernel without its headers is of no use: all of the files, or none. */
static pm_status put_all(const arguments *args, const pm_transformed *t, written *files,
                         pm_error *err)
{
    char stem[NAME_MAX], kind[64], name[NAME_MAX + 80];
    bool made;
    pm_status status;

    files->paths = calloc(t->header_count + 1, sizeof *files->paths);
    if (!files->paths)
        return pm_fail(err, PM_FAILED, "%s: out of memory", args->output);
    status = make_folder(args->output, &made, err);
    if (status != PM_OK)
        return status;
    stem_of(args, stem, sizeof stem);
    kind_of(args, kind, sizeof kind);
    snprintf(name, sizeof name, "%s_%s", stem, kind);
    status = put(args->output, name, ".cl", t->source, files, err);
    for (size_t i = 0; status == PM_OK && i < t->header_count; i++)
        status =
            put(args->output, t->headers[i].structure, "_layout.h", t->headers[i].text, files, err);
    if (status == PM_OK)
        return PM_OK;
    for (size_t i = 0; i < files->count; i++)
        unlink(files->paths[i]);
    if (made)
        rmdir(args->output);
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

static json_t *files_json(const written *files)
{
    json_t *list = json_array();

    for (size_t i = 0; i < files->count; i++)
        json_array_append_new(list, cli_json_text(files->paths[i]));
    return list;
}

static int report_json(const arguments *args, const pm_transformed *t, const written *files)
{
    return cli_print_json(json_pack(
        "{s:o,s:o,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "layout", cli_json_text(args->layouts),
        "shared", cli_json_text(args->shared), "edits", (json_int_t)t->edits, "wide_loads",
        (json_int_t)t->wide_loads, "wide_stores", (json_int_t)t->wide_stores, "source",
        cli_json_text(t->source), "headers", headers_json(t), "arrays", cli_json_arrays(t),
        "assumptions", cli_json_assumptions(t), "files", files_json(files)));
}

static int report(const arguments *args, const pm_transformed *t, const written *files)
{
    if (args->common.json)
        return report_json(args, t, files);
    pm_table_shared(args->output || args->options.analyse ? stdout : stderr, t);
    if (!args->output) {
        fputs(t->source ? t->source : "", stdout);
        return PM_OK;
    }
    for (size_t i = 0; i < files->count; i++)
        puts(files->paths[i]);
    printf("%zu places changed, %zu wide loads, %zu wide stores\n", t->edits, t->wide_loads,
           t->wide_stores);
    return PM_OK;
}

int cmd_transform(int argc, char **argv)
{
    arguments args = {.options.log = cli_log()};
    pm_transformed transformed = {0};
    pm_error err = {0};
    written files = {0};
    pm_status status;
    int code;

    cli_parse(&argp, argc, argv, "transform", &args);
    status = transform(&args, &transformed, &err);
    if (status == PM_OK && args.output)
        status = put_all(&args, &transformed, &files, &err);
    code = status == PM_OK ? report(&args, &transformed, &files) : cli_error(&err);
    for (size_t i = 0; i < files.count; i++)
        free(files.paths[i]);
    free(files.paths);
    pm_transformed_free(&transformed);
    free(args.text);
    free(args.layouts);
    free(args.shared);
    return code;
}
