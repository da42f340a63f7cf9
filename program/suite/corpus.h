/* Lists the corpus: workload files of further programs that are installed with perfmodel. Their
 * measured times train and validate the models of kernel times.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_SUITE_CORPUS_H
#define PM_PROGRAM_SUITE_CORPUS_H

#include "perfmodel.h"

typedef struct {
    size_t count;
    /* names: names of the programs, sorted; program NAME is in NAME.workload. paths: paths of these
     * files. */
    char **names, **paths;
} pm_corpus;

/* Lists the corpus: the workload files that are installed with perfmodel. The list is empty if the
 * corpus is not installed. NULL: PM_FAILED. */
pm_corpus *pm_corpus_list(pm_error *err);
void pm_corpus_free(pm_corpus *corpus);

#endif
