__kernel void blur(__global const float *in, __global float *out, int width)
{
    const int x = get_global_id(0);
    float sum = 0.0f;

    for (int k = 0; k <= 2; k++)
        sum += in[x + k];
    out[x] = sum;
}
