#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes the Laplacian of the Laplacian, in double. */
double laplacian(__global const float *u, int at, int width)
{
    return (double)u[at - 1] + u[at + 1] + u[at - width] + u[at + width] - 4.0 * u[at];
}

__kernel void vibrate(__global const float *before, __global const float *now, __global float *next, int width,
                      int height, float stiffness, float damping)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * width + x;
    next[at] = 0;
    if (min(x, y) < 2 || x > width - 3 || y > height - 3)
        return;
    double twice = laplacian(now, at - 1, width) + laplacian(now, at + 1, width) + laplacian(now, at - width, width) +
                   laplacian(now, at + width, width) - 4 * laplacian(now, at, width);
    /* (next - 2 now + before) + damping (next - before) = -stiffness twice */
    double sum = 2.0 * now[at] - before[at] + damping * (double)before[at] - stiffness * twice;
    next[at] = (float)(sum / (1.0 + damping));
}
