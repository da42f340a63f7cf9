/* What a dataset had already when a collection into it began.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECT_COLLECT_STORED_H
#define PM_COLLECT_COLLECT_STORED_H

#include "perfmodel.h"
#include "program/workload.h"

/* The rows of one device and one source of counters; those of others are as if not there. */
typedef struct {
    const pm_dataset *rows;
    const char *device, *source;
} pm_stored;

/* The row of a workload's kernel; NULL: none. */
const pm_sample *pm_stored_kernel(const pm_stored *stored, const pm_workload *workload,
                                  const char *kernel);
/* Whether all kernels of a workload have a row; *pass_s is then the time of a pass. */
bool pm_stored_workload(const pm_stored *stored, const pm_workload *workload, double *pass_s);
/* Whether there is any row of it. Says less than pm_stored_workload, but needs no workload, which
 * takes long to build. */
bool pm_stored_any(const pm_stored *stored, const char *program, const char *variant,
                   const char *size);

#endif
