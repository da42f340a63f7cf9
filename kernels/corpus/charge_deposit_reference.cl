/* One work-item adds the charges of all particles one by one, with hat functions of the distance to
 * each node of a 2x2 block. */
__kernel void deposit_one_by_one(__global const float2 *pos, __global const float *charge,
                                 __global float *grid, int cells)
{
    int n = cells + 1;
    for (int k = 0; k < n * n; k++) grid[k] = 0;
    for (int p = 0; p < PARTICLES; p++) {
        float x = pos[p].x * (float)cells, y = pos[p].y * (float)cells;
        for (int j = (int)y; j <= (int)y + 1; j++)
            for (int i = (int)x; i <= (int)x + 1; i++)
                grid[j * n + i] += (float)((double)charge[p] * (1 - fabs((double)x - i)) * (1 - fabs((double)y - j)));
    }
}
