/* Makes bitcode of only those functions of libclc that a source needs, in a worker process. clang
 * links it faster than all of libclc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_LIBCLC_H
#define PM_COLLECTOR_WORKER_LIBCLC_H

#include "collector/worker/worker.h"

/* Function `cut` of a pm_libclc_cutter: makes bitcode of the named functions of libclc. worker: a
 * pm_worker, the member `user` of the cutter. */
pm_status pm_worker_cut_libclc(void *worker, const char *libclc, const char *names, char **bitcode,
                               size_t *bytes);

#endif
