/* Eliminates from the last equation upwards, then solves downwards. */
__kernel void from_below(__global const float *lower, __global const float *diag,
                         __global const float *upper, __global const float *rhs,
                         __global float *pivot, __global float *x, int rows, int m)
{
    int row = get_global_id(0);
    size_t o = (size_t)row * m;

    pivot[o + m - 1] = diag[o + m - 1];
    x[o + m - 1] = rhs[o + m - 1];
    for (int k = m - 2; k >= 0; k--) {
        float f = upper[o + k] / pivot[o + k + 1];
        pivot[o + k] = diag[o + k] - f * lower[o + k + 1];
        x[o + k] = rhs[o + k] - f * x[o + k + 1];
    }
    x[o] /= pivot[o];
    for (int k = 1; k < m; k++)
        x[o + k] = (x[o + k] - lower[o + k] * x[o + k - 1]) / pivot[o + k];
}
