#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void mv_double(__global const float* A, __global const float* x, __global float* y, uint rows, uint cols)
{
  uint r = get_global_id(0);
  double s = 0;
  for (uint c = cols; c-- > 0;) s += (double)A[(size_t)r * cols + c] * (double)x[c];
  y[r] = (float)(s + y[r]);
}
