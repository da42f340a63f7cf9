__kernel void k(__global const float *restrict in, __global float *restrict out, int n)
{
    const int x = get_global_id(0);
    float sum = 0.0f;

    for (int k = 0; k < n; k++) {
        if (in[k] < 0.0f)
            break;
        sum += in[k];
    }
    out[x] = sum;
}
