/* The source of a bare workload, and which of its kernels are launched. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "compiler/language.h"
#include "session/session.h"
#include "suite/bare/bare.h"

/* OpenCL's compilers do not know where the source was. */
static const char *own_folder(pm_bare *b)
{
    const char *slash = strrchr(b->path, '/');
    const char *folder = pm_format(&b->memory, "%.*s", slash ? (int)(slash - b->path) + 1 : 1,
                                   slash ? b->path : ".");
    char absolute[PATH_MAX];

    return realpath(folder, absolute) ? pm_copy(&b->memory, absolute) : folder;
}

void pm_bare_read_text(pm_bare *b)
{
    pm_workload *w = b->workload = pm_workload_create("bare", "plain", "assumed");

    if (!w)
        pm_leave(&b->memory, PM_FAILED, "%s: out of memory", b->path);
    pm_workload_source_file(w, b->path);
    if (w->error.status == PM_OK && (b->build_options || b->is_cuda))
        pm_workload_options(w, "%s", b->build_options ? b->build_options : "");
    if (w->error.status == PM_OK && !b->is_cuda && strstr(w->source, "#include"))
        pm_workload_options(w, "%s -I%s", w->build_options, own_folder(b));
    if (w->error.status != PM_OK)
        pm_leave(&b->memory, w->error.status, "%s", w->error.text);
}

/* By which instances of templates are found. */
static void add_launches(pm_bare *b)
{
    static const size_t one = 1;
    pm_workload *w = b->workload;

    for (size_t i = 0; i < b->wanted_count; i++)
        pm_workload_launch(w, b->wanted[i], 1, &one, &one);
    if (w->error.status != PM_OK)
        pm_leave(&b->memory, w->error.status, "%s", w->error.text);
}

static const pm_source_kernel *find_kernel(const pm_bare *b, const char *name)
{
    for (size_t k = 0; k < b->info->kernel_count; k++)
        if (strcmp(b->info->kernels[k].name, name) == 0)
            return &b->info->kernels[k];
    return NULL;
}

static void no_such_kernel(const pm_bare *b, const char *name)
{
    char list[300] = "";

    for (size_t k = 0; k < b->info->kernel_count; k++)
        pm_list_add(list, sizeof list, "%s", b->info->kernels[k].name);
    pm_bare_fault(b, "%s: no kernel %.100s; there is: %s", b->path, name, *list ? list : "none");
}

/* All kernels that have an argument that can be given. */
static void want_all(pm_bare *b)
{
    const char **names = pm_take(&b->memory, b->info->kernel_count + 1, sizeof *names);

    for (size_t k = 0; k < b->info->kernel_count; k++)
        names[b->wanted_count++] = b->info->kernels[k].name;
    b->wanted = names;
    if (b->wanted_count > 0)
        return;
    if (b->info->left)
        pm_bare_fault(b, "%s: none of its kernels can be launched without more: %s", b->path,
                      b->info->left);
    pm_bare_fault(b,
                  "%s: has no kernel; name a file with one, or the workload file that launches "
                  "what this file has",
                  b->path);
}

void pm_bare_describe(pm_bare *b)
{
    pm_error *err = b->memory.err;

    add_launches(b);
    pm_require(&b->memory,
               pm_workload_instances(b->workload, false, pm_session_worker(b->session), NULL, err));
    b->source =
        pm_source_open(b->workload->source, b->workload->source_path, b->workload->build_options,
                       pm_session_worker(b->session), NULL, err);
    if (!b->source)
        pm_give_up(&b->memory, err->status);
    b->info = pm_source_describe(b->source);
    if (b->wanted_count == 0)
        want_all(b);
    b->kernels = pm_take(&b->memory, b->wanted_count, sizeof *b->kernels);
    for (size_t i = 0; i < b->wanted_count; i++) {
        const char *name =
            b->workload->launch_count > i ? b->workload->launches[i].kernel : b->wanted[i];

        b->kernels[i] = find_kernel(b, name);
        if (!b->kernels[i])
            no_such_kernel(b, b->wanted[i]);
    }
}
