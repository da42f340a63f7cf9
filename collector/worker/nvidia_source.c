/* Describes the kernels of a CUDA source by PTX. See nvidia_source.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/nvidia_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/worker/ptx_source.h"
#include "compiler/cuda_source/code_text.h"
#include "compiler/cuda_source/cuda_source.h"
#include "compiler/nvidia/cuda_ptx.h"

/* CAPABILITY: compute capability (90: 9.0) for which the source is compiled to find its kernels'
 * parameters, which seldom depend on it. */
enum { CAPABILITY = 90, MOST_PARAMETERS = 256 };

typedef struct {
    const pm_workload *workload;
    const char *text; /* the source with the user's headers */
    pm_source_info *info;
} naming;

/* ---- names of parameters --------------------------------------------------------------------- */

/* Reads the names of the parameters in a list; `at` is at its opening parenthesis. The name of a
 * parameter is its last word before a default value or [. Returns the number of parameters. */
static size_t read_names(const char *text, char *at, pm_code_word names[MOST_PARAMETERS])
{
    long depth = 0;
    size_t count = 0;
    pm_code_word last = {NULL, 0};
    /* true: the parameter's name cannot follow any more, because a = or [ was read */
    bool is_over = false;

    while (pm_find_token(text, &at)) {
        const char c = *at;
        const pm_code_word w = pm_word_at(at);

        depth += (strchr("([{<", c) && c) - (strchr(")]}>", c) && c);
        is_over = is_over || c == '=' || c == '[';
        if (w.length > 0 && !is_over)
            last = w;
        at = pm_end_of_token(at);
        if (depth > 1 || (depth == 1 && c != ','))
            continue;
        if (last.length > 0 && count < MOST_PARAMETERS)
            names[count++] = last;
        last.length = 0;
        is_over = false;
        if (depth == 0)
            break;
    }
    return count;
}

/* Returns the position of the ( after the name of a kernel in its declaration. NULL: the text has
 * none. */
static char *find_parameters(const char *text, const char *name, size_t length)
{
    char *at = (char *)(uintptr_t)text;
    bool is_kernel = false;

    while (pm_find_token(text, &at)) {
        const pm_code_word w = pm_word_at(at);
        const char c = *at;

        at = pm_end_of_token(at);
        if (c == ';' || c == '{' || c == '}')
            is_kernel = false;
        is_kernel = is_kernel || pm_word_is(w, "__global__");
        if (is_kernel && w.length == length && strncmp(w.begin, name, length) == 0 &&
            pm_find_token(text, &at) && *at == '(')
            return at;
    }
    return NULL;
}

static void name_parameters(const naming *n, pm_source_kernel *kernel)
{
    pm_code_word names[MOST_PARAMETERS];
    const size_t whole = strcspn(kernel->name, "<");
    size_t begin = whole;
    char *at;

    while (begin > 0 && kernel->name[begin - 1] != ':')
        begin--;
    at = find_parameters(n->text, kernel->name + begin, whole - begin);
    if (!at || read_names(n->text, at, names) != kernel->param_count)
        return;
    for (size_t p = 0; p < kernel->param_count; p++)
        kernel->params[p].name =
            pm_format(&n->info->memory, "%.*s", (int)names[p].length, names[p].begin);
}

static bool is_launched(const pm_workload *w, const char *kernel)
{
    for (size_t l = 0; l < w->launch_count; l++)
        if (strcmp(w->launches[l].kernel, kernel) == 0)
            return true;
    return w->launch_count == 0;
}

/* Removes the kernels that the workload does not launch from n->info, and gives the parameters of
 * the remaining kernels the names that they have in the source. */
static void name_all(void *user)
{
    naming *n = user;
    size_t count = 0;

    for (size_t k = 0; k < n->info->kernel_count; k++)
        if (is_launched(n->workload, n->info->kernels[k].name)) {
            n->info->kernels[count] = n->info->kernels[k];
            name_parameters(n, &n->info->kernels[count++]);
        }
    n->info->kernel_count = count;
    n->info->left = pm_format(&n->info->memory, "%s: clang refuses it, so it cannot be rewritten",
                              n->workload->source_path);
}

/* ---- description ----------------------------------------------------------------------------- */

pm_status pm_nvidia_describe(const pm_workload *workload, pm_worker *worker, pm_source_info *info,
                             pm_error *err)
{
    const pm_cuda_request request = {.text = workload->source,
                                     .path = workload->source_path,
                                     .build_options = workload->build_options};
    pm_cuda_ptx ptx;
    char *text = NULL;
    pm_status status =
        pm_cuda_ptx_compile(pm_worker_compiler(worker), workload, CAPABILITY, &ptx, err);

    *info = (pm_source_info){.kernel_count = 0};
    if (status == PM_OK)
        status = pm_ptx_source_describe(ptx.text, workload->source_path, info, err);
    if (status == PM_OK)
        status = pm_cuda_source(&request, &text, err);
    if (status == PM_OK) {
        naming n = {.workload = workload, .text = text, .info = info};

        status = pm_attempt(&info->memory, name_all, &n, err);
    }
    free(text);
    free(ptx.text);
    return status;
}
