/* Prelude of every traced CUDA source: clang includes it first. It replaces the CUDA toolkit's
 * headers by qualifiers, built-in variables, vector types and device functions. Mathematical
 * functions have the names of libclc's, because the trace engine's table of instructions has these
 * names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions are inlined and have no source lines of their own. An access in such a function
 * counts as an access of the line that calls it. If a source uses a name that is missing here,
 * clang reports an error with the line.
 */
#pragma clang system_header
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* `used` keeps static kernels, which no host code in the text launches */
#define __global__ __attribute__((global, used))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __inline_hint__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __CUDACC__ 1
#define __NVCC__ 1
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0

/* Attributes of functions that both kernels and host code may call. */
#define PM_DEVICE static __inline__ __attribute__((device, host, always_inline, nodebug))
#define PM_MEMBER __inline__ __attribute__((device, host, always_inline, nodebug))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#include "vectors.cuh"

#include "math.cuh"

#include "rounded.cuh"

#include "integers.cuh"

#include "simd.cuh"

#include "memory.cuh"

#include "warp.cuh"

#include "hip.cuh"

#include "standard.cuh"

#include "complex.cuh"

#include "texture.cuh"

#include "host.cuh"
