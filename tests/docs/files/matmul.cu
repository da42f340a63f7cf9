// Product of two matrices, n x n: each thread computes an element of c.
__global__ void matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

int main(void)
{
    const int n = 1024;
    const size_t bytes = n * n * sizeof(float);
    float *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    matmul<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
    return cudaDeviceSynchronize();
}
