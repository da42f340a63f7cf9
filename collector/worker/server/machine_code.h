/* Machine code of a loaded workload's kernels: the PTX that ptxas assembles, and the machine code
 * that nvdisasm disassembles from the result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_SERVER_MACHINE_CODE_H
#define PM_COLLECTOR_WORKER_SERVER_MACHINE_CODE_H

#include "collector/engine/backend.h"
#include "collector/engine/engine.h"
#include "collector/engine/sass/sass.h"

/* State of a workload's machine code in the worker. All zero: no PTX was prepared and no machine
 * code was read yet. */
typedef struct {
    pm_memory memory; /* owns everything */
    pm_ptx_annotated annotated;
    size_t kernel_count;
    char **kernels, **in_ptx; /* names of the kernels in the workload, and in the PTX */
    pm_sass_program program;
} pm_served_code;

/* Prepares the PTX of a request for ptxas (compiler/ptx/annotate.h). PM_BAD_INPUT if the request
 * has no PTX. */
pm_status pm_served_code_annotate(pm_served_code *code, const pm_backend_request *request,
                                  unsigned capability, pm_error *err);

/* Reads nvdisasm's text, and gives the machine code to the engine. Call it after
 * pm_served_code_annotate. PM_BAD_INPUT if the text does not have all kernels. */
pm_status pm_served_code_read(pm_served_code *code, const char *text, pm_engine *engine,
                              pm_error *err);

void pm_served_code_free(pm_served_code *code);

#endif
