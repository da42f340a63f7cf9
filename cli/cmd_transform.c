/* The subcommand `perfmodel transform`.
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
#include "program/suite/suite.h"
#include "report/json/json.h"
#include "report/results/tables.h"
#include "transform/staging/staging.h"

/* State of `perfmodel transform`: the rewrite to apply (another layout, or arrays staged in local
 * memory), and the rewritten source. */
typedef struct {
    const cli_options *o;
    /* what to rewrite: a program of the suite or a workload; both NULL: a source file */
    const char *program, *workload;
    const char *name;  /* name of the workload's program */
    char *folder;      /* folder for the files; NULL: no files */
    pm_advice *advice; /* advice that chooses the transform; NULL: the options choose it */
    /* text that describes the transform: layouts, then arrays to stage in local memory */
    char *text;
    char *layouts;      /* first part of `text`: the layouts */
    const char *shared; /* second part of `text`: the arrays to stage; NULL: none */
    pm_transformed out;
    pm_strings files;
} transforming;
enum { MOST_BYTES = 16 << 20 }; /* largest source, bytes */

/* ---- the source ----------------------------------------------------------------------------- */

/* Sets t->text from --layout and --shared, or from --variant, and splits it into layouts and arrays
 * to stage. */
static pm_status join_texts(transforming *t, pm_error *err)
{
    const cli_options *o = t->o;
    const char *layout = o->layout ? o->layout : "", *arrays = o->shared ? o->shared : "";
    bool named = o->shared && *arrays != '/' && *arrays != '@';
    int length;

    if (t->advice)
        length = asprintf(&t->text, "%s", t->advice->best);
    else if (o->variants.count)
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

/* Calls pm_advise to find the best transform. */
static pm_status ask(pm_session *session, transforming *t, pm_error *err)
{
    const cli_options *o = t->o;
    const pm_advise_options options = {.target = cli_first(&o->targets),
                                       .program = t->program,
                                       .size = cli_first(&o->sizes),
                                       .workload = t->workload,
                                       .leave_out = o->leave_out,
                                       .clusters = o->clusters};

    if (o->targets.count == 0)
        return PM_OK;
    t->advice = pm_advise(session, &options, err);
    cli_progress_clear();
    return t->advice ? PM_OK : err->status;
}

/* Returns true if the advice recommends the unchanged source. */
static bool is_left(const transforming *t)
{
    return t->advice && strcmp(t->advice->best, t->advice->base) == 0;
}

static pm_status transform_source(pm_session *session, transforming *t,
                                  const pm_transform_options *options, pm_error *err)
{
    const char *path = t->o->file;
    char *text = NULL;
    pm_status status = pm_file_read(path, MOST_BYTES, "a file with OpenCL C or CUDA", &text, err);

    if (status == PM_OK)
        status = pm_transform_source(session, text, path, options, &t->out, err);
    free(text);
    return status;
}

static pm_status transform(pm_session *session, transforming *t, pm_error *err)
{
    const cli_options *o = t->o;
    pm_transform_options options = {.build_options = o->build_options,
                                    .scratch = o->scratch,
                                    .local_bytes = o->local_bytes,
                                    .analyse = o->analyse,
                                    .kernels = (const char *const *)o->kernels.names,
                                    .kernel_count = o->kernels.count,
                                    .size = t->advice ? t->advice->size : cli_first(&o->sizes)};
    pm_status status = join_texts(t, err);

    if (status != PM_OK || is_left(t))
        return status;
    memcpy(options.work_group, o->work_group, sizeof options.work_group);
    options.layouts = t->text;
    return t->workload  ? pm_transform_workload(session, t->workload, &options, &t->out, err)
           : t->program ? pm_transform_program(session, t->program, &options, &t->out, err)
                        : transform_source(session, t, &options, err);
}

/* ---- the files ------------------------------------------------------------------------------ */

/* Writes to `stem` the file name of the kernel's source, without folder and suffix. */
static void stem_of(const transforming *t, char *stem, size_t size)
{
    char *dot;

    snprintf(stem, size, "%s",
             basename(t->workload  ? t->name
                      : t->program ? t->program
                                   : t->o->file));
    if (t->workload)
        return;
    dot = strrchr(stem, '.');
    if (dot && dot != stem)
        *dot = '\0';
}

/* Writes to `kind` the part of an output file's name that tells the rewrite, such as soa, shared or
 * soa_shared. */
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

/* Writes an output file, and adds its path to the list `files`. */
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

/* Creates a folder unless it exists. Sets *made to true if it was created. */
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

/* Writes all files or none, because a kernel is useless without its headers. */
static pm_status put_all(transforming *t, pm_error *err)
{
    char stem[NAME_MAX], kind[64], name[NAME_MAX + 80];
    const pm_transformed *out = &t->out;
    bool made;
    pm_status status;

    status = make_folder(t->folder, &made, err);
    if (status != PM_OK)
        return status;
    stem_of(t, stem, sizeof stem);
    kind_of(t, kind, sizeof kind);
    snprintf(name, sizeof name, "%s_%s", stem, kind);
    status = put(t->folder, name, out->is_cuda ? ".cu" : ".cl", out->source, &t->files, err);
    for (size_t i = 0; status == PM_OK && i < out->header_count; i++)
        status = put(t->folder, out->headers[i].structure, "_layout.h", out->headers[i].text,
                     &t->files, err);
    if (status == PM_OK)
        return PM_OK;
    for (size_t i = 0; i < t->files.count; i++)
        unlink(t->files.items[i]);
    if (made)
        rmdir(t->folder);
    return status;
}

/* ---- output ---------------------------------------------------------------------------------- */

static json_t *header_json(const void *header)
{
    static const pm_json_member members[] = {PM_JSON_AS("struct", TEXT, pm_header, structure),
                                             PM_JSON(TEXT, pm_header, text)};

    return PM_JSON_OBJECT(header, members);
}

static json_t *to_json(const transforming *what)
{
    const pm_transformed *t = &what->out;
    json_t *document = json_pack(
        "{s:o,s:o,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "layout", pm_json_text(what->layouts),
        "shared", pm_json_text(what->shared), "edits", (json_int_t)t->edits, "wide_loads",
        (json_int_t)t->wide_loads, "wide_stores", (json_int_t)t->wide_stores, "source",
        pm_json_text(t->source), "headers",
        pm_json_things(t->headers, t->header_count, sizeof *t->headers, header_json), "arrays",
        pm_json_arrays(t), "assumptions", pm_json_texts(t->assumptions, t->assumption_count),
        "files", pm_json_texts((char *const *)what->files.items, what->files.count));

    if (what->workload)
        json_object_set_new(document, "program", pm_json_text(what->name));
    if (what->advice) {
        json_object_set_new(document, "target", pm_json_text(what->advice->target));
        json_object_set_new(document, "size", pm_json_text(what->advice->size));
        json_object_set_new(document, "variant", pm_json_text(what->advice->best));
        json_object_set_new(document, "base", pm_json_text(what->advice->base));
    }
    return document;
}

static void report(const transforming *what)
{
    const cli_options *o = what->o;
    const pm_transformed *t = &what->out;
    pm_screen told = cli_screen(o);

    if (!o->output && !o->analyse)
        told.file = stderr;
    if (what->advice)
        pm_screen_say(&told, "%s %s on %s: %s%s", what->advice->program, what->advice->size,
                      what->advice->target, what->advice->best,
                      is_left(what) ? ", the source as it is; nothing to write" : "");
    if (is_left(what))
        return;
    pm_table_shared(&told, t);
    if (!o->output) {
        fputs(t->source ? t->source : "", stdout);
        return;
    }
    for (size_t i = 0; i < what->files.count; i++)
        puts(what->files.items[i]);
    printf("%zu places changed, %zu wide loads, %zu wide stores\n", t->edits, t->wide_loads,
           t->wide_stores);
}

static void release(transforming *t)
{
    pm_strings_clear(&t->files);
    pm_transformed_free(&t->out);
    pm_advice_free(t->advice);
    free(t->folder);
    free(t->text);
    free(t->layouts);
}

/* ---- one of several workloads ---------------------------------------------------------------- */

/* Finds the name of the workload to rewrite, and the folder for the output files. If the command
 * has several workloads, each gets its own folder. */
static pm_status place(pm_session *session, transforming *t, pm_error *err)
{
    const cli_options *o = t->o;
    const pm_programs *all = NULL;

    if (t->workload) {
        all = pm_workloads_find(session, o->workloads.names, err);
        if (!all)
            return err->status;
        if (all->count > 1 && !o->output && !o->json)
            return pm_fail(err, PM_BAD_INPUT,
                           "%zu workloads want a folder that their sources go to: -o DIR",
                           all->count);
        t->name = pm_program_open(session, t->workload, err)->info.name;
    }
    if (!o->output)
        return PM_OK;
    if (asprintf(&t->folder, "%s%s%s", o->output, all && all->count > 1 ? "/" : "",
                 all && all->count > 1 ? t->name : "") < 0) {
        t->folder = NULL;
        return pm_fail(err, PM_FAILED, "%s: out of memory", o->output);
    }
    if (all && all->count > 1 && mkdir(o->output, 0777) != 0 && errno != EEXIST)
        return pm_fail(err, pm_place_status(errno),
                       "%s: cannot be made: %s; choose another folder with -o", o->output,
                       strerror(errno));
    return PM_OK;
}

static int run_one(pm_session *session, const cli_options *o, const char *workload,
                   json_t **document, pm_error *err)
{
    transforming t = {.o = o, .program = cli_first(&o->programs), .workload = workload};
    pm_status status = place(session, &t, err);

    if (status == PM_OK)
        status = ask(session, &t, err);
    if (status == PM_OK)
        status = transform(session, &t, err);
    if (status == PM_OK && o->output && !is_left(&t))
        status = put_all(&t, err);
    if (status == PM_OK && o->json)
        *document = to_json(&t);
    else if (status == PM_OK)
        report(&t);
    release(&t);
    return status;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    return cli_each(session, o, run_one, "transforms", err);
}

/* ---- the command line ----------------------------------------------------------------------- */

/* Stores an argument that is not an option: a source, or a workload, which is a .workload file or a
 * folder. */
static void take(cli_options *o, const char *value)
{
    struct stat there;

    if (pm_ends_in(value, ".workload") || (stat(value, &there) == 0 && S_ISDIR(there.st_mode))) {
        cli_take_workload(o, value);
        return;
    }
    if (o->file)
        cli_wrong(o, "'%s' is not expected here: one source at a time", value);
    o->file = value;
}

/* Ends the program with a usage error unless exactly one of source, --program and workloads is
 * given. */
static void check_subject(const cli_options *o)
{
    const char *program = cli_first(&o->programs);

    cli_check_subject(o, false);
    if (o->file && (program || o->workloads.count))
        cli_wrong(o, "give either a source, FILE.cl, or %s, not both",
                  program ? "--program P" : "workloads");
    if (!o->file && !program && !o->workloads.count)
        cli_wrong(o, "give either a source, FILE.cl, or --program P, or workloads");
}

static void check_advice(const cli_options *o, bool told)
{
    static const char *const of_target[] = {"sample", "step-limit", "ptxas",
                                            "seed",   "leave-out",  "clusters"};

    for (size_t i = 0; !o->targets.count && i < sizeof of_target / sizeof *of_target; i++)
        if (cli_given(o, of_target[i]))
            cli_wrong(o, "--%s is of --target, which is missing", of_target[i]);
    if (!o->targets.count)
        return;
    if (o->file)
        cli_wrong(o, "--target is of workloads and programs: a source alone has no launches to "
                     "advise on");
    if (told)
        cli_wrong(o, "--target asks what to do: leave --layout, --shared and --variant out, or it");
}

static void check(const cli_options *o)
{
    const char *text = o->variants.count ? cli_first(&o->variants) : o->layout;
    bool shared = cli_given(o, "shared");
    bool staging = shared || (text && pm_stage_is_text(text));
    const char *program = cli_first(&o->programs);

    if (!text && !shared && !o->targets.count)
        cli_wrong(o, "--layout or --shared is missing: perfmodel transform --layout soa "
                     "kernel.cl, perfmodel transform --shared kernel.cl; or --target NAME with a "
                     "workload");
    if (o->variants.count && (o->layout || shared))
        cli_wrong(o, "--variant is --layout and --shared in one: leave it out, or these");
    check_subject(o);
    check_advice(o, text || shared);
    if (o->file && o->sizes.count)
        cli_wrong(o, "--size is of a --program or a workload");
    if (!staging && (o->work_group[0] || o->scratch || o->local_bytes || o->analyse))
        cli_wrong(o, "--work-group, --scratch, --local-bytes and --analyse are of --shared");
    if (!o->file && (o->work_group[0] || o->scratch))
        cli_wrong(o, "--work-group and --scratch are of a source; %s has its own launches",
                  program ? program : "a workload");
    if (!o->file && o->kernels.count)
        cli_wrong(o, "--kernel is of a source; %s launches its own",
                  program ? program : "a workload");
    if (o->workloads.count && o->build_options)
        cli_wrong(o, "--build-options is of a source; a workload has its own");
    if (o->analyse && o->output)
        cli_wrong(o, "--analyse writes no kernel; leave -o out");
}

const cli_command cli_transform = {
    .bit = CLI_TRANSFORM,
    .name = "transform",
    .what = "rewrite a kernel for another data layout or for local memory",
    .file = "FILE.cl|FILE.cu|WORKLOAD...",
    .about = "Rewrites a kernel that works on arrays of structs for another "
             "data layout, and writes the host code that packs and unpacks the "
             "arrays. Also stages arrays that work-groups access often in local"
             " (CUDA: shared) memory. For your own workloads it can write the "
             "version that perfmodel advise proposes.",
    .examples =
        "Examples:\n  perfmodel transform --layout cluster-align:x+y+z/mass -o out kernel.cl\n"
        "  perfmodel transform --shared --work-group 16x16 -o out stencil.cl\n"
        "  perfmodel transform --target h100 -o out my.workload\n",
    .take = take,
    .check = check,
    .rows = "arrays",
    .run = run};
