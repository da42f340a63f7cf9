/* The files of a GPU's datasets. See known.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_FILES_H
#define PM_MODEL_TRANSFER_FILES_H

#include "model/transfer/known.h"

/* What the datasets of a GPU's measured times and traced counters are called behind its name; the
 * last one is NULL. */
extern const char *const pm_known_measured_endings[], *const pm_known_traced_endings[];

/* What a published dataset of traced counters is called behind its GPU. */
#define PM_KNOWN_TRACED "-trace"

/* Finds out which files there are of known->name: fills whole, is_published and files. Each GPU's
 * are read once in a session. */
pm_status pm_known_see_files(pm_session *session, pm_known_gpu *known, pm_error *err);

#endif
