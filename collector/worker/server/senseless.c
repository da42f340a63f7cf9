/* The worker's error for a malformed request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "collector/worker/server/server.h"

pm_status pm_serve_senseless(pm_error *err)
{
    return pm_fail(err, PM_FAILED, "the worker process does not understand a request");
}
