/* Makes a program from a workload file: the names of the program, its variants and its sizes, and
 * the functions that build a workload from them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading builds each variant once in each size, without the buffers' contents. A fault anywhere in
 * the file is therefore reported at once, not only when the variant is used.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/ini.h"
#include "base/paths.h"
#include "base/text.h"
#include "compiler/language.h"
#include "program/file/from_file.h"
#include "program/suite/suite.h"
#include "transform/layout/layout.h"

/* ---- one workload -------------------------------------------------------------------------- */

static const pm_file_variant *find_variant(const pm_workload_file *f, const char *name)
{
    for (size_t v = 0; v < f->variant_count; v++)
        if (strcmp(f->variants[v].name, name) == 0)
            return &f->variants[v];
    return NULL;
}

static void add_source(pm_file_build *b)
{
    const pm_file_variant *own = b->variant;
    const pm_file_text *source = own && own->source.text ? &own->source : &b->file->source;
    const pm_file_text *options = own && own->options.text ? &own->options : &b->file->options;
    char given[4096], place[4096];

    pm_file_substitute(b, source, given, sizeof given);
    pm_file_path(b, given, source->line, place, sizeof place);
    pm_workload_source_file(b->workload, place);
    if (b->workload->error.status == PM_BAD_INPUT)
        pm_file_fault(b, source->line, "source %s", b->workload->error.text);
    if (b->workload->error.status != PM_OK)
        pm_leave(b->memory, PM_FAILED, "%s", b->workload->error.text);
    if (pm_is_cuda_launched(place))
        pm_workload_options(b->workload, "%s", "");
    pm_file_add_options(b, options);
    /* Headers of CUDA sources are not checked here, because many of their #include lines are
     * removed later. compiler/cuda_source/cuda_source.h reports missing headers. */
    if (b->workload->error.status == PM_OK &&
        (b->from->root || pm_language_of(place) == PM_LANGUAGE_OPENCL))
        pm_file_check_headers(b, source->line);
}

static double work_of(const pm_file_build *b)
{
    const pm_workload *workload = b->workload;
    double work = 0;

    if (b->file->work.text)
        return pm_file_real(b, &b->numbers, b->file->work.text, b->file->work.line);

    for (size_t l = 0; l < workload->launch_count; l++)
        work += (double)workload->launches[l].global[0] * (double)workload->launches[l].global[1] *
                (double)workload->launches[l].global[2];
    return work;
}

static pm_workload *build_reference(const pm_file_build *b);
static pm_workload *build_plain(const pm_file_build *b);
static void compute_contents(pm_file_build *b);

static void add_runnable(pm_file_build *b)
{
    add_source(b);
    pm_file_add_buffers(b);
    compute_contents(b);
    pm_file_add_symbols(b);
    pm_file_add_textures(b);
    pm_file_add_launches(b);
    b->workload->work = work_of(b);
}

static void add_parts(void *build)
{
    pm_file_build *b = build;
    pm_workload *reference = NULL;

    add_runnable(b);
    if (b->against) {
        pm_file_add_plain_check(b, build_plain(b));
        return;
    }
    /* The default is that only the results of the smallest size are compared with the reference's,
     * because a reference may run long. */
    if (b->file->reference && !pm_file_is_reference(b) &&
        (b->file->reference->all_sizes || b->size == b->file->sizes))
        reference = build_reference(b);
    pm_file_add_check(b, reference);
}

/* Creates the workload b->workload and calls add(b), which adds sources, buffers and launches to
 * it. Returns the finished workload. NULL with err set if `add` raised an error. */
static pm_workload *attempt(pm_file_build *b, const char *variant, void (*add)(void *build),
                            pm_error *err)
{
    pm_memory memory = {0};
    pm_status status;

    b->memory = &memory;
    b->workload = pm_workload_create(b->file->name.text, variant, b->size->name);
    if (b->workload)
        b->workload->origin = strdup(b->from->program.path);
    status = b->workload && b->workload->origin
                 ? pm_attempt(&memory, add, b, err)
                 : pm_fail(err, PM_FAILED, "%s: out of memory", b->file->path);
    pm_memory_free(&memory);
    b->memory = NULL;
    pm_source_close(b->own);
    b->own = NULL;
    pm_workload_free(b->contents);
    b->contents = NULL;
    if (status == PM_OK)
        return b->workload;
    pm_workload_free(b->workload);
    return NULL;
}

static pm_workload *build(pm_file_build *b, const char *variant, void (*add)(void *build),
                          pm_error *err)
{
    pm_workload *workload = attempt(b, variant, add, err);

    return workload ? pm_workload_finish(workload, err) : NULL;
}

