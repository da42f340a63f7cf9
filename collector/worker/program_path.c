/* Finds the path of the program perfmodel-worker.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/paths.h"
#include "collector/worker/process.h"

pm_status pm_worker_program(char *path, size_t size, pm_error *err)
{
    const char *chosen = getenv("PERFMODEL_WORKER");

    if (!chosen || !*chosen)
        return pm_module_path("perfmodel-worker", path, size, err);
    snprintf(path, size, "%s", chosen);
    return PM_OK;
}
