// LU factorisation without pivoting, in place, row-major. Each step k is two launches.
#define A(r, c) a[(r) * n + (c)]

kernel void scale_column(global float *a, int n, int k)
{
    int r = k + 1 + get_global_id(0);
    if (r < n)
        A(r, k) = A(r, k) / A(k, k);
}

kernel void update_rest(global float *a, int n, int k)
{
    int c = k + 1 + get_global_id(0);
    int r = k + 1 + get_global_id(1);
    if (r < n && c < n)
        A(r, c) -= A(r, k) * A(k, c);
}
