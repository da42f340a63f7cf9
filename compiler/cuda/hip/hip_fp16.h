/* HIP's half-precision numbers: includes the replacement of CUDA's header, which has the same
 * types.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cuda_fp16.h"
