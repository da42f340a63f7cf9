/* Records the notices (messages to the user) that tracing a workload has logged, and logs them
 * again when its cached counts are read. See notices.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/counts/notices.h"

#include <stdlib.h>

#include "base/error.h"

static void note(void *user, const char *line)
{
    pm_notices *notices = user;
    char *text = (char *)(uintptr_t)line;

    pm_wire_name(&notices->lines, &text);
    notices->count++;
    if (notices->to.fn)
        notices->to.fn(notices->to.user, line);
}

pm_log pm_notices_note(pm_notices *notices, const pm_log *to)
{
    *notices = (pm_notices){.to = *to, .lines = PM_WIRE_WRITER};
    return (pm_log){note, notices};
}

void pm_notices_free(pm_notices *notices)
{
    pm_wire_free(&notices->lines);
}

void pm_notices_wire(pm_wire *entry, pm_notices *notices)
{
    size_t bytes = notices->lines.bytes;
    const void *lines;

    entry->failed |= entry->writing && notices->lines.failed;
    PM_WIRE_NUMBER(entry, notices->count);
    lines = pm_wire_bytes(entry, notices->lines.data, &bytes);
    if (entry->writing)
        return;
    notices->lines = (pm_wire){.data = (uint8_t *)(uintptr_t)lines, .bytes = bytes};
    entry->failed |= notices->count > bytes;
}

void pm_notices_tell(pm_notices *notices, const pm_log *log)
{
    for (size_t i = 0; i < notices->count && !notices->lines.failed; i++) {
        char *line = NULL;

        pm_wire_name(&notices->lines, &line);
        if (line)
            pm_notice(log, "%s", line);
        free(line);
    }
}
