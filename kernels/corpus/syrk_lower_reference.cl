// Each work-item computes one row, in double.
__kernel void syrk_rows(int n, int k, float alpha, __global const float *a, int lda, float beta,
                        __global float *c, int ldc)
{
  size_t row = get_global_id(0);
  if (row >= n)
    return;
  for (size_t col = 0; col <= row; col++) {
    double dot = 0;
    for (size_t p = k; p-- > 0;)
      dot += (double)a[row * lda + p] * (double)a[col * lda + p];
    c[row * ldc + col] = (float)(alpha * dot + (double)beta * c[row * ldc + col]);
  }
}
