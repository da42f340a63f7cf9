/* Makes data points and query points from random numbers. Values of data points are between -1 and
 * 1. One of every SAME query points is at a data point. Results start as NaN.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y, z;
} Point;

__kernel void make_points(__global const float *data_numbers, __global const float *query_numbers,
                          __global Point *data, __global Point *queries, int n)
{
    const int i = get_global_id(0), other = n - 1 - i;

    data[i].x = data_numbers[3 * i];
    data[i].y = data_numbers[3 * i + 1];
    data[i].z = 2.0f * data_numbers[3 * i + 2] - 1.0f;
    queries[i].x = i % SAME == 0 ? data_numbers[3 * other] : query_numbers[3 * i];
    queries[i].y = i % SAME == 0 ? data_numbers[3 * other + 1] : query_numbers[3 * i + 1];
    queries[i].z = NAN;
}
