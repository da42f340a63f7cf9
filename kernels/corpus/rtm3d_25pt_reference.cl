/* Returns the second derivative along one axis, in double. */
double second_derivative(__global const float *u, int i, int stride)
{
    const double w[9] = { -1.0 / 560, 8.0 / 315, -1.0 / 5, 8.0 / 5, -205.0 / 72,
                          8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560 };
    double sum = 0;
    for (int k = 0; k < 9; k++)
        sum += w[k] * u[i + (k - 4) * stride];
    return sum;
}

__kernel void wave_step(__global float *next, __global const float *now,
                        __global const float *c2dt2)
{
    int i = get_global_id(0) + 4 + NX * (get_global_id(1) + 4 + NY * (get_global_id(2) + 4));
    double a = c2dt2[i] * (second_derivative(now, i, 1) + second_derivative(now, i, NX) +
                           second_derivative(now, i, NX * NY));
    next[i] = (float)(now[i] + (now[i] - (double)next[i]) + a);
}
