#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// Weights are plain floats. The sigmoid is computed by tanh of half the argument.
double squash(double v) { return 0.5 + 0.5 * tanh(v / 2); }

__kernel void lstm_step(__global const float *x, __global const float *Wx, __global const float *Wh,
                        __global const float *b, __global float *h, __global float *c, int t, int batch)
{
    int u = get_global_id(0), s = get_global_id(1);
    double g[4];
    for (int q = 0; q < 4; q++) {
        g[q] = b[4 * u + q];
        for (int k = 0; k < X; k++)
            g[q] += (double)x[(t * batch + s) * X + k] * Wx[4 * (k * H + u) + q];
        for (int k = 0; k < H; k++)
            g[q] += (double)h[(t * batch + s) * H + k] * Wh[4 * (k * H + u) + q];
    }
    double now = squash(g[1]) * c[s * H + u] + squash(g[0]) * tanh(g[2]);
    c[s * H + u] = (float)now;
    h[((t + 1) * batch + s) * H + u] = (float)(squash(g[3]) * tanh(now));
}
