/* One work-item computes all steps. A fraction 1 - dt gamma of the infected stays infected. The
 * susceptible decrease exponentially. */
__kernel void epidemic(__global float *a, __global float *b, __global float *s, __global const int *neighbour,
                       __global float *curve, int nodes, int steps)
{
    for (int t = 0; t < steps; t++) {
        __global float *from = t % 2 ? b : a, *to = t % 2 ? a : b;
        for (int d = 0; d < 64; d++) {
            double sum = 0;
            for (int n = d * (nodes / 64); n < (d + 1) * (nodes / 64); n++) {
                double p = 0.2 * from[n];
                for (int k = 4; k >= 0; k--) p += 0.16 * from[neighbour[n + k * nodes]];
                double left = s[n] * exp(-0.09 * p);
                to[n] = (float)(0.985 * from[n] + (s[n] - left));
                s[n] = (float)left;
                sum += to[n];
            }
            curve[t * 64 + d] = (float)sum;
        }
    }
}
