// The kernel of spills.cl in CUDA. LIMIT states the work-items of a block and the number of blocks
// that must be resident at once.
#ifndef LIMIT
#define LIMIT
#endif
__global__ void LIMIT bounds(int *a, int *b, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v[40];

    for (int k = 0; k < 40; k++)
        v[k] = a[i + 256 * k];
    for (int k = 0; k < 40; k++)
        out[i + 256 * k] = v[k] ^ b[i + 256 * k];
}
