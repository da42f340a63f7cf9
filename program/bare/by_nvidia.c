/* Describes kernels that clang refuses, from the PTX that NVIDIA's compiler generates for them. See
 * bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "collector/worker/nvidia_source.h"
#include "program/bare/bare.h"

/* Compiles the source with NVIDIA's compiler, and writes a description of the launched kernels to
 * *info. It compiles the source as the user wrote it, because in b->workload template instances may
 * have been replaced by functions. Returns false with err on failure. */
static bool describe_ptx(pm_bare *b, pm_source_info *info, pm_error *err)
{
    static const size_t one = 1;
    pm_workload *w = pm_workload_create("bare", "plain", "assumed");
    bool is_described = false;

    if (w) {
        pm_workload_source_file(w, b->source_path);
        pm_workload_options(w, "%s", b->build_options ? b->build_options : "");
        for (size_t i = 0; i < b->wanted_count; i++)
            pm_workload_launch(w, b->wanted[i], 1, &one, &one);
        is_described = w->error.status == PM_OK &&
                       pm_nvidia_describe(w, pm_session_worker(b->session), info, err) == PM_OK;
    }
    pm_workload_free(w);
    return is_described;
}

/* Returns whether libclang's description of a kernel says nothing about the use of its parameters.
 * The kernel's statements were then removed because clang refuses them, or they have no effect. */
static bool is_empty(const pm_source_kernel *kernel)
{
    for (size_t p = 0; p < kernel->param_count; p++)
        if (kernel->params[p].read || kernel->params[p].written || kernel->params[p].is_extent)
            return false;
    return kernel->access_count == 0;
}

static bool agree(const pm_source_kernel *kernel, const pm_source_kernel *ptx)
{
    bool do_agree = kernel->param_count == ptx->param_count;

    for (size_t p = 0; do_agree && p < kernel->param_count; p++)
        do_agree =
            kernel->params[p].takes == PM_TAKES_BUFFER || ptx->params[p].takes != PM_TAKES_BUFFER;
    return do_agree;
}

/* Combines two descriptions of a kernel: the types of its parameters from libclang, and the use of
 * the parameters from the PTX. */
static const pm_source_kernel *join(pm_bare *b, const pm_source_kernel *kernel,
                                    const pm_source_kernel *ptx)
{
    pm_source_kernel *made = pm_take(&b->memory, 1, sizeof *made);

    *made = *kernel;
    made->params = pm_take(&b->memory, kernel->param_count + 1, sizeof *made->params);
    memcpy(made->params, kernel->params, kernel->param_count * sizeof *made->params);
    for (size_t p = 0; p < kernel->param_count; p++) {
        made->params[p].read = ptx->params[p].read;
        made->params[p].written = ptx->params[p].written;
        made->params[p].is_extent = ptx->params[p].is_extent;
    }
    made->shape.dimensions = ptx->shape.dimensions;
    made->shape.element = ptx->shape.element;
    if (!made->shape.most_items)
        made->shape.most_items = ptx->shape.most_items;
    return made;
}

void pm_bare_add_facts(pm_bare *b)
{
    pm_source_info info;
    pm_error ignored = {0};
    bool is_known = true;

    for (size_t k = 0; k < b->wanted_count; k++)
        is_known = is_known && !is_empty(b->kernels[k]);
    if (is_known || !pm_source_left_out(b->source) ||
        !pm_worker_has_nvidia(pm_session_worker(b->session)))
        return;
    b->is_by_nvidia = true;
    if (describe_ptx(b, &info, &ignored))
        for (size_t k = 0; k < b->wanted_count; k++) {
            const pm_source_kernel *ptx = pm_source_find_kernel(&info, b->wanted[k]);

            if (ptx && is_empty(b->kernels[k]) && agree(b->kernels[k], ptx))
                b->kernels[k] = join(b, b->kernels[k], ptx);
        }
    pm_memory_free(&info.memory);
}

/* Returns whether a kernel can be named in a workload file without template arguments. It is then
 * no instance of a template, whose symbol in the PTX has an I after the name, and no kernel of the
 * libraries Thrust and CUB. */
static bool is_nameable(pm_bare *b, const pm_source_kernel *kernel)
{
    const char *last = strrchr(kernel->name, ':');

    return strncmp(kernel->name, "thrust::", 8) != 0 && strncmp(kernel->name, "cub::", 5) != 0 &&
           strncmp(kernel->name, "_Z", 2) != 0 &&
           (!kernel->symbol ||
            !strstr(kernel->symbol, pm_format(&b->memory, "%sI", last ? last + 1 : kernel->name)));
}

/* Sets b->wanted to all kernels of the source that can be named without template arguments, because
 * the host code launches none. */
static void want_all(pm_bare *b)
{
    const char **names = pm_take(&b->memory, b->ptx.kernel_count + 1, sizeof *names);

    for (size_t k = 0; k < b->ptx.kernel_count; k++)
        if (is_nameable(b, &b->ptx.kernels[k]))
            names[b->wanted_count++] = b->ptx.kernels[k].name;
    b->wanted = names;
}

/* Leaves out, with a notice, launched instances of templates that cannot be identified in the PTX.
 * If this would leave no launch, keeps all. */
static void drop_unknown(pm_bare *b)
{
    size_t known = 0;

    for (size_t k = 0; k < b->wanted_count; k++)
        known += pm_source_find_kernel(&b->ptx, b->wanted[k]) != NULL;
    for (size_t k = 0; k < b->wanted_count && known > 0;) {
        const char *kernel = b->wanted[k];

        if (pm_source_find_kernel(&b->ptx, kernel)) {
            k++;
            continue;
        }
        pm_bare_drop_kernel(b, kernel);
        *pm_add(&b->memory, b->left_out, b->left_out_count) =
            pm_format(&b->memory,
                      "%s: kernel %s left out: NVIDIA's compiler makes none or several instances "
                      "of its template; name its types with --kernel",
                      b->path, kernel);
    }
}

bool pm_bare_describe_by_nvidia(pm_bare *b)
{
    pm_error ignored = {0};

    if (!b->is_cuda || !pm_worker_has_nvidia(pm_session_worker(b->session)))
        return false;
    pm_memory_free(&b->ptx.memory);
    if (!describe_ptx(b, &b->ptx, &ignored))
        return false;
    if (b->wanted_count == 0)
        want_all(b);
    if (b->wanted_count == 0)
        return false;
    if (!b->options->kernels)
        drop_unknown(b);
    b->kernels = pm_take(&b->memory, b->wanted_count + 1, sizeof *b->kernels);
    for (size_t k = 0; k < b->wanted_count; k++) {
        b->kernels[k] = pm_source_find_kernel(&b->ptx, b->wanted[k]);
        if (!b->kernels[k])
            return false;
    }
    if (b->wanted_count == 0)
        return false;
    pm_source_close(b->source);
    b->source = NULL;
    b->info = &b->ptx;
    b->is_by_nvidia = true;
    return true;
}
