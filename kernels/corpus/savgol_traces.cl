// Window of 2 M + 1 points, polynomials of second degree.
#define S0 (2 * M + 1)
#define S2 (M * (M + 1) * (2 * M + 1) / 3)
#define S4 (S2 * (3 * M * M + 3 * M - 1) / 5)
#define SMOOTH_WEIGHT(j) ((float)(S4 - S2 * (j) * (j)) / (float)(S0 * S4 - S2 * S2))
#define SLOPE_WEIGHT(j) ((float)(j) / (float)S2)

__kernel void savgol(__global const float * restrict traces,
                     __global float * restrict smooth,
                     __global float * restrict slope,
                     int points)
{
  int t = get_global_id(0);
  if (t < points) {
    size_t row = get_global_id(1) * (size_t)points;
    int centre = clamp(t, M, points - 1 - M);
    float sum = 0.0f, rise = 0.0f;

    for (int j = -M; j <= M; ++j) {
      float v = traces[row + centre + j];
      sum += SMOOTH_WEIGHT(j) * v;
      rise += SLOPE_WEIGHT(j) * v;
    }
    smooth[row + t] = sum;
    slope[row + t] = rise;
  }
}
