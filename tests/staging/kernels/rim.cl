__kernel void k(__global const float *restrict in, __global float *restrict out)
{
    const int x = get_global_id(0);

    if (x % 2 == 0) {
        float sum = 0.0f;

        for (int k = 0; k < 8; k++)
            sum += in[x + k];
        out[x] = sum;
    }
}
