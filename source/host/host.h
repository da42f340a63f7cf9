/* Kernel launches in the host code of a CUDA or HIP source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Host code is followed from main on, or else from each function that launches a kernel and that
 * none of the others calls, as an interpreter would with what is known. Loops run as long as they
 * are cheap. Where a condition is not known, the branch is taken that goes on. Unless the program's
 * arguments are known, it is taken to get none.
 */
#ifndef PM_SOURCE_HOST_HOST_H
#define PM_SOURCE_HOST_HOST_H

#include "source/host/tree.h"
#include "source/launches.h"

typedef struct {
    pm_host_parse parse;
    const char *const *sets; /* NAME=VALUE */
    size_t set_count;
    bool has_arguments; /* `arguments` are known */
    const char *const *arguments;
    size_t argument_count;
    uint64_t most; /* largest integer to assume for a size; 0: the usual one */
} pm_host_request;

/* Fills `out`, which is to be freed also after a failure. A source without host code that launches
 * a kernel has zero launches. */
pm_status pm_host_read(const pm_host_request *request, pm_source_launches *out, pm_error *err);

#endif
