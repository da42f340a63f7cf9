// A program that demands arguments is taken to have got them; one that has defaults keeps these.
//= assumed n = 1048576
//= needed n
//= needed repeat
//= data: float[1048576] assumed
//= counts: uint[64] zeros
//= 32: scale<<<8192, 128>>>(data, int 1048576, float 1.5)
//= 33: count<<<1, 64>>>(counts, int 64)
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void scale(float *data, int n, float by) { data[threadIdx.x] *= by; }
__global__ void count(unsigned *counts, int bins) { counts[threadIdx.x]++; }

int main(int argc, char *argv[])
{
    if (argc != 3) {
        printf("usage: %s n repeat\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]);
    const int repeat = atoi(argv[2]);
    int bins = argc > 3 ? atoi(argv[3]) : 64, block = 256;
    if (n <= 0)
        exit(1);
    float *data;
    unsigned int *counts;
    cudaMalloc((void **)&data, sizeof(float) * n);
    cudaMalloc((void **)&counts, sizeof(unsigned int) * bins);
    cudaMemset(counts, 0, sizeof(unsigned int) * bins); if (strcmp(argv[1], "-b") != 0) block = 128;
    for (int i = 0; i < repeat; i++) scale<<<(n + block - 1) / block, block>>>(data, n, 1.5f);
    count<<<1, bins>>>(counts, bins);
}
