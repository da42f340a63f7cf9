/* kernels/copy/copy.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
extern "C" __global__ void __launch_bounds__(GROUP)
    copy(const TYPE *__restrict__ a, TYPE *__restrict__ b)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    b[i] = a[i];
}
