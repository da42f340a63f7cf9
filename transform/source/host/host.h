/* Finds kernel launches in the host code of a CUDA, HIP or OpenCL source, by interpreting the host
 * code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interpreter executes the host code from main. If there is no main, or main ends before it
 * launches a kernel, the interpreter starts at each function that launches a kernel and that no
 * other such function calls. Values that depend on input are unknown. A loop is executed as long as
 * it needs few steps. If a condition is unknown, the interpreter takes the branch that does not end
 * the program. If the program's command-line arguments are unknown, the interpreter assumes that
 * there are none.
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_HOST_H
#define PM_TRANSFORM_SOURCE_HOST_HOST_H

#include "transform/source/host/tree.h"
#include "transform/source/launches.h"

typedef struct {
    pm_host_parse parse;
    const char *const *sets; /* values of the host's variables, each as NAME=VALUE */
    size_t set_count;
    /* true: `arguments` has the program's command-line arguments; false: they are unknown */
    bool has_arguments;
    const char *const *arguments;
    size_t argument_count;
    /* largest value to assume for a variable from which a size is computed and whose value is
     * unknown; 0: the default limit */
    uint64_t most;
} pm_host_request;

/* Finds the launches in host code and fills `out`. Free `out` even after a failure. If the source
 * has no host code that launches kernels, `out` has zero launches. */
pm_status pm_host_read(const pm_host_request *request, pm_source_launches *out, pm_error *err);

#endif
