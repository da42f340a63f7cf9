/* Inverse distance weighting of kernels/idw as Nakai and Ohno (2017) have it: in CUDA, where a member of a
 * struct is loaded by itself (section 2.5). -DSOA: an array of each member; -DALIGNED: the struct aligned
 * to 16 bytes, of which NVIDIA's compilers load x and y by one access of 8 bytes, and z, which is
 * wanted behind a branch, by one of 4.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#if defined SOA
#define POINTS(name) const float *name##_x, const float *name##_y, const float *name##_z
#define RESULTS(name) const float *name##_x, const float *name##_y, float *name##_z
#define XY(name, i) make_float2(name##_x[i], name##_y[i])
#define Z(name, i) name##_z[i]
#elif defined ALIGNED
struct __align__(16) Point {
    float2 xy;
    float z;
};
#else
struct Point {
    float x, y, z;
};
#endif
#ifndef SOA
#define POINTS(name) const Point *name
#define RESULTS(name) Point *name
#define Z(name, i) name[i].z
#ifdef ALIGNED
#define XY(name, i) name[i].xy
#else
#define XY(name, i) make_float2(name[i].x, name[i].y)
#endif
#endif

__global__ void __launch_bounds__(GROUP)
    idw(POINTS(data), RESULTS(queries), int data_count, int query_count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= query_count)
        return;
    const float2 here = XY(queries, i);
    float sum = 0.0f, weights = 0.0f;

    for (int j = 0; j < data_count; j++) {
        const float2 there = XY(data, j);
        const float dx = here.x - there.x;
        const float dy = here.y - there.y;
        const float d2 = dx * dx + dy * dy;

        if (d2 == 0.0f) { /* the query is exactly at this data point */
            Z(queries, i) = Z(data, j);
            return;
        }
        const float weight = 1.0f / d2;
        sum += weight * Z(data, j);
        weights += weight;
    }
    Z(queries, i) = sum / weights;
}
