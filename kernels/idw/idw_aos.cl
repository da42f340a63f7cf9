/* Inverse distance weighting: the value at each query point is the mean of the values at all data
 * points, weighted by one over the squared distance. Each work-item computes one query point.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y, z;
} Point;

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
idw(__global const Point *data, __global Point *queries, int data_count, int query_count)
{
    const int i = get_global_id(0);

    if (i >= query_count)
        return;
    const float x = queries[i].x;
    const float y = queries[i].y;
    float sum = 0.0f, weights = 0.0f;

    for (int j = 0; j < data_count; j++) {
        const float dx = x - data[j].x;
        const float dy = y - data[j].y;
        const float d2 = dx * dx + dy * dy;

        if (d2 == 0.0f) { /* the query point is at a data point */
            queries[i].z = data[j].z;
            return;
        }
        const float weight = 1.0f / d2;
        sum += weight * data[j].z;
        weights += weight;
    }
    queries[i].z = sum / weights;
}
