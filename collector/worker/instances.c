/* Rewrites a workload's CUDA source as plain C-like code: functions replace the instances of its
 * templates, and C++ references are replaced by pointers and array elements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "collector/worker/source.h"
#include "compiler/language.h"

/* Returns whether the `&` at `sign` may declare a C++ reference, as in `T &name`. Returns false for
 * a bitwise and, as in `a & b`. */
static bool may_declare(const char *text, const char *sign)
{
    const char *before = sign, *name = sign + 1;

    while (before > text && before[-1] == ' ')
        before--;
    name += strspn(name, " ");
    if (before == text || (!pm_is_word(before[-1]) && before[-1] != '>' && before[-1] != '*') ||
        !pm_is_word(*name) || isdigit((unsigned char)*name))
        return false;
    while (pm_is_word(*name))
        name++;
    name += strspn(name, " ");
    return strchr("=,){", *name) != NULL && strncmp(name, "==", 2) != 0;
}

bool pm_source_may_have_templates(const char *text, const char *path)
{
    if (pm_language_of(path) != PM_LANGUAGE_CUDA)
        return false;
    if (strstr(text, "template"))
        return true;
    for (const char *sign = strchr(text, '&'); sign; sign = strchr(sign + 1, '&'))
        if (may_declare(text, sign))
            return true;
    return false;
}

bool pm_workload_has_templates(const pm_workload *workload)
{
    if (!workload->source_path)
        return false;
    for (size_t l = 0; l < workload->launch_count; l++)
        if (strchr(workload->launches[l].kernel, '<'))
            return pm_language_of(workload->source_path) == PM_LANGUAGE_CUDA;
    return pm_source_may_have_templates(workload->source, workload->source_path);
}

typedef struct {
    const pm_workload *workload;
    pm_memory memory;
    size_t count;
    const char **kernels; /* names of the kernels that the workload launches, without duplicates */
} listing;

static void list_kernels(void *user)
{
    listing *l = user;

    for (size_t i = 0; i < l->workload->launch_count; i++) {
        const char *kernel = l->workload->launches[i].kernel;
        size_t k = 0;

        while (k < l->count && strcmp(l->kernels[k], kernel) != 0)
            k++;
        if (k == l->count)
            *pm_add(&l->memory, l->kernels, l->count) = kernel;
    }
}

static bool replace(char **text, const char *by)
{
    char *copy = strdup(by);

    if (!copy)
        return false;
    free(*text);
    *text = copy;
    return true;
}

static const char *new_name(const listing *l, const pm_instances *instances, const char *kernel)
{
    for (size_t k = 0; k < l->count; k++)
        if (strcmp(l->kernels[k], kernel) == 0)
            return instances->kernels[k];
    return kernel;
}

/* Replaces the workload's source by instances->text, and the kernels' names in its launches by the
 * names of the functions that replace template instances. All new names are found first, because
 * the names in `l` point into the launches. */
static pm_status take(pm_workload *workload, const listing *l, const pm_instances *instances,
                      pm_error *err)
{
    const char **names = calloc(workload->launch_count + 1, sizeof *names);
    bool taken = names && replace(&workload->source, instances->text);

    for (size_t i = 0; taken && i < workload->launch_count; i++)
        names[i] = new_name(l, instances, workload->launches[i].kernel);
    for (size_t i = 0; taken && i < workload->launch_count; i++)
        taken = replace(&workload->launches[i].kernel, names[i]);
    free(names);
    return taken ? PM_OK : pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
}

/* Replaces the workload's source and the names of its kernels. pointers: as in pm_source_instances.
 * declared: false to replace template instances by functions (pm_source_instances); true to append
 * functions without statements that have the instances' parameters
 * (pm_source_declare_instances). */
static pm_status change(pm_workload *workload, bool pointers, bool declared, pm_worker *worker,
                        const pm_log *log, pm_error *err)
{
    listing l = {.workload = workload};
    pm_instances instances = {.text = NULL};
    pm_source *source;
    pm_status status;

    if (!pm_workload_has_templates(workload))
        return PM_OK;
    source = pm_source_open(workload->source, workload->source_path, workload->build_options,
                            worker, log, err);
    status = source ? pm_attempt(&l.memory, list_kernels, &l, err) : err->status;
    if (status == PM_OK)
        status = declared
                     ? pm_source_declare_instances(source, l.kernels, l.count, &instances, err)
                     : pm_source_instances(source, l.kernels, l.count, pointers, &instances, err);
    if (status == PM_OK && instances.text)
        status = take(workload, &l, &instances, err);
    pm_memory_free(&instances.memory);
    pm_memory_free(&l.memory);
    pm_source_close(source);
    return status;
}

pm_status pm_workload_instances(pm_workload *workload, bool pointers, pm_worker *worker,
                                const pm_log *log, pm_error *err)
{
    return change(workload, pointers, false, worker, log, err);
}

pm_status pm_workload_declare_instances(pm_workload *workload, pm_worker *worker, pm_error *err)
{
    return change(workload, false, true, worker, NULL, err);
}
