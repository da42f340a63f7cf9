#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* A sample is the sum over the cells around of the tent function times the cell, after it is moved onto the map. */
__kernel void pool(__global const float *map, __global const float *left, __global const float *top,
                   __global const float *wide, __global const float *high, __global float *pooled, int channels,
                   int width, int height, int boxes)
{
    int channel = get_global_id(0), bin = get_global_id(1), box = get_global_id(2);
    double sum = 0;
    for (int s = 0; s < 4; s++) {
        double x = left[box] + wide[box] / 7.0 * (bin % 7 + (s % 2 ? 0.75 : 0.25));
        double y = top[box] + high[box] / 7.0 * (bin / 7 + (s / 2 ? 0.75 : 0.25));
        if (x < -1 || y < -1 || x > width || y > height)
            continue;
        x = fmin(fmax(x, 0.0), width - 1.0);
        y = fmin(fmax(y, 0.0), height - 1.0);
        for (int row = max((int)y - 1, 0); row <= min((int)y + 2, height - 1); row++)
            for (int column = max((int)x - 1, 0); column <= min((int)x + 2, width - 1); column++)
                sum += fmax(1 - fabs(x - column), 0.0) * fmax(1 - fabs(y - row), 0.0) *
                       map[(channel * height + row) * width + column] / 4;
    }
    pooled[(box * channels + channel) * 49 + bin] = (float)sum;
}
