/* Converts the events of a launch, counted by the trace engine, to the counters of a counter table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/counters_of.h"

#include <math.h>
#include <string.h>

static bool has_event(const pm_gpu *gpu, pm_event event)
{
    const bool segments =
        gpu->coalescing == PM_COALESCE_STRICT || gpu->coalescing == PM_COALESCE_SEGMENTS;

    switch (pm_event_gpus_of(event)) {
    case PM_ON_ALL:
        return true;
    case PM_ON_SEGMENTS:
        return segments;
    case PM_ON_SECTORS:
        return !segments;
    case PM_ON_GLOBAL_L1:
        return gpu->l1_global || gpu->readonly_bytes > 0;
    case PM_ON_REISSUES:
        return !segments && (gpu->global_access == PM_GLOBAL_REPLAYS ||
                             gpu->global_access == PM_GLOBAL_REISSUES);
    case PM_ON_L2:
        return gpu->l2_bytes > 0;
    case PM_ON_LOCAL_L1:
        return gpu->l1_global || (gpu->l1_bytes == 0 && gpu->l2_bytes > 0 && !segments);
    case PM_ON_PIPES:
        return gpu->coalescing == PM_COALESCE_SECTORS && gpu->l1_unified;
    }
    return false;
}

static double property_value(const char *property, const pm_counted_launch *launch)
{
    if (strcmp(property, "registers") == 0)
        return launch->registers;
    if (strcmp(property, "shared_bytes") == 0)
        return launch->shared_bytes;
    if (strcmp(property, "resident_groups") == 0)
        return launch->resident_groups;
    return (double)NAN;
}

void pm_launch_counters(const pm_counter_table *table, const pm_gpu *gpu,
                        const pm_counted_launch *launch, double *values, double *errors)
{
    for (size_t i = 0; i < pm_counter_table_size(table); i++) {
        const char *property = pm_counter_launch_property(table, i);
        const pm_event event = pm_counter_event(table, i);
        double value = (double)NAN, error = 0;

        if (property) {
            value = property_value(property, launch);
        } else if (strcmp(pm_counter_name(table, i), "work_groups") == 0) {
            value = launch->groups;
        } else if (event < PM_EVENT_COUNT && has_event(gpu, event)) {
            value = launch->values[event];
            error = sqrt(launch->variance[event]);
        }
        values[i] = value;
        if (errors)
            errors[i] = isnan(value) ? (double)NAN : error;
    }
}
