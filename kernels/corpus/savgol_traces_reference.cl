// Fits a + b u + c u^2 to the points of each window by Gauss elimination in double.
__kernel void least_squares(__global const float *traces, __global float *smooth,
                            __global float *slope, int points)
{
  int t = get_global_id(0);
  if (t >= points)
    return;
  long row = (long)get_global_id(1) * points;
  int centre = t < 12 ? 12 : t > points - 13 ? points - 13 : t;
  double m[3][4] = {{0}};

  for (int u = -12; u <= 12; u++) {
    double power[3] = {1, u, (double)u * u};
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++)
        m[r][c] += power[r] * power[c];
      m[r][3] += power[r] * traces[row + centre + u];
    }
  }
  for (int p = 0; p < 3; p++)
    for (int r = 0; r < 3; r++)
      if (r != p) {
        double f = m[r][p] / m[p][p];
        for (int c = 0; c < 4; c++)
          m[r][c] -= f * m[p][c];
      }
  smooth[row + t] = (float)(m[0][3] / m[0][0]);
  slope[row + t] = (float)(m[1][3] / m[1][1]);
}
