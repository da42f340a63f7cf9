/* Builds the workload (launches and data) of a program's variant and size, and computes the hash
 * that identifies its sources and data. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/session/session.h"
#include "program/suite/suite.h"

pm_status pm_program_define(pm_session *session, const pm_program *program, const char *variant,
                            const char *size, char text[PM_DEFINITION], pm_error *err)
{
    pm_workload *workload =
        pm_program_build(program, variant, size, pm_session_chosen(session)->seed, session, err);

    if (!workload)
        return err->status;
    pm_workload_definition(workload, text);
    pm_workload_free(workload);
    return PM_OK;
}
