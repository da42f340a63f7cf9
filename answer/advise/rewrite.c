/* Measures how many lines and kernels of the program's source have to be changed to get a version
 * that perfmodel proposes. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts the lines and kernels that differ between the kernel sources of the base variant and the
 * version. The lines of host code are those that perfmodel transform writes for packing and
 * unpacking each new layout of a struct, and one line for each additional buffer and argument.
 * Other changes of host code that a handwritten version needs are unknown and not counted. */
#include <stdlib.h>
#include <string.h>

#include "answer/advise/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "collector/worker/source.h"
#include "program/suite/suite.h"
#include "transform/layout/plan.h"
#include "transform/staging/staging.h"

/* A kernel that the unmodified program (the base variant) launches, with its number of
 * arguments. */
typedef struct {
    const char *name;
    size_t args;
} launched;

struct pm_rewrite_base {
    const char *source;
    size_t buffers;
    size_t launched_count;
    launched *launched;
    pm_structs structs; /* structs of the program; empty if it has no layouts */
    size_t kernel_count;
    const char **kernels; /* names of the kernels in the source */
};

/* ---- the base -------------------------------------------------------------------------------- */

static const launched *find_launched(const pm_rewrite_base *base, const char *name)
{
    for (size_t i = 0; i < base->launched_count; i++)
        if (strcmp(base->launched[i].name, name) == 0)
            return &base->launched[i];
    return NULL;
}

static void keep_launches(pm_memory *memory, pm_rewrite_base *base, const pm_workload *workload)
{
    base->buffers = workload->buffer_count;
    for (size_t l = 0; l < workload->launch_count; l++) {
        const pm_launch *launch = &workload->launches[l];

        if (!find_launched(base, launch->kernel))
            *pm_add(memory, base->launched, base->launched_count) =
                (launched){pm_copy(memory, launch->kernel), launch->arg_count};
    }
}

static void keep_structs(pm_advising *a, pm_rewrite_base *base, const pm_workload *workload)
{
    const pm_source_info *info;

    a->source =
        pm_source_open(workload->source, workload->source_path, workload->build_options,
                       pm_session_worker(a->session), pm_session_log(a->session), a->memory.err);
    if (!a->source)
        pm_give_up(&a->memory, a->memory.err->status);
    info = pm_source_describe(a->source);
    base->structs = pm_structs_copy(&a->memory, &info->structs);
    for (size_t k = 0; k < info->kernel_count; k++)
        *pm_add(&a->memory, base->kernels, base->kernel_count) =
            pm_copy(&a->memory, info->kernels[k].name);
    pm_source_close(a->source);
    a->source = NULL;
}

static void keep_base(pm_advising *a, const pm_workload *workload)
{
    pm_rewrite_base *base = a->plain = pm_take(&a->memory, 1, sizeof *base);

    base->source = pm_copy(&a->memory, workload->source);
    keep_launches(&a->memory, base, workload);
    if (a->program->info.layouts)
        keep_structs(a, base, workload);
}

/* Stores the properties of a base variant whose kernels are templates. The templates are
 * instantiated first, because versions are generated from the source with instantiated
 * templates. */
static void keep_instances(pm_advising *a)
{
    a->written = pm_advise_build(a, a->advice->base);
    pm_require(&a->memory, pm_workload_instances(a->written, true, pm_session_worker(a->session),
                                                 pm_session_log(a->session), a->memory.err));
    keep_base(a, a->written);
    pm_workload_free(a->written);
    a->written = NULL;
}

/* ---- a version ------------------------------------------------------------------------------- */

/* State while the lines and kernels are counted in which a version differs from the unmodified
 * program. */
typedef struct {
    const pm_advising *a;
    const pm_workload *workload;
    pm_rewrite_size size;
    pm_memory memory;
    /* the part of the version's name that describes layouts; the rest describes staging in local
     * memory */
    char *layouts;
} measuring;

/* Returns the number of lines of host code that pack an array of structs into a layout and unpack
 * it; 0 if the layout is the one in the source. */
static size_t count_host_lines(pm_memory *memory, const pm_struct *structure,
                               const pm_layout *layout)
{
    const pm_plan *plan = pm_plan_create(memory, structure, layout);

    return plan->identity ? 0 : pm_source_lines(memory, pm_plan_c(memory, plan));
}

static bool is_seen(const char *const *seen, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(seen[i], text) == 0)
            return true;
    return false;
}

/* Returns the number of lines of host code that pack and unpack a struct, summed over the different
 * layouts that the kernels use. If several kernels use the same layout, its lines count once. */
static size_t measure_struct(measuring *m, const pm_struct *structure)
{
    const pm_rewrite_base *base = m->a->plain;
    const char *layouts = pm_program_layouts(m->a->program, m->layouts), **seen = NULL;
    size_t count = 0, lines = 0;

    for (size_t k = 0; k < base->kernel_count; k++) {
        const pm_layout layout = pm_layouts_find(&m->memory, layouts, structure, base->kernels[k]);
        pm_text text = {.memory = &m->memory};

        pm_layout_text(&text, &layout, structure);
        if (is_seen(seen, count, pm_text_get(&text)))
            continue;
        *pm_add(&m->memory, seen, count) = pm_text_get(&text);
        lines += count_host_lines(&m->memory, structure, &layout);
    }
    return lines;
}

/* Returns how many buffers and kernel arguments the version has more than the base variant. A
 * kernel that the base variant lacks counts with all its arguments. */
static size_t count_arguments(const pm_rewrite_base *base, const pm_workload *workload)
{
    size_t lines =
        workload->buffer_count > base->buffers ? workload->buffer_count - base->buffers : 0;

    for (size_t l = 0; l < workload->launch_count; l++) {
        const pm_launch *launch = &workload->launches[l];
        const launched *old = find_launched(base, launch->kernel);
        size_t before = old ? old->args : 0;
        bool seen = false;

        for (size_t k = 0; k < l && !seen; k++)
            seen = strcmp(workload->launches[k].kernel, launch->kernel) == 0;
        if (!seen && launch->arg_count > before)
            lines += launch->arg_count - before;
    }
    return lines;
}

static void measure(void *user)
{
    measuring *m = user;
    const pm_advising *a = m->a;
    const char *old = a->plain->source, *new = m->workload->source, *variant = m->workload->variant;

    m->size.source_lines = pm_source_lines_changed(&m->memory, old, new);
    m->size.kernels = pm_source_kernels_changed(&m->memory, old, new);
    m->size.by_hand = !pm_program_is_transformed(a->program, variant);
    if (a->program->info.layouts && !m->size.by_hand) {
        const char *share;

        pm_require(&m->memory, pm_stage_split(variant, &m->layouts, &share, m->memory.err));
        for (size_t s = 0; s < a->plain->structs.count; s++) {
            size_t lines = measure_struct(m, &a->plain->structs.items[s]);

            m->size.structs += lines > 0;
            m->size.host_lines += lines;
        }
    }
    m->size.host_lines += count_arguments(a->plain, m->workload);
}

pm_rewrite_size pm_advise_rewrite(pm_advising *a, const pm_workload *workload)
{
    measuring m = {.a = a, .workload = workload};
    pm_status status = PM_OK;

    if (strcmp(workload->variant, a->advice->base) == 0) {
        if (!a->plain && pm_workload_has_templates(workload))
            keep_instances(a);
        else if (!a->plain)
            keep_base(a, workload);
    } else {
        status = pm_attempt(&m.memory, measure, &m, a->memory.err);
    }
    free(m.layouts);
    pm_memory_free(&m.memory);
    pm_require(&a->memory, status);
    return m.size;
}
