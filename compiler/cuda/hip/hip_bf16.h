/* HIP's bfloat16 numbers: includes the replacement of CUDA's header, which has the same types.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cuda_bf16.h"
typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
