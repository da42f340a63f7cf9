/* How kernels use the fields of a struct: the access tables of a trace, by field.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_USES_H
#define PM_LAYOUT_USES_H

#include "source/source.h"

typedef enum { PM_SPREAD, PM_CONSECUTIVE, PM_SHARED } pm_pattern;

/* A field in one loop of a kernel. */
typedef struct {
    size_t kernel; /* of the source's description */
    unsigned loop; /* line of the innermost loop; 0: none */
    size_t field;
    bool read, written;
    double executions; /* by warps, of the instruction that ran most often */
    double elements;   /* distinct structs that a warp's instruction touches, by its sectors */
    pm_pattern pattern;
} pm_field_use;

/* The uses of a struct, in the order of kernels, loops and fields. */
pm_field_use *pm_uses(pm_memory *memory, const pm_source_info *source, size_t structure,
                      const pm_trace_kernel *traced, size_t traced_count, size_t *count);

#endif
