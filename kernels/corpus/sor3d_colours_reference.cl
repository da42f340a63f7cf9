/* Adds omega / 6 times the residual to phi in each cell of the colour, in double. */
kernel void sor_all(global float *phi, global const float *rho, float omega, float h2, int colour)
{
  const long at[3] = { get_global_id(0), get_global_id(1), get_global_id(2) };
  const long step[3] = { 1, N, (long)N * N };
  long p = 0;
  for (int a = 0; a < 3; a++) {
    if (at[a] < 1 || at[a] > N - 2)
      return;
    p += at[a] * step[a];
  }
  if ((at[0] + at[1] + at[2] + colour) % 2)
    return;
  double residual = -(double)h2 * rho[p];
  for (int a = 0; a < 3; a++)
    residual += (double)phi[p - step[a]] - 2.0 * phi[p] + phi[p + step[a]];
  phi[p] = (float)(phi[p] + (double)omega * residual / 6);
}
