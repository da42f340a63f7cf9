/* Elements of the matrices of tensor cores: their values, and values as bits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_ELEMENTS_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_ELEMENTS_H

#include <stdint.h>

#include "machine/matrix_product.h"

/* Returns the value of element `index` of an array of 32-bit words, which begins at the lowest bits
 * of the first word. */
double pm_element_value(pm_element element, const uint32_t *words, unsigned index);
/* Sets element `index` of an array to a value, rounded to nearest. The element has 16, 32 or 64
 * bits. saturates: a value that does not fit into s32 becomes the nearest s32, else only its low 32
 * bits are kept. */
void pm_element_set(pm_element element, uint32_t *words, unsigned index, double value,
                    bool saturates);

#endif
