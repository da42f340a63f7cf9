/* Freeing a description. See source.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "source/source.h"

#include <stdlib.h>

void pm_source_info_free(pm_source_info *info)
{
    for (size_t k = 0; k < info->kernel_count; k++) {
        for (size_t p = 0; p < info->kernels[k].param_count; p++)
            free(info->kernels[k].params[p].name);
        free(info->kernels[k].params);
        free(info->kernels[k].accesses);
        free(info->kernels[k].name);
    }
    free(info->kernels);
    for (size_t i = 0; i < info->name_count; i++)
        free(info->names[i]);
    free(info->names);
    pm_structs_free(&info->structs);
    *info = (pm_source_info){.names = NULL};
}
