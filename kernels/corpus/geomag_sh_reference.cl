#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes each function from its sum of powers, and its slope by the product rule, in double.
 * Degree 0 is part of the sum. */
double factorial(int n) { return n < 2 ? 1.0 : exp(lgamma(n + 1.0)); }

__kernel void evaluate(__global const float2 *gauss, __global const float *colatitude, __global const float *longitude,
                       __global const float *radius, __global float *field, int places)
{
    int id = get_global_id(0);
    double theta = colatitude[id], phi = longitude[id], r = radius[id], b[3] = {0, 0, 0};
    double c = cos(theta), s = sin(theta);
    for (int n = 0; n <= DEGREE; n++)
        for (int m = 0; m <= n; m++) {
            /* P = norm s^m q(c), q the m-th derivative of Legendre's polynomial */
            double q = 0, dq = 0;
            for (int k = 0; 2 * k <= n - m; k++) {
                double a = (k % 2 ? -1 : 1) * factorial(2 * n - 2 * k) /
                           (pow(2.0, n) * factorial(k) * factorial(n - k) * factorial(n - m - 2 * k));
                int e = n - m - 2 * k;
                q += a * pown(c, e);
                dq += e ? a * e * pown(c, e - 1) : 0;
            }
            double norm = sqrt((m ? 2.0 : 1.0) * factorial(n - m) / factorial(n + m));
            double p = norm * pown(s, m) * q, dp = norm * ((m ? m * pown(s, m - 1) * c * q : 0) - pown(s, m + 1) * dq);
            double g = 30000.0 / pown(2.0, n) * gauss[n * (DEGREE + 1) + m].x;
            double h = 30000.0 / pown(2.0, n) * gauss[n * (DEGREE + 1) + m].y, fall = pown(1 / r, n + 2);
            b[0] += (n + 1) * fall * (g * cos(m * phi) + h * sin(m * phi)) * p;
            b[1] -= fall * (g * cos(m * phi) + h * sin(m * phi)) * dp;
            b[2] -= fall * m * (h * cos(m * phi) - g * sin(m * phi)) * p / s;
        }
    for (int k = 0; k < 3; k++)
        field[k * places + id] = (float)b[k];
}
