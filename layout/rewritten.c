/* Freeing a rewritten source. See rewritten.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "layout/rewritten.h"

#include <stdlib.h>

void pm_rewritten_free(pm_rewritten *rewritten)
{
    for (size_t k = 0; k < rewritten->kernel_count; k++) {
        free(rewritten->kernels[k].name);
        free(rewritten->kernels[k].params);
    }
    free(rewritten->kernels);
    free(rewritten->text);
    *rewritten = (pm_rewritten){0};
}
