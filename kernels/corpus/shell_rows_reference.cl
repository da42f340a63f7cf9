/* Selection sort: moves the smallest of the remaining elements to the front. */
__kernel void shellSortRows(__global float *m, const unsigned int rows)
{
    __global float *row = m + get_global_id(0) * LEN;
    for (int to = 0; to < LEN - 1; to++) {
        int least = to;
        for (int i = to + 1; i < LEN; i++)
            if (row[i] < row[least])
                least = i;
        const float swap = row[to];
        row[to] = row[least];
        row[least] = swap;
    }
}
