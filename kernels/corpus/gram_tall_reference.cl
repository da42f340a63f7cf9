__kernel void dot_products(__global const float *A, __global float *G, int n)
{
    const size_t i = get_global_id(0) / 32, j = get_global_id(0) % 32;
    double sum = 0;
    for (size_t r = 0; r < n; r++)
        sum += (double)A[32 * r + i] * A[32 * r + j];
    G[32 * j + i] = (float)sum;
}

__kernel void gram_partial(__global const float *A, __global float *partial, const int rows) {}
