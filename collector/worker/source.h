/* A kernel source that libclang parses and rewrites in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Use a source from one thread only.
 */
#ifndef PM_COLLECTOR_WORKER_SOURCE_H
#define PM_COLLECTOR_WORKER_SOURCE_H

#include "collector/worker/worker.h"
#include "program/workload.h"
#include "transform/layout/plan.h"
#include "transform/source/source.h"
#include "transform/staging/staging.h"

typedef struct pm_source pm_source;

/* Parses OpenCL C, or CUDA if the path ends in .cu. build_options: as for clBuildProgram, or nvcc.
 * Returns NULL on failure. The error is PM_BAD_INPUT with path:line and the reason if the source
 * does not compile, or if a struct cannot have another layout because it is packed or contains a
 * union, a bit-field or a pointer. worker must outlive the source; NULL: the source starts its own
 * worker. */
pm_source *pm_source_open(const char *text, const char *path, const char *build_options,
                          pm_worker *worker, const pm_log *log, pm_error *err);
void pm_source_close(pm_source *source);
const pm_source_info *pm_source_describe(const pm_source *source);
/* Returns the names of headers that a CUDA source includes by #include "..." and that are not
 * found, separated by ", ". Parsing ignores them, because they may be only for host code. "": all
 * were found. */
const char *pm_source_missing_headers(const pm_source *source);
/* Returns whether device code of a CUDA source, or of its headers, calls a function of that
 * name. */
bool pm_source_calls(const pm_source *source, const char *name);
/* Declarations of a CUDA source that do not compile are ignored and are not in the source's
 * description. Returns clang's error about the first of them. NULL: all compile. */
const pm_error *pm_source_left_out(const pm_source *source);

/* Rewrites all kernels of the source so that arrays of struct s of the source's description have
 * the memory layout that plans[s] describes. plans[s] NULL: no change. PM_BAD_INPUT with path:line
 * and the reason if the rewritten source would not be correct. */
pm_status pm_source_rewrite(pm_source *source, const pm_plan *const *plans, pm_rewritten *out,
                            pm_error *err);
/* Rewrites the source so that kernels copy parts of global arrays to local memory and read them
 * there (staging). PM_BAD_INPUT with path:line and the reason if an array of the request cannot be
 * staged. If the arrays are chosen automatically, PM_BAD_INPUT means that no array can be
 * staged. */
pm_status pm_source_stage(pm_source *source, const pm_stage_request *request, pm_staged *out,
                          pm_error *err);
/* Rewrites a CUDA source so that it uses constructs of C instead of C++. Functions replace the
 * template instances that are kernels, such as reduce<float, 256>, or that kernels call. Array
 * elements replace references. pointers: true if pointers replace parameters that are references to
 * structs, which a change of the structs' layout requires. PM_BAD_INPUT with path:line and the
 * reason if an instance cannot be written as a function. */
pm_status pm_source_instances(pm_source *source, const char *const *kernels, size_t kernel_count,
                              bool pointers, pm_instances *out, pm_error *err);
/* Appends a function to the source for each template instance among the kernels. The function has
 * the instance's parameters but no statements. See pm_instances_declare. */
pm_status pm_source_declare_instances(pm_source *source, const char *const *kernels,
                                      size_t kernel_count, pm_instances *out, pm_error *err);
/* The two functions return whether pm_source_instances may change the source. They only search the
 * text for keywords. */
bool pm_source_may_have_templates(const char *text, const char *path);
bool pm_workload_has_templates(const pm_workload *workload);
/* Replaces a workload's source by the result of pm_source_instances, and the names of the kernels
 * in its launches. Does nothing if the source is not CUDA. */
pm_status pm_workload_instances(pm_workload *workload, bool pointers, pm_worker *worker,
                                const pm_log *log, pm_error *err);
/* Applies pm_source_declare_instances to a workload's source and launches. Afterwards the workload
 * can only be used to describe its kernels' parameters; it cannot be run. */
pm_status pm_workload_declare_instances(pm_workload *workload, pm_worker *worker, pm_error *err);

#endif
