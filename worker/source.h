/* A kernel source, described and rewritten by libclang in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A source is used from one thread.
 */
#ifndef PM_WORKER_SOURCE_H
#define PM_WORKER_SOURCE_H

#include "layout/plan.h"
#include "program/workload.h"
#include "source/source.h"
#include "staging/staging.h"
#include "worker/worker.h"

typedef struct pm_source pm_source;

/* Parses OpenCL C, or CUDA where the path ends in .cu. build_options as for clBuildProgram, or
 * nvcc. Source that does not compile, and structs that no layout can be made for (a union,
 * bit-field or pointer inside, packed) are PM_BAD_INPUT with path:line and the reason. worker must
 * outlive the source; NULL: one of its own. */
pm_source *pm_source_open(const char *text, const char *path, const char *build_options,
                          pm_worker *worker, const pm_log *log, pm_error *err);
void pm_source_close(pm_source *source);
const pm_source_info *pm_source_describe(const pm_source *source);
/* Headers in "" that a CUDA source includes and that are not found, with ", " between. They are
 * left out, as they may be for host code. "": none. */
const char *pm_source_missing_headers(const pm_source *source);
/* Whether device code of a CUDA source, or of its headers, calls a function of that name. */
bool pm_source_calls(const pm_source *source, const char *name);
/* The first error of clang about a declaration that was left out of a CUDA source, because it does
 * not compile; the description lacks it. NULL: there is none. */
const pm_error *pm_source_left_out(const pm_source *source);

/* The source with plans[s] for struct s of the description (NULL: unchanged); one plan for all
 * kernels. What cannot be kept right is PM_BAD_INPUT with path:line and the reason. */
pm_status pm_source_rewrite(pm_source *source, const pm_plan *const *plans, pm_rewritten *out,
                            pm_error *err);
/* The source with arrays staged in local memory. What is asked for by name and cannot be done is
 * PM_BAD_INPUT with path:line and the reason; so is an automatic choice that finds nothing. */
pm_status pm_source_stage(pm_source *source, const pm_stage_request *request, pm_staged *out,
                          pm_error *err);
/* A CUDA source with what is in C too in place of what only C++ has: the instances of templates
 * that kernels (sum, reduce<float, 256>) and its functions use, each as a function, and elements of
 * arrays where references stand for them. pointers: what layouts are made of has them in place of
 * parameters that are references to structs. An instance that cannot be written out is
 * PM_BAD_INPUT, as above. */
pm_status pm_source_instances(pm_source *source, const char *const *kernels, size_t kernel_count,
                              bool pointers, pm_instances *out, pm_error *err);
/* Whether that may change anything, by the looks of its words. */
bool pm_source_may_have_templates(const char *text, const char *path);
bool pm_workload_has_templates(const pm_workload *workload);
/* Does that to a workload's source and launches, which have to be CUDA's for anything to change. */
pm_status pm_workload_instances(pm_workload *workload, bool pointers, pm_worker *worker,
                                const pm_log *log, pm_error *err);

#endif
