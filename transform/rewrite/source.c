/* Transforms a kernel source to another layout, with the C code that the user's host program then
 * needs. Or changes the kernels so that they copy arrays to local memory and read them there
 * (staging). See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/session/session.h"
#include "base/text.h"
#include "base/version.h"
#include "collector/worker/source.h"
#include "compiler/language.h"
#include "transform/rewrite/staging.h"

void pm_transformed_free(pm_transformed *transformed)
{
    pm_memory memory = {.blocks = transformed->memory};

    pm_memory_free(&memory);
    *transformed = (pm_transformed){0};
}

/* State while a kernel source is rewritten for other memory layouts, or so that it copies arrays
 * to local memory. If an error occurs, the functions jump out by longjmp to the call of
 * pm_attempt with `memory` (base/memory.h). */
typedef struct {
    pm_memory memory; /* owns the result, too */
    pm_session *session;
    const char *text, *path;
    const pm_transform_options *options;
    const pm_workload *made;
    char *layouts; /* layouts of the variant, without the staging request */
    /* the source as transformed so far, parsed by libclang; NULL: it is not parsed at the moment */
    pm_source *source;
    pm_transformed out;
} changing;

static const pm_source_info *open_source(changing *c, const char *text)
{
    c->source =
        pm_source_open(text, c->path, c->options->build_options, pm_session_worker(c->session),
                       pm_session_log(c->session), c->memory.err);
    if (!c->source)
        pm_give_up(&c->memory, c->memory.err->status);
    return pm_source_describe(c->source);
}

static void close_source(changing *c)
{
    pm_source_close(c->source);
    c->source = NULL;
}

static void assume(changing *c, char *sentence)
{
    for (size_t i = 0; i < c->out.assumption_count; i++)
        if (strcmp(c->out.assumptions[i], sentence) == 0)
            return;
    *pm_add(&c->memory, c->out.assumptions, c->out.assumption_count) = sentence;
}

/* Returns the source text in which functions replace the instances of C++ templates (instances.h),
 * and the elements of arrays replace C++ references to them. pointers: true if reference parameters
 * are also replaced by pointers. */
static const char *written_out(changing *c, const char *text, bool pointers)
{
    pm_instances instances;
    pm_status status;

    if (!pm_source_may_have_templates(text, c->path))
        return text;
    open_source(c, text);
    status = pm_source_instances(c->source, c->options->kernels, c->options->kernel_count, pointers,
                                 &instances, c->memory.err);
    pm_memory_join(&c->memory, &instances.memory);
    pm_require(&c->memory, status);
    if (instances.left && !c->made)
        assume(c, instances.left);
    close_source(c);
    return instances.text ? instances.text : text;
}

/* ---- the layouts ---------------------------------------------------------------------------- */

static void check(changing *c, const pm_source_info *info)
{
    const char **kernels = pm_take(&c->memory, info->kernel_count, sizeof *kernels);

    for (size_t k = 0; k < info->kernel_count; k++)
        kernels[k] = info->kernels[k].name;
    pm_layouts_check(&c->memory, c->layouts, &info->structs, info->left, kernels,
                     info->kernel_count);
    if (info->structs.count == 0 && info->left)
        pm_leave(&c->memory, PM_BAD_INPUT, "%s", info->left);
    if (info->structs.count == 0)
        pm_leave(&c->memory, PM_BAD_INPUT,
                 "%s: no kernel takes an array of structs in global or constant memory; there is "
                 "no layout to change",
                 c->path);
    if (strchr(c->layouts, '@') && !c->made)
        pm_leave(&c->memory, PM_BAD_INPUT,
                 "%s: layouts by kernel need conversions between the launches, which a source "
                 "alone does not have; give one layout, or transform each kernel",
                 c->layouts);
}

/* Adds the C header for a new layout of a struct to the result. The header of the second layout of
 * struct NAME is named NAME_2. */
static void add_header(changing *c, const pm_plan *plan, size_t number)
{
    pm_header *header = pm_add(&c->memory, c->out.headers, c->out.header_count);

    header->structure = number == 1
                            ? pm_copy(&c->memory, plan->structure->name)
                            : pm_format(&c->memory, "%s_%zu", plan->structure->name, number);
    header->text = pm_plan_c(&c->memory, plan);
}

/* Returns the layout (plan) of each struct in a kernel, indexed by struct. */
static pm_plan **plans_of(changing *c, const pm_source_info *info, const char *kernel)
{
    pm_plan **plans = pm_take(&c->memory, info->structs.count, sizeof *plans);

    for (size_t s = 0; s < info->structs.count; s++) {
        const pm_struct *structure = &info->structs.items[s];
        const pm_layout layout = pm_layouts_find(&c->memory, c->layouts, structure, kernel);

        plans[s] = pm_plan_create(&c->memory, structure, &layout);
    }
    return plans;
}

