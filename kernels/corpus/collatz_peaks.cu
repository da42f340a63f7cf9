/* kernels/corpus/collatz_peaks.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void collatz(unsigned short *steps, unsigned long long *peak, unsigned long long first)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long n = first + i, top = n;
    unsigned int count = 0;
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
