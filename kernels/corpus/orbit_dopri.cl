#define J2 0.02f
#define TOL 3e-6f

#ifdef UNROLL
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED
#endif

__constant float A[7][6] = {
    { 0 },
    { 1.0f/5 },
    { 3.0f/40, 9.0f/40 },
    { 44.0f/45, -56.0f/15, 32.0f/9 },
    { 19372.0f/6561, -25360.0f/2187, 64448.0f/6561, -212.0f/729 },
    { 9017.0f/3168, -355.0f/33, 46732.0f/5247, 49.0f/176, -5103.0f/18656 },
    { 35.0f/384, 0, 500.0f/1113, 125.0f/192, -2187.0f/6784, 11.0f/84 },
};
__constant float E[7] = { 71.0f/57600, 0, -71.0f/16695, 71.0f/1920, -17253.0f/339200, 22.0f/525, -1.0f/40 };

static void rhs(const float *s, float *d)
{
    float r2 = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    float inv2 = 1.0f / r2;
    float inv3 = inv2 * sqrt(inv2);
    float zz = 5.0f * s[2] * s[2] * inv2;
    float j = 1.5f * J2 * inv2;
    d[0] = s[3];
    d[1] = s[4];
    d[2] = s[5];
    d[3] = -s[0] * inv3 * (1.0f + j * (1.0f - zz));
    d[4] = -s[1] * inv3 * (1.0f + j * (1.0f - zz));
    d[5] = -s[2] * inv3 * (1.0f + j * (3.0f - zz));
}

__kernel void propagate(__global const float *x, __global const float *z, __global const float *speed,
                        __global const float *tilt, __global float *out, int n, float t_end)
{
    int id = get_global_id(0);
    if (id >= n)
        return;

    float y[6] = { x[id], 0.0f, z[id], 0.0f, speed[id] * cos(tilt[id]), speed[id] * sin(tilt[id]) };
    float k[7][6], tmp[6];
    float t = 0.0f, h = 0.05f;

    rhs(y, k[0]);
    for (int iter = 0; iter < 500 && t < t_end; iter++) {
        h = fmin(h, t_end - t);
        UNROLLED
        for (int s = 1; s < 7; s++) {
            UNROLLED
            for (int c = 0; c < 6; c++) {
                float sum = 0.0f;
                UNROLLED
                for (int m = 0; m < s; m++)
                    sum += A[s][m] * k[m][c];
                tmp[c] = y[c] + h * sum;
            }
            rhs(tmp, k[s]);
        }
        /* tmp is now the solution of fifth order, and k[6] is the derivative there. */
        float worst = 0.0f;
        UNROLLED
        for (int c = 0; c < 6; c++) {
            float e = 0.0f;
            UNROLLED
            for (int m = 0; m < 7; m++)
                e += E[m] * k[m][c];
            worst = fmax(worst, fabs(h * e));
        }
        if (worst <= TOL) {
            t += h;
            UNROLLED
            for (int c = 0; c < 6; c++) {
                y[c] = tmp[c];
                k[0][c] = k[6][c];
            }
        }
        float grow = 0.9f * native_powr(TOL / fmax(worst, 1e-9f), 0.2f);
        h *= clamp(grow, 0.3f, 3.0f);
    }
    for (int c = 0; c < 6; c++)
        out[c * n + id] = y[c];
}
