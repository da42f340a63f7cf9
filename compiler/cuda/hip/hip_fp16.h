/* HIP's half-precision numbers, which are CUDA's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cuda_fp16.h"
