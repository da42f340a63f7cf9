/* Compiled programs, kept: what was traced for one GPU is often traced for another next, and with
 * warps of one width they run the same code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_WORKER_SERVER_PROGRAMS_H
#define PM_WORKER_SERVER_PROGRAMS_H

#include "collector/trace/backend.h"
#include "worker/server/server.h"

/* The program of a request, built if it is not there yet; NULL with err. It stays until it is let
 * go. */
pm_served_program *pm_served_program_take(pm_served_things *things,
                                          const pm_backend_request *request, pm_error *err);
const pm_trace_program *pm_served_program_code(const pm_served_program *program);
/* What it was built of. */
const pm_backend_request *pm_served_program_request(const pm_served_program *program);
void pm_served_program_let_go(pm_served_program *program); /* may be NULL */

#endif
