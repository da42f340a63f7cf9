#define A(row, col) a[(row) * n + (col)]

__kernel void divide(__global float * a, const int n, const int k)
{
    const int row = k + 1 + get_global_id(0);
    if (row < n)
        A(row, k) /= A(k, k);
}

__kernel void update(__global float * a, const int n, const int k)
{
    const int col = k + 1 + get_global_id(0);
    const int row = k + 1 + get_global_id(1);
    if (row < n && col < n)
        A(row, col) -= A(row, k) * A(k, col);
}

__kernel void update_lazy(__global float * a, const int n, const int k)
{
    const int col = k + 1 + get_global_id(0);
    const int row = k + 1 + get_global_id(1);
    if (row < n && col < n)
        A(row, col) -= A(row, k) / A(k, k) * A(k, col);
}

__kernel void divide_all(__global float * a, const int n)
{
    const int col = get_global_id(0);
    const int row = get_global_id(1);
    if (row < n && col < row)
        A(row, col) /= A(col, col);
}
