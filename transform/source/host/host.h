/* Finds kernel launches in the host code of a CUDA or HIP source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An interpreter executes the host code from main. If there is no main, or main ends before it
 * launches a kernel, it starts at each function that launches a kernel and that no other such
 * function calls. Values that depend on input are unknown. A loop is executed as long as it needs
 * few steps. If a condition is unknown, the interpreter takes the branch that does not end the
 * program. If the program's arguments are unknown, it is assumed to get none.
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_HOST_H
#define PM_TRANSFORM_SOURCE_HOST_HOST_H

#include "transform/source/host/tree.h"
#include "transform/source/launches.h"

typedef struct {
    pm_host_parse parse;
    const char *const *sets; /* NAME=VALUE */
    size_t set_count;
    bool has_arguments; /* `arguments` are known */
    const char *const *arguments;
    size_t argument_count;
    uint64_t most; /* largest integer to assume for a size; 0: the default */
} pm_host_request;

/* Finds the launches in host code and fills `out`. Free `out` even after a failure. If the source
 * has no host code that launches kernels, `out` has zero launches. */
pm_status pm_host_read(const pm_host_request *request, pm_source_launches *out, pm_error *err);

#endif
