/* Lists the names of the events. See events.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "counters/events.h"

const char *pm_event_name(pm_event event)
{
#define PM_EVENT_TEXT(name) [PM_EVENT_##name] = #name,
    static const char *const names[PM_EVENT_COUNT] = {PM_TRACE_EVENTS(PM_EVENT_TEXT)};
#undef PM_EVENT_TEXT

    return names[event];
}
