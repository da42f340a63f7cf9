/* 3x3 median of each channel of an RGBA image, with coordinates clamped at the edges. Pixels are
 * read directly from global memory.
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
    const int x = get_global_id(0), y = get_global_id(1);
    uchar4 v[9];

#pragma unroll
    for (int row = 0; row < 3; ++row) {
        const int from_y = clamp(y + row - 1, 0, height - 1);

#pragma unroll
        for (int column = 0; column < 3; ++column)
            v[3 * row + column] = in[from_y * width + clamp(x + column - 1, 0, width - 1)];
    }
    out[y * width + x] = median9(v);
}
