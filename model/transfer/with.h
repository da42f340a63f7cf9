/* Datasets of the user's own that models learn from because the session names them (`with` of
 * pm_session_options). A row with a time belongs to the GPU on which the time was measured. Traced
 * counters belong to the GPU that the trace engine simulated.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_WITH_H
#define PM_MODEL_TRANSFER_WITH_H

#include "base/strings.h"
#include "base/wire.h"
#include "model/transfer/known.h"

/* Appends the rows of the GPU known->name to known->measured and known->traced. Creates a dataset
 * if the member is NULL. */
pm_status pm_with_add(pm_session *session, pm_known_gpu *known, pm_error *err);

/* Appends to contents the digests of the files that have rows of the GPU. Sets *measured and
 * *traced if such rows exist. Writes nothing if there are none. */
pm_status pm_with_see(pm_session *session, const char *gpu, pm_wire *contents, bool *measured,
                      bool *traced, pm_error *err);

/* Adds names to the sorted list `names`: GPU for each GPU of which the user's datasets have
 * measured rows, and GPU-trace if they have traced ones. */
pm_status pm_with_names(pm_session *session, pm_strings *names, pm_error *err);

#endif
