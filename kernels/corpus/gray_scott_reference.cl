#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Returns the Laplacian: a sum over the 3x3 neighbourhood, with weights by distance. */
double laplace(global const float *p, int x, int y)
{
    double sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int far = abs(dx) + abs(dy);
            sum += (far == 0 ? -1.0 : far == 1 ? 0.2 : 0.05) * p[(y + dy + H) % H * W + (x + dx + W) % W];
        }
    return sum;
}

kernel void react_weights(global const float *u, global const float *v, global float *un, global float *vn,
                          float4 rates)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * W + x;
    double a = u[at], b = v[at];
    un[at] = (float)(a + rates.x * laplace(u, x, y) - a * b * b + rates.z * (1 - a));
    vn[at] = (float)(b + rates.y * laplace(v, x, y) + a * b * b - ((double)rates.z + rates.w) * b);
}
