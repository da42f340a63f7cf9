/* Products of matrices in shared memory that a group of four warps computes (PTX: wgmma).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_GROUP_PRODUCT_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_GROUP_PRODUCT_H

#include "collector/engine/program.h"

/* Computes one work-item's result of a product of a group of four warps (PTX: wgmma). The function
 * has the type pm_group_fragment_code. The argument `what` is a pm_group_product, which describes
 * the product. */
void pm_multiply_group(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                       uint32_t *result, const pm_group_context *group, uint64_t mask);

#endif
