/* Finds the dataset files of a GPU from which models learn. See known.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_FILES_H
#define PM_MODEL_TRANSFER_FILES_H

#include "model/transfer/known.h"

/* Endings of the file names of a GPU's datasets after the GPU's name, for measured times and for
 * traced counters, such as "-corpus". NULL-terminated. */
extern const char *const pm_known_measured_endings[], *const pm_known_traced_endings[];

/* Ending of the name of a published dataset of traced counters, after the GPU's name. */
#define PM_KNOWN_TRACED "-trace"

/* Looks for the dataset files of the GPU known->name without reading them. Sets whole and
 * is_published, which say for what kinds of times files exist, and `files`, a digest of the files.
 * The files of a GPU are looked for once in a session. */
pm_status pm_known_see_files(pm_session *session, pm_known_gpu *known, pm_error *err);

#endif
