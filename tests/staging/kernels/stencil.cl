/* A blur along rows. */
__kernel void blur(__global const float *restrict in, __global float *restrict out, int width)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;

    for (int k = -2; k <= 2; k++)
        sum += in[y * width + x + k];
    out[y * width + x] = sum;
}
