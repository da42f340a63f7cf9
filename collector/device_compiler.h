/* The compiler of an OpenCL device alone: nothing is run, and no buffer made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_DEVICE_COMPILER_H
#define PM_COLLECTOR_DEVICE_COMPILER_H

#include "perfmodel.h"
#include "program/workload.h"

typedef struct pm_device_compiler pm_device_compiler;

/* Of that device (of pm_devices). */
pm_status pm_device_compiler_open(const pm_device *device, const pm_log *log,
                                  pm_device_compiler **out, pm_error *err);
/* The program binary (CL_PROGRAM_BINARIES) of a workload in OpenCL C; *binary is freed with free().
 */
pm_status pm_device_compiler_build(pm_device_compiler *self, const pm_workload *workload,
                                   char **binary, size_t *bytes, pm_error *err);
void pm_device_compiler_close(pm_device_compiler *self);

#endif
