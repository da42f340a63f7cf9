#define IDX(i, j, k) (((k) * N + (j)) * N + (i))

#define RELAX(i, j, k)                                                                  \
  do {                                                                                  \
    const int p = IDX(i, j, k);                                                         \
    const real s = phi[p - 1] + phi[p + 1] + phi[p - N] + phi[p + N]                    \
                 + phi[p - N * N] + phi[p + N * N];                                     \
    phi[p] = (1 - omega) * phi[p] + omega * (s - h2 * rho[p]) * (real)(1.0 / 6.0);      \
  } while (0)

typedef float real;

/* Each cell has a work-item. Work-items of cells with the other colour return at once. */
kernel void sor_all(global real *phi, global const real *rho, real omega, real h2, int colour)
{
  const int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
  if (i == 0 || j == 0 || k == 0 || i >= N - 1 || j >= N - 1 || k >= N - 1)
    return;
  if (((i + j + k) & 1) != colour)
    return;
  RELAX(i, j, k);
}

/* Only cells of the right colour have work-items. Each work-item goes along k. */
kernel void sor_half(global real *phi, global const real *rho, real omega, real h2, int colour)
{
  const int half_i = get_global_id(0), j = get_global_id(1) + 1;
  const int k0 = get_global_id(2) * KSTEP + 1;
  if (j >= N - 1)
    return;
  for (int k = k0; k < min(k0 + KSTEP, N - 1); k++) {
    const int i = 2 * half_i + 1 + ((j + k + 1 + colour) & 1);
    if (i < N - 1)
      RELAX(i, j, k);
  }
}
