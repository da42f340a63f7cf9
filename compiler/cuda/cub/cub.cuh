/* Functions of CUB that the threads of a block or of a warp execute together. Replaces the CUDA
 * toolkit's header of this name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
#ifndef PM_CUB_H
#define PM_CUB_H
#include "algorithms.cuh"
#include "operators.cuh"
#include "reduce.cuh"
#include "scan.cuh"
#include "exchange.cuh"
#include "move.cuh"
#endif
