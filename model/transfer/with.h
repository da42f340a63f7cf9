/* Datasets of the user's own that models learn from because the session names them (`with` of
 * pm_session_options). Each row belongs to the GPU that its time was measured on, and its traced
 * counters to the GPU by whose rules they were counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_WITH_H
#define PM_MODEL_TRANSFER_WITH_H

#include "base/strings.h"
#include "base/wire.h"
#include "model/transfer/known.h"

/* Appends their rows of known->name to known->measured and known->traced, which are made where they
 * are NULL. */
pm_status pm_with_add(pm_session *session, pm_known_gpu *known, pm_error *err);

/* Appends digests of the files that have rows of the GPU to contents, and sets *measured and
 * *traced if there are such rows. Writes nothing if there are none. */
pm_status pm_with_see(pm_session *session, const char *gpu, pm_wire *contents, bool *measured,
                      bool *traced, pm_error *err);

/* Adds the names that their rows would have as datasets, GPU and GPU-trace, to sorted names. */
pm_status pm_with_names(pm_session *session, pm_strings *names, pm_error *err);

#endif
