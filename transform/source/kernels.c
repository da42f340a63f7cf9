/* Finds kernels in the description of a source. See source.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/source.h"

const pm_source_kernel *pm_source_find_kernel(const pm_source_info *info, const char *name)
{
    for (size_t k = 0; k < info->kernel_count; k++) {
        const pm_source_kernel *kernel = &info->kernels[k];

        if (strcmp(kernel->name, name) == 0 ||
            (kernel->symbol && strcmp(kernel->symbol, name) == 0))
            return kernel;
    }
    return NULL;
}
