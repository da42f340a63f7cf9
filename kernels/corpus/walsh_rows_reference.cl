/* Computes y[k] = sum of x[j] * (-1)^(number of ones in j & k). Each work-group handles a row, and
 * stores its input in local memory, because the output replaces it. */
__kernel void by_definition(__global float *signal)
{
    __local float x[4096];
    __global float *row = signal + get_group_id(0) * 4096;

    for (uint j = get_local_id(0); j < 4096; j += get_local_size(0))
        x[j] = row[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < 4096; k += get_local_size(0)) {
        float y = 0;
        for (uint j = 0; j < 4096; j++)
            y += popcount(j & k) & 1 ? -x[j] : x[j];
        row[k] = y;
    }
}
