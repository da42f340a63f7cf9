/* Computes D'D from D, and eliminates with five diagonals in double, from the last row upwards. */
kernel void full_elimination(global const float *y, global const float *w, global float *z,
                             float lambda, int count)
{
    enum { n = 100 };
    const double stencil[3] = { 1, -2, 1 };
    const long s = get_global_id(0);
    double a[n][5], rhs[n];                 /* a[i][2 + j - i] */
    if (s >= count)
        return;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 5; k++)
            a[i][k] = 0;
        a[i][2] = w[s * n + i];
        rhs[i] = (double)w[s * n + i] * y[s * n + i];
    }
    for (int row = 0; row + 3 <= n; row++)
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
                a[row + p][2 + q - p] += lambda * stencil[p] * stencil[q];
    for (int i = n - 1; i >= 0; i--)
        for (int up = 1; up <= 2 && up <= i; up++) {
            const double f = a[i - up][2 + up] / a[i][2];
            for (int k = -2; k <= 0; k++)
                if (k + up >= -2 && 2 + k + up <= 4)
                    a[i - up][2 + k + up] -= f * a[i][2 + k];
            rhs[i - up] -= f * rhs[i];
        }
    for (int i = 0; i < n; i++) {
        for (int k = 1; k <= 2 && k <= i; k++)
            rhs[i] -= a[i][2 - k] * rhs[i - k];
        rhs[i] /= a[i][2];
        z[s * n + i] = (float)rhs[i];
    }
}
