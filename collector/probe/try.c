/* Runs one measurement of the probe, so that its failure does not end the other measurements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/probe/probe.h"

typedef struct {
    pm_probe *probe;
    pm_probe_kind kind;
} attempt;

static void work(void *user)
{
    const attempt *a = user;

    a->kind(a->probe);
}

pm_status pm_probe_try(pm_probe *probe, pm_probe_kind kind, pm_error *err)
{
    attempt a = {probe, kind};
    pm_memory *memory = &probe->bench.memory, around = *memory;
    pm_status status;

    *memory = (pm_memory){0};
    status = pm_attempt(memory, work, &a, err);
    pm_memory_free(memory);
    *memory = around;
    return status;
}
