/* HIP's cooperative groups, which are CUDA's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cooperative_groups.h"
