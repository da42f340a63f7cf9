/* One work-item sweeps over the points of one colour, line by line. The new value is a weighted sum
 * of the old value and the neighbours. */
__kernel void sor_serial(__global float *u, __global const float *f, int iterations)
{
    for (int half_sweep = 0; half_sweep < 2 * iterations; half_sweep++)
        for (int y = 1; y <= H; y++)
            for (int x = 1 + (y + 1 + half_sweep) % 2; x <= W; x += 2) {
                __global float *c = u + y * (W + 2) + x;
                double neighbours = (double)c[-1] + c[1] + c[-(W + 2)] + c[W + 2];
                *c = (float)((1 - 1.6) * *c + 0.4 * (neighbours - f[c - u]));
            }
}
