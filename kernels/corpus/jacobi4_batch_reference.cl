/* Finds eigenvalues by bisection: the number of negative pivots of A - x I is the number of
 * eigenvalues below x. */
int below(const double *full, double x)
{
    double a[16];
    for (int i = 0; i < 16; i++) a[i] = full[i] - (i % 5 == 0 ? x : 0.0);
    int count = 0;
    for (int i = 0; i < 4; i++) {
        double d = a[i * 5];
        if (d == 0.0) d = 1e-300;
        if (d < 0.0) count++;
        for (int r = i + 1; r < 4; r++)
            for (int c = i + 1; c < 4; c++)
                a[r * 4 + c] -= a[r * 4 + i] * a[i * 4 + c] / d;
    }
    return count;
}

kernel void eig4_by_inertia(global const float *planes, global float4 *lambda, global float *resid, uint n)
{
    uint m = get_global_id(0);
    if (m >= n) return;
    double full[16];
    int k = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++, k++)
            full[i * 4 + j] = full[j * 4 + i] = planes[k * n + m];
    float e[4];
    for (int which = 0; which < 4; which++) {
        double lo = -10, hi = 10;
        for (int it = 0; it < 45; it++) {
            double mid = 0.5 * (lo + hi);
            if (below(full, mid) > which) hi = mid; else lo = mid;
        }
        e[which] = (float)(0.5 * (lo + hi));
    }
    lambda[m] = (float4)(e[0], e[1], e[2], e[3]);
    resid[m] = e[3];
}
