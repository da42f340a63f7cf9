__kernel void sddmm(__global const uint2* pairs, __global const float* weight,
                    __global const float* a, __global const float* b, __global float* out)
{
    size_t e = get_global_id(0);
    double s = 0;
    for (int k = RANK - 1; k >= 0; k--)
        s += (double)a[pairs[e].x * RANK + k] * b[pairs[e].y * RANK + k] * weight[e];
    out[e] = (float)s;
}
