/* C = A B of square matrices; each work-item computes an element. rows: neighbouring work-items
 * compute elements of one row. columns: they compute elements of one column, so that each access of
 * a warp touches as many lines as the warp has work-items. tiled: tiles of both matrices are in
 * local memory. TILE is the width of a work-group and of a tile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
float dot_global(global const float *a, global const float *b, int row, int column, int width)
{
    float sum = 0.0f;

    for (int k = 0; k < width; k++)
        sum += a[row * width + k] * b[k * width + column];
    return sum;
}

kernel void product_rows(global float *c, global float *a, global float *b, int width)
{
    int column = get_group_id(0) * TILE + get_local_id(0);
    int row = get_group_id(1) * TILE + get_local_id(1);

    c[row * width + column] = dot_global(a, b, row, column, width);
}

kernel void product_columns(global float *c, global float *a, global float *b, int width)
{
    int row = get_group_id(0) * TILE + get_local_id(0);
    int column = get_group_id(1) * TILE + get_local_id(1);

    c[row * width + column] = dot_global(a, b, row, column, width);
}

kernel void product_tiled(global float *c, global float *a, global float *b, int width)
{
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
    float sum = 0.0f;

    for (int tile = 0; tile < width / TILE; tile++) {
        tile_a[y][x] = a[row * width + tile * TILE + x];
        tile_b[y][x] = b[(tile * TILE + y) * width + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * width + column] = sum;
}

/* The tiled product with x and y exchanged, which also causes bank conflicts in local memory. */
kernel void product_tiled_columns(global float *c, global float *a, global float *b, int width)
{
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_group_id(0) * TILE + x, column = get_group_id(1) * TILE + y;
    float sum = 0.0f;

    for (int tile = 0; tile < width / TILE; tile++) {
        tile_a[x][y] = a[row * width + tile * TILE + y];
        tile_b[x][y] = b[(tile * TILE + x) * width + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[x][k] * tile_b[k][y];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * width + column] = sum;
}
