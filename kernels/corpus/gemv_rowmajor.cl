__kernel void mv_item(__global const float* A, __global const float* x, __global float* y, uint rows, uint cols)
{
  uint r = get_global_id(0);
  if (r < rows) {
    float dot_ = y[r];
    for (uint c = 0; c < cols; ++c) dot_ += A[r * cols + c] * x[c];
    y[r] = dot_;
  }
}

__kernel void mv_group(__global const float* A, __global const float* x, __global float* y, uint cols,
                       __local float* part)
{
  uint r = get_group_id(0), t = get_local_id(0), T = get_local_size(0);
  __global const float* row = A + r * cols;
  float s = 0.f;
  for (uint c = t; c < cols; c += T) s = fma(row[c], x[c], s);
  part[t] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint w = T / 2; w != 0; w /= 2) {
    if (t < w) part[t] += part[t + w];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) y[r] += part[0];
}

__kernel void mv_lanes(__global const float4* A, __global const float4* x, __global float* y, uint cols)
{
  __local float part[8][33];
  uint lane = get_local_id(0), line = get_local_id(1), r = get_global_id(1), q = cols / 4;
  __global const float4* row = A + r * q;
  float4 s = 0.f;
  uint c = lane;
  for (; c + 32 < q; c += 64) {
    float4 a0 = row[c], a1 = row[c + 32];
    s += a0 * x[c];
    s += a1 * x[c + 32];
  }
  if (c < q) s += row[c] * x[c];
  part[line][lane] = s.x + s.y + s.z + s.w;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    float sum = 0.f;
    for (uint i = 0; i < 32; ++i) sum += part[line][i];
    y[r] += sum;
  }
}
