/* kernels/corpus/collatz_peaks.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void collatz(ushort *steps, ulong *peak, ulong first)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    ulong n = first + i, top = n;
    uint count = 0;
    while (n != 1) {
        if (n & 1) {
            n = 3 * n + 1;
            if (n > top)
                top = n;
        } else
            n >>= 1;
        count++;
    }
    steps[i] = count;
    peak[i] = top;
}
