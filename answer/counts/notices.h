/* Notices (messages to the user) that were logged while a result was computed that is now in the
 * cache. They are logged again whenever the result is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_COUNTS_NOTICES_H
#define PM_ANSWER_COUNTS_NOTICES_H

#include "base/wire.h"
#include "perfmodel.h"

typedef struct {
    pm_log to; /* the caller's log, which also gets each line */
    pm_wire lines;
    size_t count; /* of lines */
} pm_notices;

/* Returns a log that passes each line on to the log `to` and stores a copy in `notices`. `notices`
 * must stay at its address while the log is in use. Free it with pm_notices_free. */
pm_log pm_notices_note(pm_notices *notices, const pm_log *to);
void pm_notices_free(pm_notices *notices);

/* If `entry` is a writer, appends the notices to the cache entry. If it is a reader, reads the
 * notices from the cache entry. Notices that were read point into the entry, are valid as long as
 * the entry, and must not be freed. */
void pm_notices_wire(pm_wire *entry, pm_notices *notices);
void pm_notices_tell(pm_notices *notices, const pm_log *log);

#endif
