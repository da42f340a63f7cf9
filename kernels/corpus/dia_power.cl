#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// data[d * rows + r] belongs to row r, column r + offset[d]  (as in scipy, but by rows)
__kernel void dia_mv(__global const double* data, __global const int* offset, const int ndiag,
                     __global const double* x, __global double* y, const int rows)
{
    const int r = get_global_id(0);
    if (r >= rows) return;

    double acc = 0.0;
    for (int d = 0; d < ndiag; d++)
    {
        const int c = r + offset[d];
        if (c >= 0 && c < rows)
            acc += data[d * rows + r] * x[c];
    }
    y[r] = acc;
}

// data_r[r * ndiag + d]
__kernel void dia_mv_by_rows(__global const double* data_r, __global const int* offset, const int ndiag,
                             __global const double* x, __global double* y, const int rows)
{
    const int r = get_global_id(0);
    if (r >= rows) return;

    double acc = 0.0;
    for (int d = 0; d < ndiag; d++)
    {
        const int c = r + offset[d];
        if (c >= 0 && c < rows)
            acc += data_r[r * ndiag + d] * x[c];
    }
    y[r] = acc;
}

// nine diagonals known to the compiler, no branches: clamped column, values outside are multiplied by 0
__constant int fixed_offset[9] = { -1025, -1024, -1023, -1, 0, 1, 1023, 1024, 1025 };

__kernel void dia_mv_fixed(__global const double* restrict data, __global const int* offset, const int ndiag,
                           __global const double* restrict x, __global double* restrict y, const int rows)
{
    const int r = get_global_id(0);
    if (r >= rows) return;

    double acc = 0.0;
    #pragma unroll
    for (int d = 0; d < 9; d++)
    {
        const int c = r + fixed_offset[d];
        const double in = select(0.0, 1.0, (long)(c >= 0 && c < rows));
        acc = fma(in * data[d * rows + r], x[clamp(c, 0, rows - 1)], acc);
    }
    y[r] = acc;
}
