/* Each work-item sums the elements of its group through a row in global memory that only this
 * group accesses. */
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
total(__global const float *restrict in, __global float *restrict out, __global float *restrict rows)
{
    const int lid = get_local_id(0), row = get_group_id(0) * 64;
    float sum = 0.0f;

    rows[row + lid] = in[get_global_id(0)] * in[get_global_id(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int k = 0; k < 64; k++)
        sum += rows[row + k];
    out[get_global_id(0)] = sum;
}
