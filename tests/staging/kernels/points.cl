/* Sums the distances from a point to all others. */
typedef struct {
    float x, y;
} Point;

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
spread(__global const Point *restrict at, __global float *restrict out, int n)
{
    const float x = at[get_global_id(0)].x, y = at[get_global_id(0)].y;
    float sum = 0.0f;

    for (int i = 0; i < n; i++)
        sum += fabs(at[i].x - x) + fabs(at[i].y - y);
    out[get_global_id(0)] = sum;
}
