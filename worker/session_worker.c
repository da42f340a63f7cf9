/* A session's worker. See session_worker.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worker/session_worker.h"

static bool is_cancelled(void *session)
{
    return pm_session_is_cancelled(session);
}

static void release(void *worker)
{
    pm_worker_free(worker);
}

pm_worker *pm_session_worker(pm_session *session)
{
    const pm_worker_limits limits = {.cancel = {is_cancelled, session}};
    pm_worker *worker = pm_session_find(session, "worker", "");

    if (worker || !session)
        return worker;
    worker = pm_worker_create(&limits, NULL);
    if (worker && pm_session_keep(session, "worker", "", worker, release, NULL) != PM_OK)
        worker = NULL;
    return worker;
}
