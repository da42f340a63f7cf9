/* The profiler of a target. See profiler.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/counts/profiler.h"

#include <stdlib.h>

#include "answer/counts/counts.h"
#include "base/error.h"
#include "machine/rules.h"

typedef struct {
    pm_profiler profiler;
    double capability;
    pm_memory memory;
} kept;

static void read_names(void *user)
{
    kept *k = user;

    k->profiler = pm_profiler_of(NULL, k->capability, &k->memory);
}

static pm_status fill(pm_session *session, void *object, const void *target, pm_error *err)
{
    const pm_gpu *own = pm_session_find(session, PM_COUNTS_RULES, target);
    pm_gpu gpu;
    kept *k = object;

    if (own)
        gpu = *own;
    else if (pm_gpu_find(target, pm_session_chosen(session)->datasets, &gpu, err) != PM_OK)
        return err->status;
    k->capability = gpu.compute_capability;
    if (!(k->capability > 0) && !*gpu.llvm_processor)
        return PM_OK;
    return pm_attempt(&k->memory, read_names, k, err);
}

static void release(void *object)
{
    kept *k = object;

    pm_memory_free(&k->memory);
    free(k);
}

const pm_profiler *pm_counts_profiler(pm_session *session, const char *target, pm_error *err)
{
    static const pm_session_kind kind = {"profiler", sizeof(kept), fill, release};
    const kept *k = pm_session_have(session, &kind, target, target, err);

    return k ? &k->profiler : NULL;
}
