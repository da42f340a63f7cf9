/* c = a b for two N x N matrices. Each work-item computes WORK_Y x WORK_X elements. A work-group of
 * GROUP_X x GROUP_Y work-items computes a tile of TILE_Y x TILE_X elements. With STAGE, it first
 * copies DEPTH columns of a's tile and DEPTH rows of b's to local memory, where a row of a's
 * (transposed) and of b's has PAD elements more than needed. b is read VECTOR elements at a time,
 * and the loop over DEPTH is unrolled UNROLL times. Tile sizes divide N.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define TILE_X (GROUP_X * WORK_X)
#define TILE_Y (GROUP_Y * WORK_Y)
#define ITEMS (GROUP_X * GROUP_Y)

#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#if VECTOR == 1
#define TAKE(at) (*(at))
#define VALUES float
#define PUT(values, at) (*(at) = (values))
#else
#define TAKE(at) JOINED(vload, VECTOR)(0, at)
#define VALUES JOINED(float, VECTOR)
#define PUT(values, at) JOINED(vstore, VECTOR)(values, 0, at)
#endif
/* number of vectors of VECTOR elements that a work-item computes in a row; they are a row of the
 * tile apart */
#define PARTS (WORK_X / VECTOR)

__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void
multiply(__global const float *a, __global const float *b, __global float *c)
{
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = get_group_id(0) * TILE_X, top = get_group_id(1) * TILE_Y;
    VALUES sum[WORK_Y][PARTS];

    for (int i = 0; i < WORK_Y; i++)
        for (int j = 0; j < PARTS; j++)
            sum[i][j] = 0;
#if STAGE
    __local float rows[DEPTH * (TILE_Y + PAD)], columns[DEPTH * (TILE_X + PAD)];

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        for (int i = y * GROUP_X + x; i < DEPTH * TILE_Y; i += ITEMS)
            rows[i % DEPTH * (TILE_Y + PAD) + i / DEPTH] = a[(top + i / DEPTH) * N + k0 + i % DEPTH];
        for (int i = y * GROUP_X + x; i < DEPTH * TILE_X; i += ITEMS)
            columns[i / TILE_X * (TILE_X + PAD) + i % TILE_X] = b[(k0 + i / TILE_X) * N + left + i % TILE_X];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
        for (int k = 0; k < DEPTH; k++)
            for (int i = 0; i < WORK_Y; i++)
                for (int j = 0; j < PARTS; j++)
                    sum[i][j] += rows[k * (TILE_Y + PAD) + i * GROUP_Y + y] *
                                 TAKE(&columns[k * (TILE_X + PAD) + (j * GROUP_X + x) * VECTOR]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
#pragma unroll UNROLL
    for (int k = 0; k < N; k++)
        for (int i = 0; i < WORK_Y; i++)
            for (int j = 0; j < PARTS; j++)
                sum[i][j] += a[(top + i * GROUP_Y + y) * N + k] *
                             TAKE(&b[k * N + left + (j * GROUP_X + x) * VECTOR]);
#endif
    for (int i = 0; i < WORK_Y; i++)
        for (int j = 0; j < PARTS; j++)
            PUT(sum[i][j], &c[(top + i * GROUP_Y + y) * N + left + (j * GROUP_X + x) * VECTOR]);
}

__kernel void multiply_plainly(__global const float *a, __global const float *b, __global float *c)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;

    for (int k = 0; k < N; k++)
        sum += a[y * N + k] * b[k * N + x];
    c[y * N + x] = sum;
}
