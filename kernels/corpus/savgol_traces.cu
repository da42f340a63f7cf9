/* kernels/corpus/savgol_traces.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
// Window of 2 M + 1 points, polynomials of second degree.
#define S0 (2 * M + 1)
#define S2 (M * (M + 1) * (2 * M + 1) / 3)
#define S4 (S2 * (3 * M * M + 3 * M - 1) / 5)
#define SMOOTH_WEIGHT(j) ((float)(S4 - S2 * (j) * (j)) / (float)(S0 * S4 - S2 * S2))
#define SLOPE_WEIGHT(j) ((float)(j) / (float)S2)

__global__ void savgol(const float *__restrict__ traces, float *__restrict__ smooth,
                       float *__restrict__ slope, int points)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < points) {
        size_t row = (blockIdx.y * blockDim.y + threadIdx.y) * (size_t)points;
        int centre = min(max(t, M), points - 1 - M);
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
