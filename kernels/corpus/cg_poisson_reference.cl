#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// Solves the system by one work-item, with sums in double.
double product(__global const float *a, __global const float *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (double)a[i] * b[i];
    return s;
}

__kernel void solve(__global const float *b, __global float *x, __global float *r, __global float *p,
                    __global float *q, int side, int iterations)
{
    int n = side * side;
    for (int i = 0; i < n; i++)
        r[i] = p[i] = b[i];
    double rr = product(r, r, n);
    for (int k = 0; k < iterations; k++) {
        for (int i = 0; i < n; i++)
            q[i] = 4 * p[i] - (i % side ? p[i - 1] : 0) - ((i + 1) % side ? p[i + 1] : 0) -
                   (i >= side ? p[i - side] : 0) - (i + side < n ? p[i + side] : 0);
        double alpha = rr / product(p, q, n), before = rr;
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rr = product(r, r, n);
        for (int i = 0; i < n; i++)
            p[i] = r[i] + rr / before * p[i];
    }
}
