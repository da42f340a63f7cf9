// What a loop launches again counts as several times of one launch; two buffers may take turns.
//= needed done
//= a: float[1024]
//= b: float[1024]
//= temporary: float[2]
//= 19: step<<<4, 256>>>(a, b, int 1024) x50
//= 19: step<<<4, 256>>>(b, a, int 1024) x50
//= 22: reduce<<<2, 256>>>(a, int 512)
//= 22: reduce<<<1, 256>>>(a, int 256)
//= 23: reduce<<<1, 1>>>(a, int 0) x100000
//= 28: reduce<<<1, 3>>>(b, int 7)
//= 33: reduce<<<1, 2>>>(temporary, int 2) x9
__global__ void step(const float *a, float *b, int n) { b[0] = a[0]; }
__global__ void reduce(float *a, int n) { a[0] += a[n]; }
int main()
{
    const int n = 1024; float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);
    for (int i = 0; i < 100; i++) {
        step<<<n / 256, 256>>>(a, b, n); float *c = a; a = b; b = c;
    }
    for (int half = n / 2; half >= 256; half /= 2)
        reduce<<<half / 256, 256>>>(a, half);
    for (int i = 0; i < 100000; i++) reduce<<<1, 1>>>(a, 0);
    int *stop, done;
    cudaMalloc(&stop, 4);
    do {
        cudaMemset(stop, 0, 4);
        reduce<<<1, 3>>>(b, 7);
        cudaMemcpy(&done, stop, 4, cudaMemcpyDeviceToHost);
    } while (!done);
    for (int i = 0; i < 9; i++) {
        float *temporary; cudaMalloc(&temporary, 8);
        reduce<<<1, 2>>>(temporary, 2);
        cudaFree(temporary);
    }
}
