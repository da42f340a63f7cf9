/* Launch options for kernels of source files that have no workload file. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_LAUNCH_H
#define PERFMODEL_LAUNCH_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launch options of a source file (.cl, .cu, .hip) that has no workload file. Such a source is
 * accepted wherever a workload file is. Its kernels are launched as the host code in the file
 * launches them. These options give the values that the host code does not determine. Values that
 * remain unknown are assumed. Each list is NULL-terminated; a list that is NULL is empty. */
typedef struct {
    /* Names of the kernels to launch. An instance of a template is written "reduce<float, 256>".
     * NULL: the kernels that the host code launches, or all kernels if there is no host code. */
    const char *const *kernels;
    /* grids: number of work-groups, "X", "X,Y" or "X,Y,Z". blocks: work-items of a work-group, in
     * the same format. shared: dynamic shared memory in bytes, such as "1024". Each list has either
     * one text for all kernels or one text for each member of `kernels`. */
    const char *const *grids, *const *blocks, *const *shared;
    /* Values of kernel arguments by parameter name: "n=1048576", "a=float[n]", "p=null". */
    const char *const *arguments;
    /* Values of integers of the host code that perfmodel cannot determine, such as "n=1048576". */
    const char *const *sets;
    const char *build_options; /* options for clBuildProgram or nvcc; NULL: none */
    uint64_t reserved[8];
} pm_launch_options;

/* Sets the launch options for later calls with this session. They replace the options of an earlier
 * call. The session copies them. options NULL: no options. Returns PM_BAD_INPUT if a string in
 * options is malformed; the session then has no launch options. This function does not check
 * whether the names of kernels, arguments and integers exist in a source. A later call that reads a
 * source fails if the source does not have one of the names. */
pm_status pm_session_launch(pm_session *session, const pm_launch_options *options, pm_error *err);

/* Returns the text of a workload file for a source file. Comments in the text list what was assumed
 * about the launches. Free it with free(). path: the source. written: path of the source as the
 * workload file gives it, relative to the folder of the workload file; NULL: the name of the
 * source, for a workload file in the same folder. Returns NULL on failure; PM_BAD_INPUT if path
 * does not end in .cl, .cu or .hip. */
char *pm_workload_text(pm_session *session, const char *path, const char *written, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
