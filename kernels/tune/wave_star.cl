/* A time step of waves in a box of NX x NY x NZ points, of eighth order in space (a star of 25
 * points) and second order in time. A work-group of BLOCK_X x BLOCK_Y work-items computes columns
 * of DEPTH points over TILE times as many rows. It goes up plane by plane, UNROLL planes at a time.
 * With STAGE, it first copies the plane's points, and four around them, to local memory, in rows
 * that are PAD longer than needed. With COLUMN, a work-item keeps the nine points above each other
 * that it needs. The arrays have four more points at each end of y and z, and 32 in x.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define REACH 4
#define MARGIN 32
#define PITCH (NX + 2 * MARGIN)
#define PLANE (PITCH * (NY + 2 * REACH))
#define AT(x, y, z) (((z) + REACH) * PLANE + ((y) + REACH) * PITCH + (x) + MARGIN)
#define HIGH (BLOCK_Y * TILE)

#define CENTRE (-205.0f / 72)
#define WEIGHTS {CENTRE, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560}

__kernel __attribute__((reqd_work_group_size(BLOCK_X, BLOCK_Y, 1))) void
wave(__global float *restrict next, __global const float *restrict now, __global const float *restrict speed)
{
    const float weights[REACH + 1] = WEIGHTS;
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int left = get_group_id(0) * BLOCK_X, top = get_group_id(1) * HIGH, z0 = get_group_id(2) * DEPTH;
#if COLUMN
    float column[TILE][2 * REACH + 1];

#pragma unroll
    for (int j = 0; j < TILE; j++)
#pragma unroll
        for (int i = 1; i <= 2 * REACH; i++)
            column[j][i] = now[AT(left + lx, top + ly + j * BLOCK_Y, z0 + i - 1 - REACH)];
#endif
#if STAGE
    __local float plane[HIGH + 2 * REACH][BLOCK_X + 2 * REACH + PAD];
#endif

#pragma unroll UNROLL
    for (int k = 0; k < DEPTH; k++) {
#if STAGE
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int y = ly; y < HIGH + 2 * REACH; y += BLOCK_Y)
            for (int x = lx; x < BLOCK_X + 2 * REACH; x += BLOCK_X)
                plane[y][x] = now[AT(left + x - REACH, top + y - REACH, z0 + k)];
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
#pragma unroll
        for (int j = 0; j < TILE; j++) {
            const int y = ly + j * BLOCK_Y, at = AT(left + lx, top + y, z0 + k);
            float sum = 0;

#if COLUMN
#pragma unroll
            for (int i = 0; i < 2 * REACH; i++)
                column[j][i] = column[j][i + 1];
            column[j][2 * REACH] = now[at + REACH * PLANE];
#endif
#pragma unroll
            for (int r = 1; r <= REACH; r++) {
#if STAGE
                sum += weights[r] * (plane[y + REACH][lx + REACH - r] + plane[y + REACH][lx + REACH + r]);
                sum += weights[r] * (plane[y + REACH - r][lx + REACH] + plane[y + REACH + r][lx + REACH]);
#else
                sum += weights[r] * (now[at - r] + now[at + r]);
                sum += weights[r] * (now[at - r * PITCH] + now[at + r * PITCH]);
#endif
#if COLUMN
                sum += weights[r] * (column[j][REACH - r] + column[j][REACH + r]);
#else
                sum += weights[r] * (now[at - r * PLANE] + now[at + r * PLANE]);
#endif
            }
#if COLUMN
            const float centre = column[j][REACH];
#elif STAGE
            const float centre = plane[y + REACH][lx + REACH];
#else
            const float centre = now[at];
#endif
            sum += 3 * CENTRE * centre;
            next[at] = 2 * centre - next[at] + speed[at] * sum;
        }
    }
}

__kernel void wave_plainly(__global float *next, __global const float *now, __global const float *speed)
{
    const float weights[REACH + 1] = WEIGHTS;
    const int at = AT((int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2));
    float sum = 3 * weights[0] * now[at];

    for (int r = 1; r <= REACH; r++)
        sum += weights[r] * (now[at - r] + now[at + r] + now[at - r * PITCH] + now[at + r * PITCH] + now[at - r * PLANE] +
                             now[at + r * PLANE]);
    next[at] = 2 * now[at] - next[at] + speed[at] * sum;
}
