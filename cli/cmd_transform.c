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

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "report/json.h"
#include "report/tables.h"
#include "staging/staging.h"

/* A transform and what comes of it. */
typedef struct {
    const cli_options *o;
    const char *program;
    char *text;         /* of layouts and staging together */
    char *layouts;      /* its first half */
    const char *shared; /* its second one; NULL: no staging */
} transforming;
enum { MOST_BYTES = 16 << 20 }; /* of a source */

/* ---- the source ----------------------------------------------------------------------------- */

/* The text that --layout and --shared make together, or --variant is, and its halves. */
static pm_status join_texts(transforming *t, pm_error *err)
{
    const cli_options *o = t->o;
    const char *layout = o->layout ? o->layout : "", *arrays = o->shared ? o->shared : "";
    bool named = o->shared && *arrays != '/' && *arrays != '@';
    int length;

    if (o->variants.count)
        length = asprintf(&t->text, "%s", cli_first(&o->variants));
    else if (!cli_given(o, "shared"))
        length = asprintf(&t->text, "%s", layout);
    else
        length = asprintf(&t->text, "%s%sshared%s%s", layout, o->layout ? ";" : "",
                          named ? ":" : "", arrays);
    if (length < 0) {
        t->text = NULL;
        return pm_fail(err, PM_FAILED, "out of memory for the layouts");
    }
    return pm_stage_split(t->text, &t->layouts, &t->shared, err);
}

static pm_status transform(pm_session *session, transforming *t, pm_transformed *out, pm_error *err)
{
    const cli_options *o = t->o;
    pm_transform_options options = {.build_options = o->build_options,
                                    .scratch = o->scratch,
                                    .local_bytes = o->local_bytes,
                                    .analyse = o->analyse,
                                    .size = cli_first(&o->sizes)};
    pm_status status = join_texts(t, err);
    char *text;

    if (status != PM_OK)
        return status;
    memcpy(options.work_group, o->work_group, sizeof options.work_group);
    options.layouts = t->text;
    if (t->program)
        return pm_transform_program(session, t->program, &options, out, err);
    status = pm_file_read(o->file, MOST_BYTES, "a file with OpenCL C", &text, err);
    if (status == PM_OK)
        status = pm_transform_source(session, text, o->file, &options, out, err);
    free(text);
    return status;
}

/* ---- the files ------------------------------------------------------------------------------ */

/* The source's name without folder and ending: what the kernel's file is called. */
static void stem_of(const transforming *t, char *stem, size_t size)
{
    char *dot;

    snprintf(stem, size, "%s", basename(t->program ? t->program : t->o->file));
    dot = strrchr(stem, '.');
    if (dot && dot != stem)
        *dot = '\0';
}

/* Kind of layout and staging, as a part of a file's name: soa, shared, soa_shared. */
static void kind_of(const transforming *t, char *kind, size_t size)
{
    const char *layout = t->layouts;
    const char *end = !t->shared ? "" : strcmp(layout, "aos") == 0 ? "shared" : "_shared";
    size_t used = 0, most = size - strlen(end);

    if (!t->shared || strcmp(layout, "aos") != 0)
        for (; *layout && *layout != ':' && used + 1 < most; layout++)
            kind[used++] = isalnum((unsigned char)*layout) || *layout == '-' ? *layout : '_';
    strcpy(kind + used, end);
}

/* files: those that were written. */
static pm_status put(const char *folder, const char *name, const char *ending, const char *text,
                     pm_strings *files, pm_error *err)
{
    char path[PATH_MAX];
    pm_status status;

    if (snprintf(path, sizeof path, "%s/%s%s", folder, name, ending) >= (int)sizeof path)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose another folder",
                       folder);
    status = pm_file_write(
        path, text, "make room or mend the folder's permissions, or choose another with -o", err);
    if (status == PM_OK && !pm_strings_add(files, path)) {
        unlink(path);
        status = pm_fail(err, PM_FAILED, "%s: out of memory", path);
    }
    return status;
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
static pm_status put_all(const transforming *what, const pm_transformed *t, pm_strings *files,
                         pm_error *err)
{
    char stem[NAME_MAX], kind[64], name[NAME_MAX + 80];
    const char *folder = what->o->output;
    bool made;
    pm_status status;

    status = make_folder(folder, &made, err);
    if (status != PM_OK)
        return status;
    stem_of(what, stem, sizeof stem);
    kind_of(what, kind, sizeof kind);
    snprintf(name, sizeof name, "%s_%s", stem, kind);
    status = put(folder, name, ".cl", t->source, files, err);
    for (size_t i = 0; status == PM_OK && i < t->header_count; i++)
        status = put(folder, t->headers[i].structure, "_layout.h", t->headers[i].text, files, err);
    if (status == PM_OK)
        return PM_OK;
    for (size_t i = 0; i < files->count; i++)
        unlink(files->items[i]);
    if (made)
        rmdir(folder);
    return status;
}

