/* Notices of a run whose result is cached. They are logged again whenever the result is read.
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

/* Writes the notices into a cache entry, or reads them from it. Notices that were read point into
 * the entry and are valid as long as the entry. They must not be freed. */
void pm_notices_wire(pm_wire *entry, pm_notices *notices);
void pm_notices_tell(pm_notices *notices, const pm_log *log);

#endif
