float block_sum(float v, __local float* tmp) {
  const int tid = get_local_id(0);
  tmp[tid] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (tid < s) tmp[tid] += tmp[tid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float total = tmp[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return total;
}

__kernel void group_norm_silu(__global const float* x, __global const float* gamma, __global const float* beta,
                              __global float* y, int channels_per_group, int pixels, int groups, float eps,
                              __local float* tmp) {
  const int tid = get_local_id(0);
  const int nthreads = get_local_size(0);
  const int sample_group = get_group_id(0);
  const int n = channels_per_group * pixels;
  const size_t base = (size_t)sample_group * n;
  const int c0 = (sample_group % groups) * channels_per_group;

  float sum = 0.0f;
  for (int i = tid; i < n; i += nthreads) sum += x[base + i];
  const float mean = block_sum(sum, tmp) / n;

  float sq = 0.0f;
  for (int i = tid; i < n; i += nthreads) {
    const float d = x[base + i] - mean;
    sq += d * d;
  }
  const float rstd = rsqrt(block_sum(sq, tmp) / n + eps);

  for (int i = tid; i < n; i += nthreads) {
    const int c = c0 + i / pixels;
    const float t = (x[base + i] - mean) * rstd * gamma[c] + beta[c];
    y[base + i] = t / (1.0f + exp(-t));
  }
}
