__kernel void k(__global const float *restrict in, __global float *restrict out)
{
    const int x = get_global_id(0);
    float sum = in[x] + in[x + 7];

    if (x % 2 == 0) {
        for (int k = 0; k < 8; k++)
            sum += in[x + k];
    }
    out[x] = sum;
}
