/* Whittaker smoother: (W + lambda D'D) z = W y, D second differences, so the matrix has bandwidth 2.
   Cholesky L diag L' of the band, forwards, backwards. A work-item per series of LEN points.
   d, c, e: diagonal and two sub-diagonals of the factor. */
#if INTERLEAVED
#define AT(i) ((i) * count + s)
#else
#define AT(i) (s * LEN + (i))
#endif

kernel void smooth_series(global const float *y, global const float *w, global float *z,
                          global float *d, global float *c, global float *e,
                          float lambda, int count)
{
    int s = get_global_id(0);
    if (s >= count)
        return;
    global const float *ys = y + s * LEN, *ws = w + s * LEN;
    global float *zs = z + s * LEN;

    float d1 = 1, c1 = 0, e1 = 0, z1 = 0;   /* of i - 1 */
    float d2 = 1, c2 = 0, e2 = 0, z2 = 0;   /* of i - 2 */
    for (int i = 0; i < LEN; i++) {
        /* column i of D'D: diagonal 1 5 6 ... 6 5 1, then -2 -4 ... -4 -2, then 1 */
        float diag = i == 0 || i == LEN - 1 ? 1 : i == 1 || i == LEN - 2 ? 5 : 6;
        float sub1 = i == LEN - 1 ? 0 : i == 0 || i == LEN - 2 ? -2 : -4;
        float sub2 = i < LEN - 2 ? 1 : 0;

        float di = ws[i] + lambda * diag - c1 * c1 * d1 - e2 * e2 * d2;
        float ci = (lambda * sub1 - d1 * c1 * e1) / di;
        float ei = lambda * sub2 / di;
        float zi = ws[i] * ys[i] - c1 * z1 - e2 * z2;
        d[AT(i)] = di;
        c[AT(i)] = ci;
        e[AT(i)] = ei;
        zs[i] = zi;
        d2 = d1; c2 = c1; e2 = e1; z2 = z1;
        d1 = di; c1 = ci; e1 = ei; z1 = zi;
    }
    z1 = z2 = 0;                            /* of i + 1 and i + 2 */
    for (int i = LEN - 1; i >= 0; i--) {
        float zi = zs[i] / d[AT(i)] - c[AT(i)] * z1 - e[AT(i)] * z2;
        zs[i] = zi;
        z2 = z1;
        z1 = zi;
    }
}
