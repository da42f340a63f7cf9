/* The toolkit's mma.h has half, and tensor cores, which are refused by name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
}
} // namespace nvcuda
