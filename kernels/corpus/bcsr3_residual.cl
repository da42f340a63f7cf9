__kernel void residual(__global const int *rowptr, __global const int *colidx,
                       __global const float *val, __global const float *x,
                       __global const float *b, __global float *r, int nodes)
{
   const int i = get_global_id(0);
   if (i >= nodes)
      return;

   float3 sum = vload3(i, b);
   for (int k = rowptr[i]; k < rowptr[i + 1]; k++)
   {
      const float3 xk = vload3(colidx[k], x);
      __global const float *v = val + 9 * k;
      sum.x -= dot(vload3(0, v), xk);
      sum.y -= dot(vload3(1, v), xk);
      sum.z -= dot(vload3(2, v), xk);
   }
   vstore3(sum, i, r);
}

#define ROWS_PER_GROUP 16

__kernel void residual_lanes(__global const int *rowptr, __global const int *colidx,
                             __global const float *val, __global const float *x,
                             __global const float *b, __global float *r, int nodes)
{
   __local float part[9 * ROWS_PER_GROUP];
   const int l = get_local_id(0);
   const int i = get_group_id(0) * ROWS_PER_GROUP + l / 9;
   const int entry = l % 9;
   float sum = 0.0f;

   if (i < nodes)
   {
      const int last = rowptr[i + 1];
      for (int k = rowptr[i]; k < last; k++)
         sum = fma(val[9 * k + entry], x[3 * colidx[k] + entry % 3], sum);
   }
   part[l] = sum;
   barrier(CLK_LOCAL_MEM_FENCE);

   if (l < 3 * ROWS_PER_GROUP)
   {
      const int at = get_group_id(0) * ROWS_PER_GROUP * 3 + l;
      if (at < 3 * nodes)
         r[at] = b[at] - (part[3 * l] + part[3 * l + 1] + part[3 * l + 2]);
   }
}
