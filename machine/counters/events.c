/* Lists the events that the trace engine counts (such as memory requests): their names, and which
 * GPUs have each event. See events.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/counters/events.h"

#include <string.h>

const char *pm_event_name(pm_event event)
{
#define PM_EVENT_TEXT(name, on) [PM_EVENT_##name] = #name,
    static const char *const names[PM_EVENT_COUNT] = {PM_TRACE_EVENTS(PM_EVENT_TEXT)};
#undef PM_EVENT_TEXT

    return names[event];
}

pm_event_gpus pm_event_gpus_of(pm_event event)
{
#define PM_EVENT_GPUS(name, on) [PM_EVENT_##name] = PM_ON_##on,
    static const pm_event_gpus gpus[PM_EVENT_COUNT] = {PM_TRACE_EVENTS(PM_EVENT_GPUS)};
#undef PM_EVENT_GPUS

    return gpus[event];
}

pm_event pm_event_find(const char *name)
{
    int event = 0;

    while (event < PM_EVENT_COUNT && strcmp(name, pm_event_name((pm_event)event)) != 0)
        event++;
    return (pm_event)event;
}
