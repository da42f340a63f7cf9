/* What the executor of the trace engine is made of. See executor_trace.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_WORKER_TRACE_PARTS_H
#define PM_WORKER_TRACE_PARTS_H

#include "compiler/nvidia/ptxas.h"
#include "counters/counters.h"
#include "gpu/rules.h"
#include "program/resources.h"
#include "worker/executor_trace.h"
#include "worker/process.h"

typedef struct {
    pm_executor base;
    pm_trace_engine_options options;
    const pm_counter_table *table;
    pm_gpu gpu;
    pm_worker *worker, *own; /* own: it ends with the executor */
    pm_process *process;
    bool assembles; /* ptxas tells what kernels take */
    pm_ptxas ptxas;
    char back_end[64]; /* AMD's; "": another maker's GPU, or one that LLVM does not know */
    /* of the loaded workload */
    const pm_workload *workload;
    uint64_t generation, number; /* of the process that has it; its number there */
    bool complete;
    bool estimated; /* the compiler refused it, or some of its kernels */
    bool failed;    /* a compiler has failed and may succeed next time */
    /* What was compiled ahead, and the workload it is of; NULL: nothing */
    const pm_workload *ahead;
    char *bitcode;
    size_t bitcode_bytes;
} trace_executor;

/* Asks about the loaded workload, whose number starts the body; body is freed. */
pm_status pm_trace_ask_loaded(trace_executor *self, pm_worker_call *call, pm_wire *body,
                              pm_error *err);

/* ---- assemble.c: what kernels take by NVIDIA's compiler ------------------------------------- */

/* Tells the engine what a kernel of the loaded workload takes. */
pm_status pm_trace_send_resources(trace_executor *self, const char *kernel,
                                  const pm_kernel_resources *taken, pm_error *err);

/* Finds ptxas if the options ask for it. A GPU that it has no code for keeps its estimates, of
 * which the user is told. */
pm_status pm_trace_open_ptxas(trace_executor *self, pm_error *err);
/* Of the loaded workload. Where LLVM's back end has ended the worker's process, the workload is to
 * be loaded again: generation is 0. */
pm_status pm_trace_assemble(trace_executor *self, pm_error *err);

/* ---- hip.c: CUDA sources on GPUs whose warps may have 64 threads ---------------------------- */

/* Build options of the workload with what HIP's compiler for the GPU defines, to be freed; NULL:
 * nothing is added, or there is no memory. Tells which words of the source mean warps of 32. */
char *pm_trace_hip_options(const trace_executor *self);
/* Whether a workload compiled for one is the same for the other. */
bool pm_trace_compiles_alike(const trace_executor *one, const trace_executor *other);

/* ---- amd_resources.c: what they take by AMD's ----------------------------------------------- */

/* Names the back end where the GPU has one; it is LLVM's, and asked wherever results are counted.
 */
void pm_trace_name_amd(trace_executor *self);
bool pm_trace_asks_amd(const trace_executor *self);
/* Of the loaded workload. Kernels that it refuses keep their estimates. */
pm_status pm_trace_ask_amd(trace_executor *self, pm_error *err);

#endif
