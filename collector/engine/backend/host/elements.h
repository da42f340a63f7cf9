/* Converts elements of the matrices that tensor cores multiply, between the bits that a kernel
 * stores (such as FP8 or bfloat16) and numbers of the host.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_ELEMENTS_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_ELEMENTS_H

#include <stdint.h>

#include "machine/matrix_product.h"

/* Returns the value of element `index` of an array that is stored in 32-bit words. Elements of less
 * than 32 bits are packed, beginning with the lowest bits of the first word. */
double pm_element_value(pm_element element, const uint32_t *words, unsigned index);
/* Sets element `index` of an array, which is stored in 32-bit words, to `value`, rounded to the
 * nearest. The elements must have 16, 32 or 64 bits. saturates: true if a value that does not fit
 * into a signed 32-bit integer becomes the nearest one that does; false if only its low 32 bits are
 * used. */
void pm_element_set(pm_element element, uint32_t *words, unsigned index, double value,
                    bool saturates);

#endif
