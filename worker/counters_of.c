/* Converts the events of a launch to the counter table. See counters_of.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worker/counters_of.h"

#include <math.h>
#include <string.h>

static bool is_segment(pm_event event)
{
    return event >= PM_EVENT_gld_32b && event <= PM_EVENT_gst_128b;
}

static bool is_l1(pm_event event)
{
    return event == PM_EVENT_l1_global_load_hit || event == PM_EVENT_l1_global_load_miss;
}

static bool is_l2(pm_event event)
{
    return event >= PM_EVENT_l2_read_sector && event <= PM_EVENT_l2_read_miss;
}

static bool is_pipe(pm_event event)
{
    return event >= PM_EVENT_pipe_fma && event <= PM_EVENT_pipe_alu;
}

static bool is_private(pm_event event)
{
    return event >= PM_EVENT_local_load_miss && event <= PM_EVENT_local_store_tag;
}

static bool has_event(const pm_gpu *gpu, pm_event event)
{
    bool segments =
        gpu->coalescing == PM_COALESCE_STRICT || gpu->coalescing == PM_COALESCE_SEGMENTS;
    bool sectors = (event >= PM_EVENT_gld_sector && event <= PM_EVENT_gst_tag);

    if (is_segment(event))
        return segments;
    if (sectors)
        return !segments;
    if (is_l1(event))
        return gpu->l1_global || gpu->readonly_bytes > 0;
    if (event == PM_EVENT_global_wavefront) /* L1 passes of older GPUs are unknown */
        return !segments;
    if (event == PM_EVENT_inst_issued) /* replays of other GPUs are unknown */
        return !segments && (gpu->global_access == PM_GLOBAL_REPLAYS ||
                             gpu->global_access == PM_GLOBAL_REISSUES);
    if (is_l2(event))
        return gpu->l2_bytes > 0;
    if (is_private(event)) /* unknown for an L1 that does not cache global loads */
        return gpu->l1_global || (gpu->l1_bytes == 0 && gpu->l2_bytes > 0 && !segments);
    if (is_pipe(event)) /* integers have a pipe of their own from Volta on */
        return gpu->coalescing == PM_COALESCE_SECTORS && gpu->l1_unified;
    return true;
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
        const char *name = pm_counter_name(table, i);
        const char *property = pm_counter_launch_property(table, i);
        double value = (double)NAN, error = 0;

        if (property)
            value = property_value(property, launch);
        else if (strcmp(name, "work_groups") == 0)
            value = launch->groups;
        for (int e = 0; !property && e < PM_EVENT_COUNT; e++)
            if (strcmp(name, pm_event_name((pm_event)e)) == 0 && has_event(gpu, (pm_event)e)) {
                value = launch->values[e];
                error = sqrt(launch->variance[e]);
            }
        values[i] = value;
        if (errors)
            errors[i] = isnan(value) ? (double)NAN : error;
    }
}
