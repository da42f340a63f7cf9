/* Computes the product from the rule by which the matrix was made, without the arrays of rows and
 * columns. */
kernel void spmv_csr_scalar(global const int *ptr, global const int *col, global const float *val,
                            global const float *x, global float *y, int n)
{
    long row = get_global_id(0);
    if (row >= n)
        return;
    long before = 6 * row + 250 * ((row + 40) / 64);
    long count = row % 64 == 23 ? 256 : 6;
    double sum = 0;
    for (long e = before + count - 1; e >= before; e--)
        sum += (double)val[e] * x[(e / 10 + e * 7919 % 8009) % n];
    y[row] = (float)sum;
}
