/* Replaces the GPU names that the user gave (targets) by the ids of these GPUs in devices.csv. See
 * cli.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/session/session.h"
#include "cli/cli.h"
#include "machine/names.h"

pm_status cli_name_targets(cli_options *o, pm_error *err)
{
    pm_status status = PM_OK;

    o->ids = calloc(o->targets.count + 1, sizeof *o->ids);
    if (!o->ids)
        return pm_fail(err, PM_FAILED, "out of memory for the targets' names");
    for (size_t i = 0; status == PM_OK && i < o->targets.count; i++) {
        status = pm_gpu_id_of(o->targets.names[i], o->datasets, &o->ids[i], err);
        if (o->ids[i])
            o->targets.names[i] = o->ids[i];
    }
    return status;
}

void cli_targets_free(cli_options *o)
{
    for (size_t i = 0; o->ids && i < o->targets.count; i++)
        free(o->ids[i]);
    free(o->ids);
}

bool cli_leave_out_target(pm_session *session, const cli_options *o, const char *target,
                          const pm_error *why, pm_error *err)
{
    if (err->status == PM_OK)
        *err = *why;
    if (cli_stopped() || o->targets.count == 1)
        return false;
    cli_progress_clear();
    pm_session_leave_out(session, "%s: left out: %s", target, why->text);
    return true;
}
