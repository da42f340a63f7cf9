/* Independent pieces of work on all cores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_POOL_H
#define PM_BASE_POOL_H

#include "perfmodel.h"

typedef struct pm_pool pm_pool;

/* threads: 0 is as many as the process may use. */
pm_pool *pm_pool_create(unsigned threads, pm_error *err);
void pm_pool_free(pm_pool *pool);
unsigned pm_pool_threads(const pm_pool *pool); /* NULL: 1 */

/* Calls work(user, i, error) for i in 0 .. count - 1, in any order. The first error that a call
 * reports, by i, is passed on; what has not started by then is left. pool NULL: here, in order. */
typedef pm_status (*pm_work)(void *user, size_t i, pm_error *err);
pm_status pm_pool_run(pm_pool *pool, size_t count, pm_work work, void *user, pm_error *err);

#endif
