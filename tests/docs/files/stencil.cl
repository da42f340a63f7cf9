__kernel void blur(__global const float *restrict in, __global float *restrict out, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += in[(y + j) * width + x + i];
    out[y * width + x] = sum / 25;
}
