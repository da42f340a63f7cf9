/* Replaces the CUDA toolkit's header of this name. It has half, but no functions of tensor cores,
 * so kernels that call one do not compile.
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
