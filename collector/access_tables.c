/* The access tables of kernels. See access_tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/access_tables.h"

#include <stdlib.h>

void pm_trace_kernels_free(pm_trace_kernel *kernels, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        pm_trace_kernel *kernel = &kernels[k];

        for (size_t i = 0; i < kernel->access_count; i++) {
            free((char *)kernel->accesses[i].buffer);
            free((char *)kernel->accesses[i].structure);
            free((char *)kernel->accesses[i].field);
        }
        free(kernel->accesses);
        free((void *)kernel->names);
        free((void *)kernel->units);
        free((double *)kernel->values);
        free((double *)kernel->errors);
        free((char *)kernel->kernel);
    }
    free(kernels);
}
