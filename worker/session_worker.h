/* A session's worker.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_WORKER_SESSION_WORKER_H
#define PM_WORKER_SESSION_WORKER_H

#include "session/session.h"
#include "worker/worker.h"

/* Made when it is first asked for, and the session's; it stops when the session is cancelled. NULL:
 * there is no session, or no memory; whoever takes a worker then starts one of its own. */
pm_worker *pm_session_worker(pm_session *session);

#endif