/* ---- what was done --------------------------------------------------------------------------- */

static json_t *header_json(const void *header)
{
    static const pm_json_member members[] = {PM_JSON_AS("struct", TEXT, pm_header, structure),
                                             PM_JSON(TEXT, pm_header, text)};

    return PM_JSON_OBJECT(header, members);
}

static int report_json(const transforming *what, const pm_transformed *t, const pm_strings *files)
{
    return cli_print_json(json_pack(
        "{s:o,s:o,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "layout", pm_json_text(what->layouts),
        "shared", pm_json_text(what->shared), "edits", (json_int_t)t->edits, "wide_loads",
        (json_int_t)t->wide_loads, "wide_stores", (json_int_t)t->wide_stores, "source",
        pm_json_text(t->source), "headers",
        pm_json_things(t->headers, t->header_count, sizeof *t->headers, header_json), "arrays",
        pm_json_arrays(t), "assumptions", pm_json_texts(t->assumptions, t->assumption_count),
        "files", pm_json_texts((char *const *)files->items, files->count)));
}

static int report(const transforming *what, const pm_transformed *t, const pm_strings *files)
{
    const cli_options *o = what->o;

    if (o->json)
        return report_json(what, t, files);
    pm_table_shared(o->output || o->analyse ? stdout : stderr, t);
    if (!o->output) {
        fputs(t->source ? t->source : "", stdout);
        return PM_OK;
    }
    for (size_t i = 0; i < files->count; i++)
        puts(files->items[i]);
    printf("%zu places changed, %zu wide loads, %zu wide stores\n", t->edits, t->wide_loads,
           t->wide_stores);
    return PM_OK;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    transforming what = {.o = o, .program = cli_first(&o->programs)};
    pm_transformed transformed = {0};
    pm_strings files = {0};
    int code = transform(session, &what, &transformed, err);

    if (code == PM_OK && o->output)
        code = put_all(&what, &transformed, &files, err);
    if (code == PM_OK)
        code = report(&what, &transformed, &files);
    pm_strings_clear(&files);
    pm_transformed_free(&transformed);
    free(what.text);
    free(what.layouts);
    return code;
}

/* ---- the command line ----------------------------------------------------------------------- */

static void take(cli_options *o, const char *value)
{
    if (o->file)
        cli_wrong(o, "'%s' is not expected here: one source at a time", value);
    o->file = value;
}

static void check(const cli_options *o)
{
    const char *text = o->variants.count ? cli_first(&o->variants) : o->layout;
    bool shared = cli_given(o, "shared");
    bool staging = shared || (text && pm_stage_is_text(text));
    const char *program = cli_first(&o->programs);

    if (!text && !shared)
        cli_wrong(o, "--layout or --shared is missing: perfmodel transform --layout soa "
                     "kernel.cl, perfmodel transform --shared kernel.cl");
    if (o->variants.count && (o->layout || shared))
        cli_wrong(o, "--variant is --layout and --shared in one: leave it out, or these");
    if (!o->file == !program)
        cli_wrong(o, "give either a source, FILE.cl, or --program P");
    if (!program && o->sizes.count)
        cli_wrong(o, "--size is of a --program");
    if (!staging && (o->work_group[0] || o->scratch || o->local_bytes || o->analyse))
        cli_wrong(o, "--work-group, --scratch, --local-bytes and --analyse are of --shared");
    if (program && (o->work_group[0] || o->scratch))
        cli_wrong(o, "--work-group and --scratch are of a source; %s has its own launches",
                  program);
    if (o->analyse && o->output)
        cli_wrong(o, "--analyse writes no kernel; leave -o out");
}

const cli_command cli_transform = {
    .bit = CLI_TRANSFORM,
    .name = "transform",
    .what = "rewrite a kernel for another data layout",
    .file = "FILE.cl",
    .about = "Rewrites a kernel that works on arrays of structs for another layout of these, and "
             "writes the host code that packs and unpacks them; stages arrays that work-groups "
             "access often in local (shared) memory.",
    .examples =
        "Examples:\n  perfmodel transform --layout cluster-align:x+y+z/mass -o out kernel.cl\n"
        "  perfmodel transform --shared --work-group 16x16 -o out stencil.cl\n",
    .take = take,
    .check = check,
    .run = run};
