/* A cache of compiled programs. A workload is often traced for several GPUs in turn, and GPUs with
 * equal warp width can use the same compiled program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_SERVER_PROGRAMS_H
#define PM_COLLECTOR_WORKER_SERVER_PROGRAMS_H

#include "collector/engine/backend.h"
#include "collector/worker/server/server.h"

/* Returns the compiled program of a request, from the cache if it has it. The program remains valid
 * until pm_served_program_let_go. NULL with err on failure. */
pm_served_program *pm_served_program_take(pm_served_things *things,
                                          const pm_backend_request *request, pm_error *err);
const pm_trace_program *pm_served_program_code(const pm_served_program *program);
/* Returns the request that the program was built from. */
const pm_backend_request *pm_served_program_request(const pm_served_program *program);
void pm_served_program_let_go(pm_served_program *program); /* may be NULL */

#endif
