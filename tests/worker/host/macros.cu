// A macro that is set stands for what the text defines.
//set N=4096
//set BLOCK=128
//= a: float[4096]
//= 12: k<128><<<32, 128>>>(a, int 4096)
#define N 1024
#define BLOCK 64
template <int B> __global__ void k(float *a, int n) { a[n] = B; }
int main() { float *a;
    cudaMalloc((void **)&a, N * sizeof *a);

    k<BLOCK><<<N / BLOCK, BLOCK>>>(a, N);
}
