/* The corpus: shipped workload files that train and validate the models.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_SUITE_CORPUS_H
#define PM_PROGRAM_SUITE_CORPUS_H

#include "perfmodel.h"

typedef struct {
    size_t count;
    char **names, **paths; /* file NAME.workload has program NAME; sorted by name */
} pm_corpus;

/* Lists the corpus. It is empty if the corpus is not installed. NULL: PM_FAILED. */
pm_corpus *pm_corpus_list(pm_error *err);
void pm_corpus_free(pm_corpus *corpus);

#endif
