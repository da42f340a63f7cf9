/* The corpus: workload files that are shipped, to learn from and to be judged by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SUITE_CORPUS_H
#define PM_SUITE_CORPUS_H

#include "perfmodel.h"

typedef struct {
    size_t count;
    char **names, **paths; /* NAME.workload has program NAME; by name */
} pm_corpus;

/* NULL: PM_FAILED. A corpus that is not there has no files. */
pm_corpus *pm_corpus_list(pm_error *err);
void pm_corpus_free(pm_corpus *corpus);

#endif
