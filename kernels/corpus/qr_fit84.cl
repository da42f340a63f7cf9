#define M 8
#define N 4

__kernel void householder_solve(__global const float *design, __global const float *rhs,
                                __global float4 *fit, __global float *misfit, uint systems)
{
  uint id = get_global_id(0);
  if (id >= systems) return;

  float A[M][N], b[M], x[N];
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++) A[i][j] = design[id*M*N + i*N + j];
    b[i] = rhs[id*M + i];
  }

  for (int k = 0; k < N; k++) {
    float norm2 = 0.0f;
    for (int i = k; i < M; i++) norm2 += A[i][k] * A[i][k];
    float alpha = A[k][k] > 0.0f ? -sqrt(norm2) : sqrt(norm2);
    /* v = column - alpha e_k is left where the column was */
    float vk = A[k][k] - alpha;
    float beta = 1.0f / (norm2 - alpha * A[k][k]);
    A[k][k] = vk;
    for (int j = k + 1; j < N; j++) {
      float s = 0.0f;
      for (int i = k; i < M; i++) s += A[i][k] * A[i][j];
      s *= beta;
      for (int i = k; i < M; i++) A[i][j] -= s * A[i][k];
    }
    float s = 0.0f;
    for (int i = k; i < M; i++) s += A[i][k] * b[i];
    s *= beta;
    for (int i = k; i < M; i++) b[i] -= s * A[i][k];
    A[k][k] = alpha;
  }

  for (int k = N - 1; k >= 0; k--) {
    float s = b[k];
    for (int j = k + 1; j < N; j++) s -= A[k][j] * x[j];
    x[k] = s / A[k][k];
  }
  fit[id] = (float4)(x[0], x[1], x[2], x[3]);

  float left = 0.0f;
  for (int i = N; i < M; i++) left += b[i] * b[i];
  misfit[id] = left;
}
