/* Types and functions that the files of the trace engine's client share. The client (an executor)
 * sends workloads to a worker process, which runs the trace engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_TRACE_PARTS_H
#define PM_COLLECTOR_WORKER_TRACE_PARTS_H

#include "collector/worker/executor_trace.h"
#include "collector/worker/process.h"
#include "compiler/nvidia/nvdisasm.h"
#include "compiler/nvidia/ptxas.h"
#include "machine/counters/counters.h"
#include "machine/rules.h"
#include "program/resources.h"

typedef struct {
    pm_executor base;
    pm_trace_engine_options options;
    const pm_counter_table *table;
    pm_gpu gpu;
    /* own: the worker if the executor created it and must free it, otherwise NULL */
    pm_worker *worker, *own;
    pm_process *process;
    /* true: ptxas reports how many registers and how much shared memory each kernel uses */
    bool assembles;
    pm_ptxas ptxas;
    /* disassembler of the machine code that ptxas makes; nvdisasm.program is "" if this machine has
     * none */
    pm_nvdisasm nvdisasm;
    /* name and version of AMD's compiler (LLVM) with the GPU's name in LLVM; "": the GPU is not
     * AMD's, or LLVM does not support it */
    char back_end[64];
    /* The following members describe the loaded workload. */
    const pm_workload *workload;
    /* Generation of the worker process that has loaded the workload, and number of the workload in
     * that process. */
    uint64_t generation, number;
    bool complete;
    bool is_ptx; /* true: it was loaded as PTX text */
    /* true: a compiler failed for some kernel, so that its registers are estimated */
    bool estimated;
    bool failed; /* true: a compiler that reports registers has failed, but may succeed next time */
    /* ahead: workload that was compiled before it is loaded; NULL: none. bitcode: its compiled
     * code. */
    const pm_workload *ahead;
    char *bitcode;
    size_t bitcode_bytes;
} trace_executor;

/* ---- trace_ask.c: requests to the worker process -----------------------------------------------
 */

/* If status is PM_BAD_INPUT, prepends the name of the file that describes the workload to the text
 * of the error. Returns status. */
pm_status pm_trace_name_origin(const pm_workload *workload, pm_status status, pm_error *err);
/* Sends a request about self->workload to the worker process and waits for the answer. Frees
 * body. */
pm_status pm_trace_ask(trace_executor *self, pm_worker_call *call, pm_wire *body, pm_error *err);
/* Sends a request about the loaded workload to the worker process. `body` starts with the
 * workload's number. Frees body. */
pm_status pm_trace_ask_loaded(trace_executor *self, pm_worker_call *call, pm_wire *body,
                              pm_error *err);

/* ---- assemble.c: resources reported by NVIDIA's compiler ---------------------------------------
 */

/* Sends the registers and shared memory of a kernel of the loaded workload to the engine in the
 * worker process. */
pm_status pm_trace_send_resources(trace_executor *self, const char *kernel,
                                  const pm_kernel_resources *taken, pm_error *err);

/* Finds NVIDIA's assembler ptxas if the options request it. If ptxas does not support the GPU,
 * resources are estimated, and a notice is logged. */
pm_status pm_trace_open_ptxas(trace_executor *self, pm_error *err);
/* Asks ptxas for the registers and shared memory of the loaded workload's kernels and sets them in
 * the engine. self->generation becomes 0 if LLVM's back end has crashed the worker process; the
 * workload must then be loaded again. */
pm_status pm_trace_assemble(trace_executor *self, pm_error *err);

/* ---- hip.c: CUDA sources on GPUs whose warps may have 64 threads ------------------------------
 */

/* Returns the workload's build options with the macros that HIP's compiler defines for the GPU. The
 * caller frees them. NULL: there is nothing to add, or out of memory. Logs a notice if the source
 * uses functions that require warps of 32 threads. */
char *pm_trace_hip_options(const trace_executor *self);
/* Returns whether the code that `other` has compiled ahead for its workload is valid for `one`,
 * too. CUDA sources compile to other code for GPUs with warps of 64 threads, and HIP sources to
 * other code for AMD GPUs. */
bool pm_trace_compiles_alike(const trace_executor *one, const trace_executor *other);

/* ---- nvidia.c: CUDA sources by clang or NVIDIA's compiler -------------------------------------
 */

/* Compiles the workload's CUDA source to bitcode with clang, or to PTX with NVIDIA's compiler, as
 * the user chooses. The caller frees *code. */
pm_status pm_trace_compile_cuda(const trace_executor *self, char **code, size_t *bytes,
                                pm_error *err);

/* Returns whether NVIDIA's compiler can compile the workload's source for this GPU: it is CUDA, not
 * HIP, and the GPU is NVIDIA's. */
bool pm_trace_has_nvidia(const trace_executor *self);
/* Returns whether the executor may try NVIDIA's compiler for a source that clang refuses. */
bool pm_trace_may_ask_nvidia(const trace_executor *self);
/* Compiles the workload's source to PTX with NVIDIA's compiler. refused: the error with which clang
 * has refused the source, which is then logged as a notice; NULL: clang was not asked. The caller
 * frees *ptx. */
pm_status pm_trace_compile_nvidia(const trace_executor *self, const pm_error *refused, char **ptx,
                                  size_t *bytes, pm_error *err);

/* ---- amd_resources.c: resources reported by AMD's compiler --------------------------------------
 */

/* Sets self->back_end to the name and version of AMD's compiler if LLVM supports the GPU. */
void pm_trace_name_amd(trace_executor *self);
bool pm_trace_asks_amd(const trace_executor *self);
/* Asks AMD's back end for the registers of the loaded workload's kernels and sets them in the
 * engine. If the back end rejects a kernel, its registers are estimated. */
pm_status pm_trace_ask_amd(trace_executor *self, pm_error *err);

#endif
