/* The kernel already uses half of the local memory that every GPU gives a group. */
#define N 64
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
full(__global const float *restrict in, __global float *restrict out)
{
    __local float own[96 * N];
    const int x = get_local_id(0);
    float sum = 0.0f;

    for (int k = 0; k < 96; k++)
        own[k * N + x] = (float)k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int row = 0; row < 128; row++)
        for (int k = 0; k < N; k++)
            sum += in[row * N + k] * own[(row % 96) * N + (x + k) % N];
    out[get_global_id(0)] = sum;
}
