/* Staging arrays in local memory: the module's function. See layout/shared.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "share.h"

#include "collector/error.h"

pm_status pm_unit_share(const pm_unit *unit, const pm_share_request *request, pm_shared *out,
                        bool *hidden, pm_error *err)
{
    (void)request;
    (void)out;
    *hidden = false;
    return pm_fail(err, PM_BAD_INPUT, "%s: nothing can be staged", unit->path);
}
