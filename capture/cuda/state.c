/* Defines the variable with the whole state of the library that records the launches of a CUDA
 * program. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/cuda/cuda.h"

pm_cuda_layer *pm_cuda_layer_get(void)
{
    static pm_cuda_layer layer = {.constants_lock = PTHREAD_MUTEX_INITIALIZER};

    return &layer;
}
