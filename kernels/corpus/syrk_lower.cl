__kernel void ssyrk_lower(int N, int K, float alpha, __global const float *A, int lda,
                          float beta, __global float *C, int ldc)
{
  int j = get_global_id(0);
  int i = get_global_id(1);
  if (i >= N || j > i)
    return;
  float acc = 0.f;
  for (int p = 0; p < K; ++p)
    acc += A[i * lda + p] * A[j * lda + p];
  C[i * ldc + j] = alpha * acc + beta * C[i * ldc + j];
}

#define TILE 32
#define STEP 16

/* Converts a work-group's number to the (row, column) of a tile in the lower triangle. */
int2 triangle(int g)
{
  int r = (int)((sqrt(8.0f * g + 1.0f) - 1.0f) * 0.5f);
  while (r * (r + 1) / 2 > g) --r;
  while ((r + 1) * (r + 2) / 2 <= g) ++r;
  return (int2)(r, g - r * (r + 1) / 2);
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void ssyrk_lower_tiles(int N, int K, float alpha, __global const float *A, int lda,
                       float beta, __global float *C, int ldc)
{
  __local float P[STEP][TILE + 1];
  __local float Q[STEP][TILE + 1];
  const int2 t = triangle(get_group_id(0));
  const int lid = get_local_id(0);
  const int tx = lid & 15, ty = lid >> 4;
  const int i0 = t.x * TILE, j0 = t.y * TILE;
  float c00 = 0.f, c01 = 0.f, c10 = 0.f, c11 = 0.f;

  for (int p0 = 0; p0 < K; p0 += STEP) {
    for (int e = lid; e < TILE * STEP; e += 256) {
      const int p = e % STEP, r = e / STEP;
      const int in = p0 + p < K;
      P[p][r] = in && i0 + r < N ? A[(i0 + r) * lda + p0 + p] : 0.f;
      Q[p][r] = in && j0 + r < N ? A[(j0 + r) * lda + p0 + p] : 0.f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 0; p < STEP; ++p) {
      const float a0 = P[p][ty], a1 = P[p][ty + 16];
      const float b0 = Q[p][tx], b1 = Q[p][tx + 16];
      c00 += a0 * b0;
      c01 += a0 * b1;
      c10 += a1 * b0;
      c11 += a1 * b1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

#define PUT(r, c, v)                                                      \
  do {                                                                    \
    const int i = i0 + (r), j = j0 + (c);                                 \
    if (i < N && j <= i) C[i * ldc + j] = alpha * (v) + beta * C[i * ldc + j]; \
  } while (0)
  PUT(ty, tx, c00);
  PUT(ty, tx + 16, c01);
  PUT(ty + 16, tx, c10);
  PUT(ty + 16, tx + 16, c11);
}