/* Builds a second workload, such as the reference, in the same size, in the middle of the build
 * `b`. *own: the state of the second build. If it fails, raises its error in the build `b`, so that
 * the pm_attempt of `b` returns the status. */
static pm_workload *build_beside(const pm_file_build *b, pm_file_build *own, const char *variant,
                                 void (*add)(void *build))
{
    pm_workload *workload;

    own->seed = b->seed;
    own->dry = b->dry;
    workload = build(own, variant, add, b->memory->err);
    if (!workload)
        pm_give_up(b->memory, b->memory->err->status);
    return workload;
}

static pm_workload *build_reference(const pm_file_build *b)
{
    pm_file_build own;

    pm_file_start_build(&own, b->from, &b->file->reference->version, b->size);
    pm_file_tune_alike(&own, b);
    own.lender = b->workload;
    own.computed = b->contents;
    return build_beside(b, &own, "reference", add_parts);
}

static void add_contents_parts(void *build)
{
    pm_file_build *b = build;

    add_source(b);
    pm_file_add_buffers(b);
    pm_file_add_launches(b);
}

/* Computes initial contents of buffers by running the launches with contents = yes. The contents
 * are equal for all variants of the program. A build that only checks the file (b->dry) therefore
 * builds these launches only once, for the source without transforms. */
static void compute_contents(pm_file_build *b)
{
    pm_file_build own;

    if (!b->file->contents || b->lender || b->workload->error.status != PM_OK ||
        (b->dry && b->variant))
        return;
    pm_file_start_build(&own, b->from, b->file->contents, b->size);
    pm_file_tune_alike(&own, b);
    own.lender = b->workload;
    b->contents = build_beside(b, &own, "contents", add_contents_parts);
    pm_file_compute_contents(b, b->contents);
}

static void add_plain_parts(void *build)
{
    pm_file_build *b = build;

    add_runnable(b);
    pm_file_mark_written(b);
}

static pm_workload *build_plain(const pm_file_build *b)
{
    pm_file_build own;

    pm_file_start_build(&own, b->from, NULL, b->size);
    return build_beside(b, &own, b->from->program.info.base, add_plain_parts);
}

static pm_workload *build_named(const pm_from_file *from, const char *variant, const char *size,
                                uint64_t seed, bool against, pm_error *err)
{
    const pm_file_size *found = pm_file_find_size(from->file, size, err);
    int64_t values[PM_FILE_PARAMETERS];
    pm_file_build b;

    if (!found)
        return NULL;
    pm_file_start_build(&b, from, find_variant(from->file, variant), found);
    if (pm_version_is_text(variant)) {
        if (pm_version_read(&from->space, variant, values, err) != PM_OK)
            return NULL;
        pm_file_tune(&b, values);
    }
    b.seed = seed;
    b.against = against;
    return build(&b, variant, add_parts, err);
}

static pm_workload *build_own(const void *context, const char *variant, const char *size,
                              uint64_t seed, pm_error *err)
{
    return build_named(context, variant, size, seed, false, err);
}

static pm_workload *build_against(const void *context, const char *variant, const char *size,
                                  uint64_t seed, pm_error *err)
{
    return build_named(context, variant, size, seed, true, err);
}

/* ---- the program --------------------------------------------------------------------------- */

/* Raises an error about the value of a key, with the line in the file. name: the key. text: its
 * value. what: the fault. */
static void fault(const pm_from_file *from, unsigned line, const char *name, const char *text,
                  const char *what)
{
    pm_workload_file_fault(from->file, line, from->memory.err, "%s \"%.60s\": %s", name, text,
                           what);
    pm_give_up(&from->memory, PM_BAD_INPUT);
}

/* Returns whether the workload file that is being read is the installed file of a program of the
 * suite. */
static bool is_file_of(const pm_from_file *from, const pm_program *program)
{
    char name[NAME_MAX], path[PATH_MAX], own[PATH_MAX], given[PATH_MAX];

    if (!program->file)
        return false;
    snprintf(name, sizeof name, "kernels/%s", program->file);
    return pm_share_path(name, path, sizeof path, NULL) == PM_OK && realpath(path, own) &&
           realpath(from->path, given) && strcmp(own, given) == 0;
}

