/* Defines the variables with the state of the layer, the library that records the launches of an
 * OpenCL program. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/layer/layer.h"

_Thread_local bool pm_layer_in_callback;

pm_layer *pm_layer_get(void)
{
    static pm_layer layer;

    return &layer;
}
