/* Finds the kernels of a workload that do not compile or cannot be traced, so that the others can
 * still be counted. See bad_kernels.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/counts/bad_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"

/* Returns the index of the first launch that has the same kernel as launch i. The arrays keeps and
 * why of the functions below have the entry of this kernel there. */
static size_t first_of(const pm_workload *workload, size_t i)
{
    size_t first = 0;

    while (strcmp(workload->launches[first].kernel, workload->launches[i].kernel) != 0)
        first++;
    return first;
}

/* Copies the launches of some kernels to part->launches: each launch l for which keeps[first_of(l)]
 * is true. */
static void take_part(const pm_workload *workload, const bool *keeps, pm_workload *part)
{
    part->launch_count = 0;
    for (size_t i = 0; i < workload->launch_count; i++)
        if (keeps[first_of(workload, i)])
            part->launches[part->launch_count++] = workload->launches[i];
}

/* Loads each kernel of the workload alone. keeps[i] becomes true if launch i is the first launch of
 * a kernel that can be loaded. *bad becomes the number of kernels that cannot, and why[i] the
 * reason. Logs a notice for each of them, unless no kernel can be loaded (PM_BAD_INPUT). */
static pm_status try_kernels(pm_session *session, pm_executor *engine, const pm_workload *workload,
                             pm_workload *part, bool *keeps, pm_error *why, size_t *bad)
{
    bool *one = calloc(workload->launch_count + 1, sizeof *one);
    size_t good = 0;
    pm_status status = one ? PM_OK : PM_FAILED;

    for (size_t i = 0; status == PM_OK && i < workload->launch_count; i++) {
        if (first_of(workload, i) != i)
            continue;
        one[i] = true;
        take_part(workload, one, part);
        one[i] = false;
        status = engine->type->load(engine, part, &why[i]);
        engine->type->unload(engine);
        keeps[i] = status == PM_OK;
        good += keeps[i];
        *bad += !keeps[i];
        status = status == PM_BAD_INPUT ? PM_OK : status;
    }
    free(one);
    for (size_t i = 0; status == PM_OK && good > 0 && i < workload->launch_count; i++)
        if (first_of(workload, i) == i && !keeps[i])
            pm_session_leave_out(session, "kernel %s left out: %s", workload->launches[i].kernel,
                                 why[i].text);
    return status == PM_OK && good == 0 ? PM_BAD_INPUT : status;
}

bool pm_counts_leave_out_bad(pm_session *session, pm_executor *engine, const pm_workload *workload,
                             pm_workload *part)
{
    /* log that discards clang's messages: they are logged when the remaining kernels are loaded
     * again */
    static const pm_log silent = {NULL, NULL};
    const pm_log log = engine->log;
    const size_t count = workload->launch_count;
    bool *keeps = calloc(count + 1, sizeof *keeps), found = false;
    pm_error *why = calloc(count + 1, sizeof *why);
    size_t bad = 0;

    *part = *workload;
    /* Results are not compared with the reference, because they need all kernels. */
    part->check = NULL;
    part->launches = calloc(count + 1, sizeof *part->launches);
    engine->log = silent;
    if (keeps && why && part->launches && first_of(workload, count - 1) > 0)
        found = try_kernels(session, engine, workload, part, keeps, why, &bad) == PM_OK && bad > 0;
    engine->log = log;
    if (found)
        take_part(workload, keeps, part);
    else
        free(part->launches);
    free(keeps);
    free(why);
    return found;
}
