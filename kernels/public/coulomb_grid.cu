/* Potential of charges at the points of a grid. Each thread computes ROUNDS points of a column.
 * Charges are an array of float4 or, with APART, four arrays. The loop over points is unrolled
 * UNROLL times, unless UNROLL is 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
extern "C" __global__ void potential(const float4 *charges, const float *xs, const float *ys, const float *zs,
                                     const float *qs, int count, float spacing, int side, float *grid)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = (blockIdx.z * blockDim.z + threadIdx.z) * ROUNDS;
    float sums[ROUNDS];

    if (x >= side || y >= side)
        return;
    for (int k = 0; k < ROUNDS; k++)
        sums[k] = 0.0f;
    for (int i = 0; i < count; i++) {
#if APART
        const float dx = spacing * x - xs[i], dy = spacing * y - ys[i], q = qs[i];
        float dz = spacing * z - zs[i];
#else
        const float4 charge = charges[i];
        const float dx = spacing * x - charge.x, dy = spacing * y - charge.y, q = charge.w;
        float dz = spacing * z - charge.z;
#endif
#if UNROLL > 0
#pragma unroll UNROLL
#endif
        for (int k = 0; k < ROUNDS; k++) {
            sums[k] += q * rsqrtf(dx * dx + dy * dy + dz * dz);
            dz += spacing;
        }
    }
    for (int k = 0; k < ROUNDS; k++)
        if (z + k < side)
            grid[side * side * (z + k) + side * y + x] += sums[k];
}
