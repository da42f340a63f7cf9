/* Weighted mean of each number of a matrix and its eight neighbours, as SHOC's stencil2d computes
 * it. A work-group handles ROWS rows of 256 columns along dimension 1, and copies them with a
 * border of one to local memory. The matrix has a border, too, and its row length is a multiple of
 * `multiple` numbers. REAL is float or double.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define ROWS 8

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

int pitch_of(int columns, int multiple)
{
    int with_border = columns + 2, over = with_border % multiple;

    return over == 0 ? with_border : with_border + multiple - over;
}

kernel void stencil_nine(global REAL *from, global REAL *to, int multiple, REAL middle, REAL side, REAL corner,
                         local REAL *part)
{
    int width = get_local_size(1), column = get_local_id(1);
    int pitch = pitch_of(get_num_groups(1) * width, multiple), wide = width + 2;
    int first = (int)get_group_id(0) * ROWS * pitch + (int)get_group_id(1) * width;

    for (int y = 0; y < ROWS + 2; y++)
        part[y * wide + column + 1] = from[first + y * pitch + column + 1];
    if (column == 0) {
        for (int y = 0; y < ROWS + 2; y++)
            part[y * wide] = from[first + y * pitch];
    } else if (column == width - 1) {
        for (int y = 0; y < ROWS + 2; y++)
            part[y * wide + width + 1] = from[first + y * pitch + width + 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = 1; y <= ROWS; y++) {
        int at = y * wide + column + 1;
        REAL sides = part[at - wide] + part[at + wide] + part[at + 1] + part[at - 1];
        REAL corners = part[at - wide + 1] + part[at + wide + 1] + part[at - wide - 1] + part[at + wide - 1];

        to[first + y * pitch + column + 1] = middle * part[at] + side * sides + corner * corners;
    }
}

/* The definition. Each work-item, in dimension 0, computes a row. */
kernel void stencil_plain(global REAL *from, global REAL *to, int multiple, REAL middle, REAL side, REAL corner,
                          int columns)
{
    int pitch = pitch_of(columns, multiple), row = (get_global_id(0) + 1) * pitch;

    for (int x = row + 1; x <= row + columns; x++)
        to[x] = middle * from[x] + side * (from[x - pitch] + from[x + pitch] + from[x + 1] + from[x - 1]) +
                corner * (from[x - pitch + 1] + from[x + pitch + 1] + from[x - pitch - 1] + from[x + pitch - 1]);
}
