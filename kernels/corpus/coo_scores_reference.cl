/* Each work-item computes one row, whose entries it can find directly. */
__kernel void tally_rows(__global const int *col, __global const uchar *stars,
                         __global const int *trust, __global int *score)
{
    int r = get_global_id(0);
    int first = r / 512 * 4096 + r % 512 * 3;
    int end = r % 512 == 511 ? (r / 512 + 1) * 4096 : first + 3;
    int sum = 0;
    while (first < end) {
        sum += stars[first] * trust[col[first]];
        first++;
    }
    score[r] = sum;
}
