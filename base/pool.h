/* A pool of threads for independent tasks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_POOL_H
#define PM_BASE_POOL_H

#include "perfmodel.h"

typedef struct pm_pool pm_pool;

/* Creates a pool. threads: number of threads, including the calling thread; 0: one for each
 * processor that the process may use. */
pm_pool *pm_pool_create(unsigned threads, pm_error *err);
void pm_pool_free(pm_pool *pool);
unsigned pm_pool_threads(const pm_pool *pool); /* 1 if pool is NULL */

/* pm_pool_run calls work(user, i, error) for i = 0 .. count - 1 in any order, in the threads of the
 * pool, and waits for them. After an error no further tasks start. If several tasks fail, the error
 * of the smallest i is returned. pool NULL: runs the tasks in order in the calling thread. */
typedef pm_status (*pm_work)(void *user, size_t i, pm_error *err);
pm_status pm_pool_run(pm_pool *pool, size_t count, pm_work work, void *user, pm_error *err);

#endif
