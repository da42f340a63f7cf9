/* HIP's name for CUB. Replaces the header of this name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once
#include <cub/cub.cuh>

namespace hipcub
{
using namespace cub;
}
