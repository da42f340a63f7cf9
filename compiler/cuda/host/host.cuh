/* Prelude for host code, from which libclang finds launches. It replaces the headers of the CUDA
 * toolkit, of HIP, and of the host's C and C++ libraries.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interpreter of host code (transform/source/host) executes functions that have a body here.
 * The result of a function without a body is unknown, unless the interpreter knows the function by
 * its name. A statement with a name that is missing here is skipped.
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

#include "texture.cuh"

#include "libcudacxx.cuh"

#include "cub.cuh"

#include "hip.cuh"

#include "opencl.cuh"
