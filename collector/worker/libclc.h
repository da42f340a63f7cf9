/* Makes parts of libclc in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_LIBCLC_H
#define PM_COLLECTOR_WORKER_LIBCLC_H

#include "collector/worker/worker.h"

/* The function `cut` of a pm_libclc_cutter. worker: a pm_worker. */
pm_status pm_worker_cut_libclc(void *worker, const char *libclc, const char *names, char **bitcode,
                               size_t *bytes);

#endif
