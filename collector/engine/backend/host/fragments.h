/* Functions that generated code calls for matrices whose elements are distributed over the
 * work-items of a warp (fragments; PTX: mma, ldmatrix and similar).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operand of each function is a vector of 32-bit words for each work-item of the warp. The
 * positions of elements are those of NVIDIA's "Parallel Thread Execution ISA" 9.0, chapters "Matrix
 * Fragments for mma.m16n8k16" and following.
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_FRAGMENTS_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_FRAGMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "collector/engine/program.h"

/* Type of functions that compute one work-item's result of an operation of a whole warp. The
 * argument `what` is the description of the operation, from pm_fragment_function_of. given: operand
 * of work-item 0, a vector of words. The vector of the next work-item begins `stride` words
 * further. lane: number of the work-item in the warp. result: receives the result's words. */
typedef void (*pm_fragment_code)(const void *what, const uint32_t *given, uint64_t stride,
                                 uint64_t lane, uint32_t *result);

/* Like pm_fragment_code, for an operation that also uses or changes the state of the work-group.
 * mask: work-items of the warp that execute it. */
typedef void (*pm_group_fragment_code)(const void *what, const uint32_t *given, uint64_t stride,
                                       uint64_t lane, uint32_t *result,
                                       const pm_group_context *group, uint64_t mask);

/* The function that executes an operation, and its argument `what`. Either `code` or `group_code`
 * is NULL. */
typedef struct {
    pm_fragment_code code;
    pm_group_fragment_code group_code;
    const void *what;
} pm_fragment_function;

/* Returns the function for an operation with a name such as pm.warp.ldmatrix. is_slice: true for
 * slices (code that computes only addresses and branches). The function's description `what` is
 * allocated from `kept`. `code` and `group_code` are NULL if there is no such operation. */
pm_fragment_function pm_fragment_function_of(const char *name, bool is_slice, pm_memory *kept);

#endif
