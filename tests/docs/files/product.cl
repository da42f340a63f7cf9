__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
void product(__global const float *restrict a, __global const float *restrict b, __global float *restrict c)
{
    __local float tile[GROUP_Y][16 + PAD];
    int column = get_global_id(0) * WORK, row = get_global_id(1);
    int x = get_local_id(0), y = get_local_id(1);
    float sums[WORK] = {0};
    for (int first = 0; first < N; first += 16) {
        for (int k = x; k < 16; k += GROUP_X)
            tile[y][k] = a[row * N + first + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < WORK; i++)
                sums[i] += tile[y][k] * b[(first + k) * N + column + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < WORK; i++)
        c[row * N + column + i] = sums[i];
}
