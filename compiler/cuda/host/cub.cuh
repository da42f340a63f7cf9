/* Names of CUB in host code: arguments of templates with launches. See host.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

#include "../cub/algorithms.cuh"

namespace hipcub
{
using namespace cub;
}
