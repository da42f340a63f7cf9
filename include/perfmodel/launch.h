/* How the kernels of a bare source are launched. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_LAUNCH_H
#define PERFMODEL_LAUNCH_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A source (.cl, .cu, .hip) can be given wherever a workload file can. Its kernels are launched as
 * its host code does it. What that leaves open, and all of a source without host code, is said
 * here, else assumed. Lists are NULL-terminated and may be NULL. */
typedef struct {
    /* Kernels to launch, of templates instances: "reduce<float, 256>"; NULL: those that the host
     * code launches, else all. */
    const char *const *kernels;
    /* Work-groups and work-items of a work-group, "X", "X,Y" or "X,Y,Z", and bytes of dynamic
     * shared memory: each list has one text for all kernels, or one for each of `kernels`. */
    const char *const *grids, *const *blocks, *const *shared;
    /* Arguments by the names of kernels' parameters: "n=1048576", "a=float[n]", "p=null". */
    const char *const *arguments;
    /* Integers that host code or assumptions leave open: "n=1048576". */
    const char *const *sets;
    const char *build_options; /* as for clBuildProgram or nvcc; NULL: none */
    uint64_t reserved[8];
} pm_launch_options;

/* Says how kernels of bare sources are launched in calls from now on, in place of what was said
 * before; options NULL: nothing is said. Texts of a wrong form are PM_BAD_INPUT; names that a
 * source does not have are told when it is read. */
pm_status pm_session_launch(pm_session *session, const pm_launch_options *options, pm_error *err);

/* The workload file of a bare source, with comments that tell what was assumed, to be freed with
 * free(). `written` is the source's path as the file says it, seen from the file's folder; NULL:
 * the file is to lie beside the source. NULL with err. */
char *pm_workload_text(pm_session *session, const char *path, const char *written, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
