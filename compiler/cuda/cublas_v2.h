/* The types of the cuBLAS header that kernels use: 16-bit numbers. Replaces the CUDA toolkit's
 * header of this name. Functions of cuBLAS are called in host code only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
