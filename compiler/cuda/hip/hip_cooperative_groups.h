/* HIP's cooperative groups: includes the replacement of CUDA's header, which has the same types.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cooperative_groups.h"
