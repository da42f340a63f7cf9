/* 3x3 median of each channel of an RGBA image, with coordinates clamped at the edges. The
 * work-group's pixels and a border of one pixel are staged in __local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define SORT(a, b)                                                                                 \
    do {                                                                                           \
        const uchar4 low = min(a, b);                                                              \
        b = max(a, b);                                                                             \
        a = low;                                                                                   \
    } while (0)

static uchar4 median3(uchar4 a, uchar4 b, uchar4 c)
{
    return max(min(a, b), min(max(a, b), c));
}

/* Sorts each column of three; the median of nine is then the median of the largest of the lows,
 * the median of the middles and the smallest of the highs. */
static uchar4 median9(uchar4 v[9])
{
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        SORT(v[i], v[i + 3]);
        SORT(v[i + 3], v[i + 6]);
        SORT(v[i], v[i + 3]);
    }
    return median3(max(max(v[0], v[1]), v[2]), median3(v[3], v[4], v[5]),
                   min(min(v[6], v[7]), v[8]));
}

__kernel __attribute__((reqd_work_group_size(GX, GY, 1))) void
median3x3(__global const uchar4 *restrict in, __global uchar4 *restrict out, int width, int height)
{
    __local uchar4 tile[GY + 2][GX + 2];
    const int left = (int)get_group_id(0) * GX - 1, top = (int)get_group_id(1) * GY - 1;
    const int x = get_local_id(0), y = get_local_id(1);

    for (int i = y * GX + x; i < (GX + 2) * (GY + 2); i += GX * GY) {
        const int row = i / (GX + 2), column = i % (GX + 2);
        const int from_x = clamp(left + column, 0, width - 1);
        const int from_y = clamp(top + row, 0, height - 1);

        tile[row][column] = in[from_y * width + from_x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uchar4 v[9];
#pragma unroll
    for (int row = 0; row < 3; ++row)
#pragma unroll
        for (int column = 0; column < 3; ++column)
            v[3 * row + column] = tile[y + row][x + column];
    out[(int)get_global_id(1) * width + (int)get_global_id(0)] = median9(v);
}