/* Rewrites the source with one layout (plan) for each struct. Adds the numbers of changes to the
 * result's totals. */
static void rewrite(changing *c, pm_plan **plans)
{
    pm_rewritten rewritten;

    pm_require(&c->memory, pm_source_rewrite(c->source, (const pm_plan *const *)plans, &rewritten,
                                             c->memory.err));
    pm_memory_join(&c->memory, &rewritten.memory);
    c->out.source = rewritten.text;
    c->out.edits += rewritten.edits;
    c->out.wide_loads += rewritten.wide_loads;
    c->out.wide_stores += rewritten.wide_stores;
}

/* Returns in how many different layouts the first `kernels` kernels use a struct; the source's own
 * layout does not count. Returns 0 if the last one of them uses the same layout as an earlier
 * kernel. plans[k]: layouts of the structs in kernel k. */
static size_t count_layouts(pm_plan ***plans, size_t kernels, size_t structure)
{
    size_t count = 0;

    for (size_t k = 0; k < kernels; k++) {
        size_t first = 0;

        while (!pm_layout_is_same(&plans[first][structure]->layout, &plans[k][structure]->layout))
            first++;
        if (first < k && k + 1 == kernels)
            return 0;
        count += first == k && !plans[k][structure]->identity;
    }
    return count;
}

/* kernels: number of kernels; the last one is handled. Adds C headers for those layouts of the last
 * kernel that no earlier kernel uses. Returns true if no earlier kernel has the same layouts for
 * all structs, so that the source must be rewritten for the last kernel. */
static bool add_headers(changing *c, pm_plan ***plans, size_t kernels, size_t structs)
{
    bool new = true;

    for (size_t s = 0; s < structs; s++) {
        const pm_plan *plan = plans[kernels - 1][s];
        const size_t number = count_layouts(plans, kernels, s);

        if (number > 0 && !plan->identity)
            add_header(c, plan, number);
    }
    for (size_t k = 0; new &&k + 1 < kernels; k++) {
        bool same = true;

        for (size_t s = 0; same && s < structs; s++)
            same = pm_layout_is_same(&plans[k][s]->layout, &plans[kernels - 1][s]->layout);
        new = !same;
    }
    return new;
}

/* Returns true if the kernel is one that converts between layouts, because the original source has
 * no kernel with its name. */
static bool is_conversion(const pm_source_info *info, const char *kernel)
{
    for (size_t k = 0; k < info->kernel_count; k++)
        if (strcmp(info->kernels[k].name, kernel) == 0)
            return false;
    return true;
}

static void tell_conversions(changing *c, const pm_source_info *info)
{
    for (size_t l = 0; l < c->made->launch_count; l++) {
        const char *kernel = c->made->launches[l].kernel;
        size_t next = l;

        while (next < c->made->launch_count && is_conversion(info, c->made->launches[next].kernel))
            next++;
        if (next > l && next < c->made->launch_count)
            assume(c, pm_format(&c->memory,
                                "kernel %s, with the parts of both layouts and the number of "
                                "structs, is launched before %s wherever these were written since",
                                kernel, c->made->launches[next].kernel));
    }
}

/* Takes the new source, including conversion kernels, from the workload to which the layouts were
 * applied. This is needed if layouts differ between kernels. */
static void take_layouts(changing *c, const pm_source_info *info)
{
    pm_plan ***plans = pm_take(&c->memory, info->kernel_count, sizeof *plans);

    for (size_t k = 0; k < info->kernel_count; k++) {
        plans[k] = plans_of(c, info, info->kernels[k].name);
        if (add_headers(c, plans, k + 1, info->structs.count))
            rewrite(c, plans[k]);
    }
    c->out.source = pm_copy(&c->memory, c->made->source);
    tell_conversions(c, info);
}

static void change_layouts(changing *c)
{
    const pm_source_info *info = open_source(c, written_out(c, c->text, true));
    pm_plan **plans;

    check(c, info);
    if (strchr(c->layouts, '@')) {
        take_layouts(c, info);
    } else {
        plans = plans_of(c, info, info->kernels[0].name);
        rewrite(c, plans);
        add_headers(c, &plans, 1, info->structs.count);
    }
    close_source(c);
}

/* ---- staging -------------------------------------------------------------------------------- */

static bool has_param(const pm_source_info *info, const char *name, size_t length)
{
    for (size_t k = 0; k < info->kernel_count; k++)
        for (size_t p = 0; p < info->kernels[k].param_count; p++) {
            const char *param = info->kernels[k].params[p].name;

            if (strlen(param) == length && strncmp(param, name, length) == 0)
                return true;
        }
    return false;
}

