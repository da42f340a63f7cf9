/* Given to libclang before host code that is read for its launches, in place of the toolkit's
 * headers, HIP's, and those of the host's C and C++ libraries.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing of it is compiled. Functions with bodies are followed when host code calls them; of one
 * without a body nobody knows what it returns. What is missing here only makes the statement that
 * names it be left out.
 */
#pragma clang system_header

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__
#define __inline_hint__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __CUDACC__ 1
#define __NVCC__ 1
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define PM_BOTH __attribute__((device, host)) inline

#include "library.cuh"

#include "standard.cuh"

#include "vectors.cuh"

#include "runtime.cuh"

#include "hip.cuh"

#include "opencl.cuh"
