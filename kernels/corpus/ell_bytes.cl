// y = relu(scale * W x). A row ends at its first slot without a column.
__kernel void layerByRow(__global const int *restrict col, __global const char *restrict weight,
                         __global const float *restrict scale, __global const float *restrict x,
                         __global float *restrict y, const int n)
{
    const int r = (int)get_global_id(0);
    if (r >= n) return;

    float acc = 0.f;
    for (int k = 0; k < K; ++k) {
        const int c = col[r * K + k];
        if (c < 0) break;
        acc += weight[r * K + k] * x[c];
    }
    y[r] = fmax(acc * scale[r], 0.f);
}

__kernel void layerByColumn(__global const int *restrict col, __global const char *restrict weight,
                            __global const float *restrict scale, __global const float *restrict x,
                            __global float *restrict y, const int n)
{
    const int r = (int)get_global_id(0);
    if (r >= n) return;

    float acc = 0.f;
    for (int k = 0; k < K; ++k) {
        const int c = col[k * n + r];
        if (c < 0) break;
        acc += weight[k * n + r] * x[c];
    }
    y[r] = fmax(acc * scale[r], 0.f);
}
