#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Positions in double, which holds multiples of 1 / 256 exactly. */
__kernel void follow(__global const short *vx, __global const short *vy, __global const uchar *noise,
                     __global uchar *picture, int width, int height, int steps)
{
    int px = get_global_id(0), py = get_global_id(1), count[2] = {0, 0};
    double total = noise[px + py * width];
    for (int way = 0; way < 2; way++) {
        double x = px + 0.5, y = py + 0.5;
        bool inside = true;
        while (inside && count[way] < steps) {
            int at = (int)floor(y) * width + (int)floor(x);
            x += (way ? 1 : -1) * vx[at] / 256.0;
            y += (way ? 1 : -1) * vy[at] / 256.0;
            inside = x >= 0 && x < width && y >= 0 && y < height;
            if (inside) {
                total += noise[(int)floor(y) * width + (int)floor(x)];
                count[way]++;
            }
        }
    }
    picture[px + py * width] = (uchar)floor(total / (1 + count[0] + count[1]));
}
