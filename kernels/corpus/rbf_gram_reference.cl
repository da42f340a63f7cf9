#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes |a|^2 + |b|^2 - 2 a.b in double. Work-items of column 0 also sum their row. */
double value(__global const float *a, __global const float *b, double gamma)
{
    double aa = 0, bb = 0, ab = 0;
    for (int f = 0; f < 24; f++) {
        aa += (double)a[f] * a[f];
        bb += (double)b[f] * b[f];
        ab += (double)a[f] * b[f];
    }
    return exp(-gamma * (aa + bb - 2 * ab));
}

__kernel void kernel_value(__global const float *X, __global float *gram, __global float *density,
                           uint points, float gamma)
{
    const uint j = get_global_id(0), i = get_global_id(1);
    if (i < points && j < points)
        gram[(size_t)i * points + j] = (float)value(X + i * 24, X + j * 24, gamma);
    if (i < points && j == 0) {
        double sum = 0;
        for (uint k = 0; k < points; k++)
            sum += value(X + i * 24, X + k * 24, gamma);
        density[i] = (float)(sum / points);
    }
}
