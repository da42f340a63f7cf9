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

/* Appends those rows of the user's datasets that belong to the GPU known->name to known->measured
 * and known->traced. If one of these is NULL, it is created. */
pm_status pm_with_add(pm_session *session, pm_known_gpu *known, pm_error *err);

/* Appends to the byte stream `contents` the digests of the user's datasets that have rows of the
 * GPU. Sets *measured and *traced to true if there are rows with times or traced counters. Appends
 * nothing if there are no such rows. */
pm_status pm_with_see(pm_session *session, const char *gpu, pm_wire *contents, bool *measured,
                      bool *traced, pm_error *err);

/* Adds names to the sorted list `names`, for each GPU with rows in the user's datasets: GPU if rows
 * have measured times, and GPU-trace if rows have traced counters. */
pm_status pm_with_names(pm_session *session, pm_strings *names, pm_error *err);

#endif
