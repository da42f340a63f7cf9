__kernel void tally_atomic(__global const int *row, __global const int *col,
                           __global const uchar *stars, __global const int *trust,
                           volatile __global int *score)
{
    size_t e = get_global_id(0);
    atomic_add(&score[row[e]], stars[e] * trust[col[e]]);
}

#define LSIZE 256

/* Segmented scan of the products, which starts again at each new row. The last work-item of a row
 * adds its sum to the row's score. */
__kernel void tally_segmented(__global const int *row, __global const int *col,
                              __global const uchar *stars, __global const int *trust,
                              volatile __global int *score)
{
    __local int rows[LSIZE];
    __local int sums[LSIZE];
    size_t e = get_global_id(0);
    int l = get_local_id(0);
    int my_row = row[e];
    int my_sum = stars[e] * trust[col[e]];

    rows[l] = my_row;
    sums[l] = my_sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < LSIZE; d <<= 1) {
        int more = 0;
        if (l >= d && rows[l - d] == my_row)
            more = sums[l - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        my_sum += more;
        sums[l] = my_sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == LSIZE - 1 || rows[l + 1] != my_row)
        atomic_add(&score[my_row], my_sum);
}