static void check_name(const pm_from_file *from, const pm_file_text *name)
{
    const size_t length = strlen(name->text);
    const pm_program *same = pm_suite_find(name->text);

    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name->text[i]) && !strchr("_.-", name->text[i]))
            fault(from, name->line, "name", name->text, "letters, digits, _ . and - are possible");
    /* "." and ".." are not allowed, because output folders are named after programs. */
    if (strspn(name->text, ".") == length)
        fault(from, name->line, "name", name->text, "a letter or a digit is missing");
    if (length >= PM_SECTION_NAME)
        fault(from, name->line, "name", name->text, "longer than 47 characters");
    if (same && !from->shipped && !is_file_of(from, same))
        fault(from, name->line, "name", name->text,
              "a program of the suite has it; choose another");
}

/* Returns whether the file has layouts = no: its program then has no variants in other data
 * layouts. */
static bool disabled_layouts(const pm_workload_file *f)
{
    return f->listed_layouts.text && strcmp(f->listed_layouts.text, "no") == 0;
}

static bool is_transform(const char *name)
{
    return pm_layouts_is_text(name) || pm_stage_is_text(name) || pm_version_is_text(name);
}

/* Sets the name of the plain version (the source as it is). If the program can be rewritten for
 * other data layouts, the name is "aos" (array of structs), the layout of the plain version. */
static void name_base(pm_from_file *from)
{
    const pm_workload_file *f = from->file;
    pm_program_info *info = &from->program.info;

    info->base = info->layouts ? "aos" : f->base.text ? f->base.text : "plain";
    if (f->base.text)
        check_name(from, &f->base);
    if (f->base.text && strcmp(f->base.text, info->base) != 0)
        fault(from, f->base.line, "base", f->base.text,
              "where kernels take arrays of structs it is aos; leave base out");
    if (f->base.text && !info->layouts && is_transform(f->base.text))
        fault(from, f->base.line, "base", f->base.text,
              "this is the name of a transform; choose another");
    for (size_t v = 0; v < f->variant_count; v++) {
        const char *name = f->variants[v].name;

        if (is_transform(name) || strcmp(name, info->base) == 0)
            fault(from, f->variants[v].line, "variant", name,
                  is_transform(name) ? "this is the name of a transform; choose another"
                                     : "the plain version is called so; choose another");
    }
}

/* Returns the next layout in a list of layouts, the value of the key `layouts` in section
 * [workload], and advances *rest past it. NULL: no layout is left. */
static const char *next_layout(pm_from_file *from, const char **rest)
{
    char item[PM_FILE_ITEM];

    if (!*rest)
        return NULL;
    if (!pm_file_item(rest, item))
        fault(from, from->file->listed_layouts.line, "layouts", from->file->listed_layouts.text,
              "a name is missing beside a comma");
    return pm_copy(&from->memory, item);
}

static void check_layout(const pm_from_file *from, unsigned line, const char *text)
{
    if (!from->program.info.layouts)
        fault(from, line, "layout", text, "no kernel takes an array of structs that has layouts");
    if (!pm_layouts_is_text(text))
        fault(from, line, "layout", text, "no layout; soa, asta:32 and cluster:x+y/z are some");
}

/* Returns the data layouts that become variants: first the layouts of the key `layouts` in section
 * [workload], then the layouts of sections [layout NAME]. *count gets their number. */
static pm_named_layout *list_layouts(pm_from_file *from, size_t *count)
{
    const pm_workload_file *f = from->file;
    const char *rest = disabled_layouts(f) ? NULL : f->listed_layouts.text, *name;
    pm_named_layout *layouts = NULL;

    *count = 0;
    while ((name = next_layout(from, &rest))) {
        check_layout(from, f->listed_layouts.line, name);
        *pm_add(&from->memory, layouts, *count) = (pm_named_layout){name, name};
    }
    for (size_t i = 0; i < f->layout_count; i++) {
        const pm_file_layout *own = &f->layouts[i];

        check_layout(from, own->layout.line, own->layout.text);
        if (is_transform(own->name))
            fault(from, own->line, "layout", own->name,
                  "this is the name of a transform; choose another");
        *pm_add(&from->memory, layouts, *count) = (pm_named_layout){own->name, own->layout.text};
    }
    layouts = pm_more(&from->memory, layouts, *count, sizeof *layouts);
    layouts[*count] = (pm_named_layout){NULL, NULL};
    return layouts;
}