static pm_status no_param(const pm_source_info *info, const char *name, size_t length,
                          pm_error *err)
{
    char list[512] = "";

    for (size_t k = 0; k < info->kernel_count; k++)
        for (size_t p = 0; p < info->kernels[k].param_count; p++)
            pm_list_add(list, sizeof list, "%s", info->kernels[k].params[p].name);
    return pm_fail(err, PM_BAD_INPUT, "scratch: no kernel has a parameter '%.*s'; they have: %s",
                   length < 60 ? (int)length : 60, name, list);
}

static pm_status check_scratch(const char *names, const pm_source_info *info, pm_error *err)
{
    while (names) {
        size_t length = strcspn(names, "+");

        if (!has_param(info, names, length))
            return no_param(info, names, length, err);
        names = names[length] ? names + length + 1 : NULL;
    }
    return PM_OK;
}

/* Returns the launches of the workload. Returns an empty list if there is only a source and no
 * workload. */
static pm_stage_launches find_launches(changing *c)
{
    pm_stage_launches launches = {.count = 0};
    pm_status status = c->made ? pm_stage_launches_of(c->made, &launches, c->memory.err) : PM_OK;

    pm_memory_join(&c->memory, &launches.memory);
    pm_require(&c->memory, status);
    return launches;
}

static void stage(changing *c, const char *share)
{
    const pm_transform_options *options = c->options;
    const pm_stage_launches launches = find_launches(c);
    pm_stage_request request = {.text = share,
                                .scratch = options->scratch,
                                .analyse = options->analyse,
                                .local_bytes = options->local_bytes ? options->local_bytes
                                                                    : PM_STAGE_LOCAL_BYTES,
                                .launch_count = launches.count,
                                .launches = launches.items};
    const pm_source_info *info =
        open_source(c, written_out(c, c->out.source ? c->out.source : c->text, false));
    pm_staged staged;

    memcpy(request.work_group, options->work_group, sizeof request.work_group);
    pm_require(&c->memory, check_scratch(options->scratch, info, c->memory.err));
    pm_require(&c->memory, pm_source_stage(c->source, &request, &staged, c->memory.err));
    pm_memory_join(&c->memory, &staged.memory);
    c->out.array_count = staged.array_count;
    c->out.arrays = staged.arrays;
    for (size_t i = 0; i < staged.assumption_count; i++)
        *pm_add(&c->memory, c->out.assumptions, c->out.assumption_count) = staged.assumptions[i];
    c->out.edits += options->analyse ? 0 : staged.edits;
    c->out.source = options->analyse ? NULL : staged.text;
    close_source(c);
}

/* ---- transform of a source ------------------------------------------------------------------ */

static void change(void *user)
{
    changing *c = user;
    const char *share;

    pm_require(&c->memory, pm_stage_split(c->options->layouts, &c->layouts, &share, c->memory.err));
    if (!share && c->options->analyse)
        pm_leave(&c->memory, PM_BAD_INPUT, "%s: an analysis is of what to stage, such as shared",
                 c->options->layouts);
    if (!share || strcmp(c->layouts, "aos") != 0)
        change_layouts(c);
    if (share)
        stage(c, share);
    c->out.is_cuda = pm_language_of(c->path) == PM_LANGUAGE_CUDA;
    if (c->out.is_cuda && c->out.header_count > 0 && strstr(c->text, "<<<"))
        assume(c, pm_format(&c->memory,
                            "%s: host code launches kernels, and has to give them the parts that "
                            "%s_pack of %s_layout.h makes in place of the array",
                            c->path, c->out.headers[0].structure, c->out.headers[0].structure));
}

pm_status pm_transform_source_text(pm_session *session, const char *text, const char *path,
                                   const pm_transform_options *options, const pm_workload *made,
                                   pm_transformed *out, pm_error *err)
{
    changing c = {.session = session, .text = text, .path = path, .options = options, .made = made};
    pm_status status = pm_attempt(&c.memory, change, &c, err);

    c.out.memory = c.memory.blocks;
    pm_source_close(c.source);
    free(c.layouts);
    if (status != PM_OK)
        pm_transformed_free(&c.out);
    *out = c.out;
    return status;
}

pm_status pm_transform_source(pm_session *session, const char *text, const char *path,
                              const pm_transform_options *options, pm_transformed *out,
                              pm_error *err)
{
    pm_error ignored = {0};

    *out = (pm_transformed){0};
    if (PM_UNUSED(options, err) != PM_OK)
        return PM_BAD_INPUT;
    return pm_transform_source_text(session, text, path, options, NULL, out, err ? err : &ignored);
}
