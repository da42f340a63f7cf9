/* One time step of a 3-D finite difference scheme with a star stencil of radius 4. The xy plane
 * with its halo is staged in __local memory. The column along z is kept in registers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each work-item has one (x, y) and marches through all planes. behind[] and ahead[] are its queue
 * along z. They are in registers, because the loops over them are unrolled. The volume is padded by
 * the radius on every side, so accesses need no bounds check.
 */
#define RADIUS 4

__kernel __attribute__((reqd_work_group_size(GX, GY, 1))) void
fdtd3d(__global const float *restrict in, __global float *restrict out, int origin, int stride,
       int plane, int depth, float c0, float c1, float c2, float c3, float c4)
{
    __local float tile[GY + 2 * RADIUS][GX + 2 * RADIUS];
    const float c[RADIUS + 1] = {c0, c1, c2, c3, c4};
    const int x = get_local_id(0) + RADIUS, y = get_local_id(1) + RADIUS;
    float behind[RADIUS], ahead[RADIUS], current;
    int at = origin - plane + (int)get_global_id(1) * stride + (int)get_global_id(0);

    /* Fill the queue as for the plane before the first one, because the loop starts by moving it
     * on. */
#pragma unroll
    for (int i = 0; i < RADIUS - 1; ++i)
        behind[i] = in[at - (i + 1) * plane];
    current = in[at];
#pragma unroll
    for (int i = 0; i < RADIUS; ++i)
        ahead[i] = in[at + (i + 1) * plane];

    for (int z = 0; z < depth; ++z) {
#pragma unroll
        for (int i = RADIUS - 1; i > 0; --i)
            behind[i] = behind[i - 1];
        behind[0] = current;
        current = ahead[0];
#pragma unroll
        for (int i = 0; i < RADIUS - 1; ++i)
            ahead[i] = ahead[i + 1];
        at += plane;
        ahead[RADIUS - 1] = in[at + RADIUS * plane];

        barrier(CLK_LOCAL_MEM_FENCE); /* the work-items have finished reading the last plane */
        tile[y][x] = current;
        if (y < 2 * RADIUS) {
            tile[y - RADIUS][x] = in[at - RADIUS * stride];
            tile[y + GY][x] = in[at + GY * stride];
        }
        if (x < 2 * RADIUS) {
            tile[y][x - RADIUS] = in[at - RADIUS];
            tile[y][x + GX] = in[at + GX];
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        float value = c[0] * current;
#pragma unroll
        for (int i = 1; i <= RADIUS; ++i)
            value += c[i] * (behind[i - 1] + ahead[i - 1] + tile[y - i][x] + tile[y + i][x] +
                             tile[y][x - i] + tile[y][x + i]);
        out[at] = value;
    }
}
