/* Whether points are in a polygon: for each edge, whether a ray from the point to the right crosses
 * it. Each thread handles TILE points, a block's size apart. BETWEEN selects how the code tests
 * whether a height is between those of two vertices, and COUNT how crossings are counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define VERTICES 600

__constant__ float2 vertices[VERTICES];

__device__ __forceinline__ int between(float a, float b, float c)
{
#if BETWEEN == 0
    return (b > a) != (c > a);
#elif BETWEEN == 1
    return (b <= a && c > a) || (b > a && c <= a);
#elif BETWEEN == 2
    return a - b == 0.0f || (a - b) * (a - c) < 0.0f;
#else
    return (a - b) * (a - c) < 0.0f || a - b == 0.0f;
#endif
}

extern "C" __global__ void in_polygon(int *inside, float2 *points, int n)
{
    const int first = blockIdx.x * BLOCK * TILE + threadIdx.x;
    int crossings[TILE];
    float2 point[TILE];

    if (first >= n)
        return;
#pragma unroll
    for (int t = 0; t < TILE; t++) {
        crossings[t] = 0;
        if (first + BLOCK * t < n)
            point[t] = points[first + BLOCK * t];
    }
    int before = VERTICES - 1;

    for (int j = 0; j < VERTICES; before = j++) {
        const float2 to = vertices[j], from = vertices[before];
        const float slope = (from.x - to.x) / (from.y - to.y);

#pragma unroll
        for (int t = 0; t < TILE; t++) {
            const float2 p = point[t];
#if COUNT == 0
            if (between(p.y, to.y, from.y) && p.x < slope * (p.y - to.y) + to.x)
                crossings[t] = !crossings[t];
#elif COUNT == 1
            int is_between = between(p.y, to.y, from.y);

            crossings[t] += is_between && p.x < to.x + slope * (p.y - to.y);
#else
            if (between(p.y, to.y, from.y) && p.x < slope * (p.y - to.y) + to.x)
                crossings[t] += 1;
#endif
        }
    }
#pragma unroll
    for (int t = 0; t < TILE; t++)
        if (first + BLOCK * t < n)
            inside[first + BLOCK * t] = COUNT == 0 ? crossings[t] : crossings[t] & 1;
}
