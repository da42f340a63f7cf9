/* C = A B of square matrices; each thread computes an element. rows: neighbouring threads compute
 * elements of one row. columns: they compute elements of one column, so that each access of a warp
 * touches as many lines as the warp has threads. tiled: tiles of both matrices are in shared
 * memory. TILE is the width of a block and of a tile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__device__ float dot_global(const float *a, const float *b, int row, int column, int width)
{
    float sum = 0.0f;

    for (int k = 0; k < width; k++)
        sum += a[row * width + k] * b[k * width + column];
    return sum;
}

extern "C" __global__ void product_rows(float *c, float *a, float *b, int width)
{
    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;

    c[row * width + column] = dot_global(a, b, row, column, width);
}

extern "C" __global__ void product_columns(float *c, float *a, float *b, int width)
{
    int row = blockIdx.x * TILE + threadIdx.x;
    int column = blockIdx.y * TILE + threadIdx.y;

    c[row * width + column] = dot_global(a, b, row, column, width);
}

extern "C" __global__ void product_tiled(float *c, float *a, float *b, int width)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0.0f;

    for (int tile = 0; tile < width / TILE; tile++) {
        tile_a[y][x] = a[row * width + tile * TILE + x];
        tile_b[y][x] = b[(tile * TILE + y) * width + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    c[row * width + column] = sum;
}

/* The tiled product with x and y exchanged, which also causes bank conflicts in shared memory. */
extern "C" __global__ void product_tiled_columns(float *c, float *a, float *b, int width)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.x * TILE + x, column = blockIdx.y * TILE + y;
    float sum = 0.0f;

    for (int tile = 0; tile < width / TILE; tile++) {
        tile_a[x][y] = a[row * width + tile * TILE + y];
        tile_b[x][y] = b[(tile * TILE + x) * width + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[x][k] * tile_b[k][y];
        __syncthreads();
    }
    c[row * width + column] = sum;
}