static void list_names(pm_from_file *from)
{
    const pm_workload_file *f = from->file;
    pm_program_info *info = &from->program.info;
    size_t layouts = 0;
    const pm_named_layout *listed = list_layouts(from, &layouts);
    const char **variants =
        pm_take(&from->memory, f->variant_count + layouts + 2, sizeof *variants);
    const char **sizes = pm_take(&from->memory, f->size_count + 1, sizeof *sizes);

    for (size_t v = 0; v < f->variant_count; v++)
        variants[v + (v >= f->base_place)] = f->variants[v].name;
    variants[f->base_place] = info->base;
    for (size_t i = 0; i < layouts; i++)
        variants[f->variant_count + 1 + i] = listed[i].variant;
    from->program.layouts = listed;
    for (size_t s = 0; s < f->size_count; s++)
        sizes[s] = f->sizes[s].name;
    info->name = f->name.text;
    info->title = f->title.text ? f->title.text : "a workload file's";
    info->probe = f->probe;
    info->variants = variants;
    info->sizes = sizes;
    from->program.class = f->class.text;
    from->program.build_own = build_own;
    from->program.build_against = build_against;
    pm_file_list_tuned(from);
    from->program.context = from;
}

/* Adds the source to the workload, and one launch for each kernel of the file. The parser needs the
 * launches to know which instances of templates are used. */
static void add_launched(void *build)
{
    pm_file_build *b = build;
    const size_t one = 1;
    char kernel[PM_FILE_ITEM];

    add_source(b);
    for (size_t l = 0; l < b->file->launch_count; l++) {
        if (b->file->launches[l].contents)
            continue;
        pm_file_substitute(b, &b->file->launches[l].texts.kernel, kernel, sizeof kernel);
        pm_workload_launch(b->workload, kernel, 1, &one, &one);
    }
}

/* Parses the program's source (without transforms) and sets from->source. If libclang cannot parse
 * it, from->source becomes NULL, and the program cannot be rewritten for other layouts. This is no
 * error here, because the compiler that runs the source gives a better message later. */
static void describe(pm_from_file *from)
{
    pm_file_build b;
    pm_workload *workload;
    pm_error ignored;

    pm_file_start_build(&b, from, NULL, &from->file->sizes[0]);
    workload = attempt(&b, "plain", add_launched, from->memory.err);
    if (!workload)
        pm_give_up(&from->memory, from->memory.err->status);
    pm_workload_instances(workload, false, from->worker, NULL, &ignored);
    from->source = pm_source_open(workload->source, workload->source_path, workload->build_options,
                                  from->worker, NULL, &from->no_source);
    from->program.info.layouts = !disabled_layouts(from->file) && from->source &&
                                 pm_source_describe(from->source)->structs.count > 0;
    pm_workload_free(workload);
}

static pm_workload *try_one(const pm_from_file *from, size_t variant, size_t size, bool exact)
{
    const pm_workload_file *f = from->file;
    pm_file_build b;

    pm_file_start_build(&b, from, variant ? &f->variants[variant - 1] : NULL, &f->sizes[size]);
    b.dry = true;
    b.exact = exact;
    return build(&b, variant ? f->variants[variant - 1].name : from->program.info.base, add_parts,
                 from->memory.err);
}

/* Builds each variant in each size, to find faults in the file. The first try uses the source as it
 * was parsed for the variant's first size. If it fails, the source is parsed again for the size
 * itself, and the build is repeated. */
static void try_all(const pm_from_file *from)
{
    const pm_workload_file *f = from->file;

    for (size_t v = 0; v <= f->variant_count; v++)
        for (size_t s = 0; s < f->size_count; s++) {
            pm_workload *workload = try_one(from, v, s, false);

            if (!workload && v > 0 && s > 0)
                workload = try_one(from, v, s, true);
            if (!workload)
                pm_give_up(&from->memory, from->memory.err->status);
            pm_workload_free(workload);
        }
}

void pm_file_close_tried(pm_from_file *from)
{
    for (size_t v = 0; from->tried && v < from->file->variant_count; v++)
        pm_source_close(from->tried[v].source);
    from->tried = NULL;
}

/* Returns whether some buffer has a type that only the source defines, such as a struct. */
static bool needs_source(const pm_workload_file *f)
{
    pm_file_type type;
    bool needs = false;

    for (size_t i = 0; i < f->buffer_count; i++)
        needs |= !pm_file_type_find(f->buffers[i].type.text, &type);
    return needs;
}

void pm_file_make_program(pm_from_file *from)
{
    check_name(from, &from->file->name);
    if (!from->shipped || needs_source(from->file))
        describe(from);
    name_base(from);
    list_names(from);
    pm_file_check_first(from);
    if (from->shipped)
        return;
    from->tried = pm_take(&from->memory, from->file->variant_count, sizeof *from->tried);
    try_all(from);
    pm_file_close_tried(from);
}
